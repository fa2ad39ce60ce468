package dev.ron.gateway.auth;

import dev.ron.kernel.error.RonException;
import dev.ron.token.verify.Obligations;
import dev.ron.token.verify.Principal;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** How far the judgement of one presented token has come. */
sealed interface Verdict {
    /**
     * Good for this request, provided the obligations are met.
     *
     * @param rootExpiresAt when no branch of its root is good any more
     */
    record Allowed(Principal who, List<String> groups, Obligations obligations, long rootExpiresAt)
            implements Verdict {}

    record Denied(RonException why) implements Verdict {}

    /**
     * Goes on only with signature checks, which are not made on a loop.
     *
     * @param payer whose account they are charged to; null while nobody is proven to ask, so that the source pays
     */
    record Cold(@Nullable Payer payer, Supplier<Verdict> next) implements Verdict {}

    /** Whom the issuer's proven word makes answerable for the rest of the chain. */
    record Payer(String issuer, String tenant, String rootId, int signatures) {}
}
