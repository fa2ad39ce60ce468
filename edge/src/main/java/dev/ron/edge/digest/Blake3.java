package dev.ron.edge.digest;

import java.nio.ByteBuffer;

/** The BLAKE3 of content, fed a piece at a time by one thread, as a {@link Digest}. */
public final class Blake3 {
    private final dev.ron.ledger.hash.Blake3 hasher = new dev.ron.ledger.hash.Blake3();

    public static Digest hash(byte[] input) {
        return Digest.of(dev.ron.ledger.hash.Blake3.hash(input));
    }

    public Blake3 update(byte[] input) {
        return update(input, 0, input.length);
    }

    public Blake3 update(byte[] input, int offset, int length) {
        hasher.update(input, offset, length);
        return this;
    }

    /** Takes what remains in a buffer and leaves it empty. */
    public Blake3 update(ByteBuffer input) {
        hasher.update(input);
        return this;
    }

    /** The digest; the hasher is used up. */
    public Digest finish() {
        return Digest.of(hasher.finish());
    }
}
