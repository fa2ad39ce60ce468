package dev.ron.registry.disk;

import java.io.IOException;
import java.nio.ByteBuffer;

/** An open file, read and written at positions; what was written is safe once {@link #sync} has returned. */
public interface DiskFile extends AutoCloseable {

    /** Fills the buffer from a position; fewer bytes only at the end of the file. */
    void read(ByteBuffer into, long position) throws IOException;

    void write(ByteBuffer from, long position) throws IOException;

    void truncate(long size) throws IOException;

    void sync() throws IOException;

    long size() throws IOException;

    @Override
    void close() throws IOException;
}
