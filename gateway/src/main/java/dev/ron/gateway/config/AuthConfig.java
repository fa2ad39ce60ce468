package dev.ron.gateway.config;

import dev.ron.service.config.Check;
import dev.ron.service.config.Default;
import dev.ron.service.config.Doc;
import dev.ron.service.config.Secret;
import dev.ron.service.config.Within;
import dev.ron.service.keys.ForeignIssuer;
import dev.ron.service.keys.JwksPlace;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** {@code [gateway.auth]}: whose tokens open a route; what a node's own passport office issues is always trusted. */
@Doc("Whose tokens open a route, beside those of the passport office in the same process.")
public record AuthConfig(
        @Doc("The audience a token must name.") @Default("svc-gateway")
        String audience,

        @Doc("The clock difference that is tolerated.") @Default("60s") @Within(min = "0s", max = "5m")
        Duration clockSkew,

        @Doc("Where a passport office publishes its keys and revocations.")
        Optional<URI> keysUrl,

        @Doc("The iss of that office; without it, its address.")
        Optional<String> issuer,

        @Doc("The client key with which its revocations are read.")
        Optional<Secret> feedKey,

        Map<String, Issuer> issuers) {

    /** {@code [gateway.auth.issuers.<name>]}: another passport office, or an issuer of OIDC access tokens. */
    @Doc("One more issuer, and the tenants it may speak for.")
    public record Issuer(
            @Doc("The iss of its tokens.") String iss,

            @Doc("Where a passport office publishes its keys and revocations.")
            Optional<URI> keysUrl,

            @Doc("Where any other issuer (Keycloak, Ory, Dex) publishes its keys; without it, where that issuer says.")
            Optional<URI> jwksUrl,

            @Doc("Not with keys_url: the audience its tokens must name; without it gateway.auth.audience.")
            Optional<String> audience,

            @Doc("Not with keys_url: the algorithms that are taken: EdDSA, Ed25519, ES256, PS256, RS256.")
            @Default("EdDSA,Ed25519")
            List<String> algs,

            @Doc("Not with keys_url: also take tokens of typ JWT, as older providers send them.") @Default("false")
            boolean allowUntyped,

            @Doc("Not with keys_url: only tokens of these clients (client_id or azp); none means all.")
            List<String> clients,

            @Doc("The client key with which its revocations are read.")
            Optional<Secret> feedKey,

            @Doc("The tenants it may speak for; * for all.") List<String> tenants) {

        @Check(value = "at least one tenant, or *", key = "tenants")
        boolean speaksForSomeone() {
            return !tenants.isEmpty();
        }

        @Check(value = "not both of keys_url and jwks_url", key = "keys_url")
        boolean isOfOneKind() {
            return keysUrl.isEmpty() || jwksUrl.isEmpty();
        }

        @Check(value = "https, or http on loopback", key = "keys_url")
        boolean officeIsAskedSafely() {
            return keysUrl.isEmpty() || JwksPlace.isSafe(keysUrl.get());
        }

        @Check(value = "https, or http on loopback", key = "jwks_url")
        boolean keysComeSafely() {
            return jwksUrl.isEmpty() || JwksPlace.isSafe(jwksUrl.get());
        }

        @Check(
                value = "without keys_url and jwks_url it is asked where its keys are: https, or http on loopback",
                key = "iss")
        boolean isAskedSafely() {
            return keysUrl.isPresent() || jwksUrl.isPresent() || JwksPlace.isSafe(iss);
        }

        @Check(value = "of EdDSA, Ed25519, ES256, PS256, RS256, at least one", key = "algs")
        boolean algsAreKnown() {
            return ForeignIssuer.areAlgs(algs);
        }
    }

    @Check(value = "https, or http on loopback", key = "keys_url")
    boolean officeIsAskedSafely() {
        return keysUrl.isEmpty() || JwksPlace.isSafe(keysUrl.get());
    }

    @Check(value = "each iss only once", key = "issuers")
    boolean issuersDiffer() {
        return issuers.values().stream().map(Issuer::iss).distinct().count() == issuers.size();
    }
}
