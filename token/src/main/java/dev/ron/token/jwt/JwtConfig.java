package dev.ron.token.jwt;

import dev.ron.token.keys.Revocation;
import java.util.List;
import java.util.Set;

/**
 * Which access tokens of one issuer are accepted.
 *
 * @param algs allowed algorithms; RSA and EC only for issuers that have nothing better
 * @param allowMissingKid accept a header without key id if the set has exactly one usable key
 * @param allowUntyped accept {@code typ: JWT}, as older providers send
 * @param clients allowed {@code client_id} or {@code azp}; empty for any
 * @param rolePaths dotted claim paths that hold roles
 * @param staleWritesSeconds age of the revocation state, where there is one, from which they change nothing any more
 * @param staleAllSeconds the age from which they are refused
 */
public record JwtConfig(
        String issuer,
        String audience,
        Set<JwtAlg> algs,
        boolean allowMissingKid,
        boolean allowUntyped,
        long skewSeconds,
        Set<String> clients,
        List<String> rolePaths,
        long staleWritesSeconds,
        long staleAllSeconds) {

    public JwtConfig {
        algs = Set.copyOf(algs);
        clients = Set.copyOf(clients);
        rolePaths = List.copyOf(rolePaths);
        if (skewSeconds < 0 || skewSeconds > Revocation.LARGEST_SKEW_SECONDS) {
            throw new IllegalArgumentException("clock_skew: " + skewSeconds + " s (expected: 0..300)");
        }
    }

    public static JwtConfig of(String issuer, String audience) {
        return new JwtConfig(
                issuer,
                audience,
                Set.of(JwtAlg.EDDSA, JwtAlg.ED25519),
                false,
                false,
                60,
                Set.of(),
                List.of("roles", "groups", "realm_access.roles", "scope"),
                30,
                300);
    }

    /** For tokens of a passport office, which says itself what it signs them with ({@code jwt.alg_id}). */
    public static JwtConfig ofOffice(String issuer, String audience) {
        return of(issuer, audience).withAlgs(Set.of(JwtAlg.EDDSA, JwtAlg.ED25519, JwtAlg.ES256));
    }

    public JwtConfig withAlgs(Set<JwtAlg> allowed) {
        return new JwtConfig(
                issuer,
                audience,
                allowed,
                allowMissingKid,
                allowUntyped,
                skewSeconds,
                clients,
                rolePaths,
                staleWritesSeconds,
                staleAllSeconds);
    }

    public JwtConfig withLeniency(boolean missingKid, boolean untyped) {
        return new JwtConfig(
                issuer,
                audience,
                algs,
                missingKid,
                untyped,
                skewSeconds,
                clients,
                rolePaths,
                staleWritesSeconds,
                staleAllSeconds);
    }

    public JwtConfig withClients(Set<String> allowed) {
        return new JwtConfig(
                issuer,
                audience,
                algs,
                allowMissingKid,
                allowUntyped,
                skewSeconds,
                allowed,
                rolePaths,
                staleWritesSeconds,
                staleAllSeconds);
    }

    public JwtConfig withSkew(long seconds) {
        return new JwtConfig(
                issuer,
                audience,
                algs,
                allowMissingKid,
                allowUntyped,
                seconds,
                clients,
                rolePaths,
                staleWritesSeconds,
                staleAllSeconds);
    }
}
