package dev.ron.ledger.sign;

import java.security.SecureRandom;
import java.util.Arrays;
import org.bouncycastle.math.ec.rfc8032.Ed25519;

/** An Ed25519 private key, held as its 32-byte seed; signing is deterministic (RFC 8032). */
public final class Ed25519SigningKey implements SigningKey {
    public static final int SEED_BYTES = Ed25519.SECRET_KEY_SIZE;

    private final byte[] seed;
    private final Ed25519Key verifyKey;
    private volatile boolean wiped;

    private Ed25519SigningKey(byte[] seed) {
        this.seed = seed;
        byte[] encoded = new byte[Ed25519.PUBLIC_KEY_SIZE];
        Ed25519.generatePublicKey(seed, 0, encoded, 0);
        this.verifyKey = Ed25519Key.derived(encoded);
    }

    public static Ed25519SigningKey ofSeed(byte[] seed) {
        if (seed.length != SEED_BYTES) {
            throw new IllegalArgumentException("seed of " + seed.length + " bytes (expected: 32)");
        }
        return new Ed25519SigningKey(seed.clone());
    }

    public static Ed25519SigningKey generate(SecureRandom random) {
        byte[] seed = new byte[SEED_BYTES];
        random.nextBytes(seed);
        return new Ed25519SigningKey(seed);
    }

    @Override
    public Ed25519Key verifyKey() {
        return verifyKey;
    }

    @Override
    public byte[] sign(byte[] message) {
        if (wiped) {
            throw new IllegalStateException("the key has been wiped");
        }
        byte[] signature = new byte[Ed25519.SIGNATURE_SIZE];
        Ed25519.sign(seed, 0, message, 0, message.length, signature, 0);
        return signature;
    }

    /** The secret itself, for whoever encrypts it at rest; the caller wipes the copy. */
    public byte[] seed() {
        return seed.clone();
    }

    /** Overwrites the secret; nothing can be signed from here on. */
    public void wipe() {
        // First, so that nobody begins to sign with zeroes, whose public key everybody knows.
        wiped = true;
        Arrays.fill(seed, (byte) 0);
    }

    @Override
    public String toString() {
        return "private key of " + verifyKey;
    }
}
