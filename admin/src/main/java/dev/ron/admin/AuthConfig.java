package dev.ron.admin;

import dev.ron.admin.auth.Role;
import dev.ron.service.config.Change;
import dev.ron.service.config.Check;
import dev.ron.service.config.Default;
import dev.ron.service.config.Doc;
import dev.ron.service.config.OnChange;
import dev.ron.service.config.Secret;
import dev.ron.service.config.Within;
import dev.ron.service.keys.ForeignIssuer;
import dev.ron.service.keys.JwksPlace;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** {@code [admin.auth]}. */
@Doc("Who may use the console.")
public record AuthConfig(
        @Doc("none: whoever reaches it, on loopback only; ingress: a trusted proxy says; passport: a token says.")
        @Default("none")
        Mode mode,

        @Doc("The iss of tokens; empty takes the passport office of this node.") @Default("")
        String issuer,

        @Doc("The aud of tokens.") @Default("svc-admin") String audience,

        @Doc("Where the issuer is asked; none takes the passport office of this node.")
        Optional<URI> passportBaseUrl,

        @Doc(
                "The client key with which the revocations of passport_base_url are read; better in a file: feed_key_file.")
        Optional<Secret> feedKey,

        @Doc("Where another issuer (Keycloak, Ory, Dex) publishes its keys; without it, where admin.auth.issuer says.")
        Optional<URI> jwksUrl,

        @Doc("The algorithms of access tokens that are taken: EdDSA, Ed25519, ES256, PS256, RS256.")
        @Default("EdDSA,Ed25519")
        List<String> algs,

        @Doc("Also take access tokens of typ JWT, as older providers send them.") @Default("false")
        boolean allowUntyped,

        @Doc("Time between two fetches of the keys, give or take a tenth.")
        @Default("5m")
        @Within(min = "1s", max = "1h")
        Duration jwksRefresh,

        @Doc("Deadline of one fetch.") @Default("3s") @Within(min = "100ms", max = "30s")
        Duration jwksTimeout,

        @Doc("Keys that were not confirmed for so long are no longer used.")
        @Default("6h")
        @Within(min = "1m", max = "7d")
        Duration jwksMaxStale,

        @Doc("Longest life of a token.") @Default("24h") @Within(min = "1m", max = "30d")
        Duration maxTokenLifetime,

        @Doc("Name of the cookie.") @Default("ron_passport") String cookieName,

        @Doc("Where to sign in; empty shows a page that takes a token.") @Default("")
        String loginUrl,

        @Doc("Roles by what a token or proxy calls a group: sre = operator.") @OnChange(Change.HOT)
        Map<String, List<String>> roleMap,

        Ingress ingress) {

    @Check(value = "https, or http on loopback, with admin.auth.issuer, without passport_base_url", key = "jwks_url")
    boolean keysComeSafely() {
        return jwksUrl.isEmpty() || (JwksPlace.isSafe(jwksUrl.get()) && !issuer.isEmpty() && passportBaseUrl.isEmpty());
    }

    @Check(value = "https, or http on loopback", key = "passport_base_url")
    boolean officeIsAskedSafely() {
        return passportBaseUrl.isEmpty() || JwksPlace.isSafe(passportBaseUrl.get());
    }

    @Check(value = "only with admin.auth.passport_base_url", key = "feed_key")
    boolean feedHasAPlace() {
        return feedKey.isEmpty() || passportBaseUrl.isPresent();
    }

    @Check(value = "of EdDSA, Ed25519, ES256, PS256, RS256, at least one", key = "algs")
    boolean algsAreKnown() {
        return ForeignIssuer.areAlgs(algs);
    }

    @Check(value = "must be letters, digits, _ or -", key = "cookie_name")
    boolean cookieIsToken() {
        return cookieName.matches("[A-Za-z0-9_-]{1,64}");
    }

    @Check(value = "ingress mode needs admin.auth.ingress.trusted_proxies", key = "mode")
    boolean ingressNamesProxies() {
        return mode != Mode.INGRESS || !ingress.trustedProxies().isEmpty();
    }

    @Check(value = "values must be viewer, operator, ops or admin", key = "role_map")
    boolean rolesAreKnown() {
        return roleMap.values().stream()
                .flatMap(List::stream)
                .allMatch(word -> Role.of(word).isPresent());
    }

    /** How callers are known. */
    public enum Mode {
        NONE,
        INGRESS,
        PASSPORT
    }

    /** {@code [admin.auth.ingress]}. */
    @Doc("The proxy that signs people in. It must delete these fields where a client sends them.")
    public record Ingress(
            @Doc("Field with the person's name.") @Default("X-User")
            String headerUser,

            @Doc("Field with the person's groups, separated by commas.") @Default("X-Groups")
            String headerGroups,

            @Doc("Networks the proxy is in, such as 10.1.0.0/16.") @Default("")
            List<String> trustedProxies,

            @Doc("Shared with the proxy, sent as X-Ingress-Secret.")
            Optional<Secret> secret) {

        @Check(value = "must be networks such as 10.1.0.0/16, never all addresses", key = "trusted_proxies")
        boolean proxiesAreNetworks() {
            return trustedProxies.stream().allMatch(Networks::isProper);
        }
    }
}
