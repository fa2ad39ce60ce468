package dev.ron.token.jwt;

import dev.ron.token.keys.JwkSet;
import dev.ron.token.keys.Revocations;
import dev.ron.token.keys.Tenants;
import java.util.Optional;

/**
 * What a validator knows about the issuer right now.
 *
 * @param revocations empty for issuers that publish none
 * @param tenants the tenants its {@code tid} claim may name
 */
public record JwtTrust(JwkSet keys, Optional<Revocations> revocations, Tenants tenants) {
    public static JwtTrust of(JwkSet keys) {
        return new JwtTrust(keys, Optional.empty(), Tenants.ALL);
    }
}
