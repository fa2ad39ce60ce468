package dev.ron.ledger.sign;

/** A private key; it signs and names its public half, and never prints itself. */
public sealed interface SigningKey permits Ed25519SigningKey, MlDsaSigningKey {
    VerifyKey verifyKey();

    byte[] sign(byte[] message);
}
