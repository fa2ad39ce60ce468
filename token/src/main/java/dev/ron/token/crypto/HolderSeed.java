package dev.ron.token.crypto;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The 32-byte secret behind one block: it yields the key that signs the next block and the opening that proves the
 * block is the last.
 */
public final class HolderSeed {
    public static final int SIZE = 32;

    private static final byte[] COMMIT = "pct1 open".getBytes(StandardCharsets.US_ASCII);

    private final byte[] seed;

    public HolderSeed(byte[] seed) {
        if (seed.length != SIZE) {
            throw new IllegalArgumentException("seed: " + seed.length + " bytes (expected: 32)");
        }
        this.seed = seed.clone();
    }

    public byte[] bytes() {
        return seed.clone();
    }

    /** The private Ed25519 seed that signs the next block. */
    public byte[] signingSeed() {
        return Hkdf.derive(seed, "pct1 att key");
    }

    /** The public half of {@link #signingSeed()}: the {@code nk} of this block. */
    public Ed25519Key nextKey() {
        byte[] signing = signingSeed();
        try {
            return Signatures.publicKey(signing);
        } finally {
            Arrays.fill(signing, (byte) 0);
        }
    }

    /** The same as text, by whatever computes it fastest here. */
    public String nextKey(Signatures signatures) {
        byte[] signing = signingSeed();
        try {
            return signatures.publicText(signing);
        } finally {
            Arrays.fill(signing, (byte) 0);
        }
    }

    /** What a sealed token shows instead of the seed. */
    public byte[] opening() {
        return Hkdf.derive(seed, "pct1 proof");
    }

    /** The commitment ({@code nh}) that an opening must hash to. */
    public static byte[] commitment(byte[] opening) {
        return Sha256.of(COMMIT, opening);
    }

    @Override
    public String toString() {
        return "HolderSeed[secret]";
    }
}
