package dev.ron.token.jwt;

import dev.ron.token.keys.JwkSet;
import dev.ron.token.keys.Revocations;
import java.util.Optional;

/**
 * What a validator knows about the issuer right now.
 *
 * @param revocations empty for issuers that publish none
 */
public record JwtTrust(JwkSet keys, Optional<Revocations> revocations) {
    public static JwtTrust of(JwkSet keys) {
        return new JwtTrust(keys, Optional.empty());
    }
}
