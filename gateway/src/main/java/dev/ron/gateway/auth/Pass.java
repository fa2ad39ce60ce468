package dev.ron.gateway.auth;

import dev.ron.gateway.arbiter.TenantKey;
import dev.ron.token.verify.Obligations;
import dev.ron.token.verify.Principal;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the door found out about a request.
 *
 * @param source for callers without a name, where they come from; else 0
 * @param who null where no token was shown or needed
 * @param token the token itself, for as long as the request lasts; empty without one
 */
public record Pass(
        TenantKey tenant,
        int source,
        @Nullable Principal who,
        List<String> groups,
        Obligations obligations,
        long rootExpiresAt,
        String token) {
    @Override
    public String toString() {
        return tenant + (who == null ? "" : " " + who.sub());
    }
}
