package dev.ron.service.keys;

import dev.ron.token.keys.Tenants;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * One issuer that a verifier trusts, and where it is asked.
 *
 * @param base where its {@code /.well-known/jwks.json} and {@code /v1/passport/revocations} are
 * @param credential what the feed asks of its readers
 * @param tenants the tenants it may speak for
 */
public record IssuerSource(String iss, String base, Supplier<Optional<String>> credential, Tenants tenants) {
    @Override
    public String toString() {
        return iss + " at " + base;
    }
}
