package dev.ron.edge.cas;

import dev.ron.edge.digest.Digest;
import java.nio.ByteBuffer;

/** An open blob; it stays readable until closed, even if it is evicted meanwhile. */
public interface Blob extends AutoCloseable {

    Digest digest();

    long size();

    /** Fills the buffer from {@code offset}; a range outside the blob is the caller's mistake. */
    void read(long offset, ByteBuffer into);

    @Override
    void close();
}
