package dev.ron.token.crypto;

/** A public key that has passed the import rules of its algorithm. */
public sealed interface VerifyingKey permits Ed25519Key, MlDsaKey, ForeignKey {
    /** The RFC 7638 thumbprint (SHA-256) of the key as a JWK, base64url. */
    String thumbprint();

    /** The key id used on the wire: the first 16 characters of the thumbprint. */
    default String kid() {
        return thumbprint().substring(0, 16);
    }
}
