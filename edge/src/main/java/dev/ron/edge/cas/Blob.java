package dev.ron.edge.cas;

import dev.ron.edge.digest.Digest;
import dev.ron.edge.pack.PackFile;
import java.nio.ByteBuffer;
import java.util.Optional;

/** An open blob; it stays readable until closed, even if it is evicted meanwhile. */
public interface Blob extends AutoCloseable {

    Digest digest();

    long size();

    /** Fills the buffer from {@code offset}; a range outside the blob is the caller's mistake. */
    void read(long offset, ByteBuffer into);

    /** The file behind it, where there is one; it is closed with the blob. */
    default Optional<PackFile> file() {
        return Optional.empty();
    }

    @Override
    void close();
}
