package dev.ron.edge.cas;

import dev.ron.edge.digest.Digest;
import java.nio.ByteBuffer;

/** An object that is being collected, invisible to readers; used by one thread at a time. */
public interface Staged extends AutoCloseable {

    /**
     * Takes what remains in the buffer and hashes it; beyond the object's bound it refuses with {@code too_large}, where
     * the store has no room with {@code cas_full}.
     */
    void write(ByteBuffer bytes);

    long size();

    /** The digest of everything written; nothing can be written after. */
    Digest finish();

    /** Removes it, unless it was committed. */
    @Override
    void close();
}
