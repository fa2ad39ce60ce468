package dev.ron.token.crypto;

/** A private key made ready: what depends on the key alone was computed once. Any number of threads may use it. */
@FunctionalInterface
public interface Signer {
    byte[] sign(byte[] message);
}
