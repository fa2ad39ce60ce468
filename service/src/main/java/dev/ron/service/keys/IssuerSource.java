package dev.ron.service.keys;

import dev.ron.http.tls.ClientTls;
import dev.ron.http.tls.TlsOptions;
import dev.ron.token.keys.Tenants;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * One issuer that a verifier trusts, and where it is asked.
 *
 * @param base where its {@code /.well-known/jwks.json} and {@code /v1/passport/revocations} are
 * @param credential what the feed asks of its readers
 * @param tenants the tenants it may speak for
 * @param roots what its certificate is checked with; empty trusts what the Java installation trusts
 */
public record IssuerSource(
        String iss, String base, Supplier<Optional<String>> credential, Tenants tenants, Optional<Path> roots) {

    /** One whose certificate, where it shows any, the world knows. */
    public IssuerSource(String iss, String base, Supplier<Optional<String>> credential, Tenants tenants) {
        this(iss, base, credential, tenants, Optional.empty());
    }

    /** What it is asked with. */
    public ClientTls tls() {
        return roots.map(file -> ClientTls.trusting(file, TlsOptions.defaults()))
                .orElseGet(ClientTls::publicRoots);
    }

    @Override
    public String toString() {
        return iss + " at " + base;
    }
}
