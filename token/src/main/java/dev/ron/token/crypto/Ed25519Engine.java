package dev.ron.token.crypto;

/** One implementation of the Ed25519 equation; callers go through {@link Signatures}, which adds the range rules. */
interface Ed25519Engine {
    String name();

    /** May throw anything on bad input: the caller counts that as "does not match". */
    boolean verify(Ed25519Key key, byte[] message, byte[] signature) throws Exception;

    /** The encoded public half of a private seed. */
    byte[] publicHalf(byte[] seed) throws Exception;

    /** Makes a private seed ready to sign many messages. */
    Signer signer(byte[] seed) throws Exception;
}
