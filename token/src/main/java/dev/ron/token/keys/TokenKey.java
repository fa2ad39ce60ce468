package dev.ron.token.keys;

import dev.ron.token.crypto.VerifyingKey;

/** One public key of an issuer: what it may sign and where it stands in its life. */
public record TokenKey(Purpose purpose, KeyStatus status, VerifyingKey key) {
    public String kid() {
        return key.kid();
    }
}
