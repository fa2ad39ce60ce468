package dev.ron.registry.store;

import dev.ron.registry.disk.DiskFile;
import java.io.IOException;
import java.nio.ByteBuffer;

/** Reads a file forward in large steps. */
final class Window {
    private static final int STEP = 1 << 20;

    private final DiskFile file;
    private final long size;
    private ByteBuffer buffer = ByteBuffer.allocate(0);
    private long start;

    Window(DiskFile file) throws IOException {
        this.file = file;
        this.size = file.size();
    }

    long size() {
        return size;
    }

    /** The bytes from a position on: as many as asked for, fewer at the end of the file. */
    ByteBuffer at(long position, int length) throws IOException {
        int want = (int) Math.min(length, Math.max(0, size - position));
        if (position < start || position + want > start + buffer.limit()) {
            fill(position, want);
        }
        return buffer.slice((int) (position - start), want);
    }

    private void fill(long position, int want) throws IOException {
        int length = (int) Math.min(Math.max(want, STEP), Math.max(0, size - position));
        if (buffer.capacity() < length) {
            buffer = ByteBuffer.allocate(length);
        }
        buffer.clear().limit(length);
        file.read(buffer, position);
        buffer.flip();
        start = position;
        if (buffer.limit() < want) {
            throw new IOException("the file is shorter than it was");
        }
    }

    /** The end of the last byte that is not zero at or after a position; the position itself where all are zero. */
    long lastUsed(long from) throws IOException {
        long used = from;
        for (long at = from; at < size; at += STEP) {
            ByteBuffer bytes = at(at, STEP);
            for (int i = bytes.remaining() - 1; i >= 0; i--) {
                if (bytes.get(i) != 0) {
                    used = at + i + 1;
                    break;
                }
            }
        }
        return used;
    }

    /** Whether a whole header of a batch after {@code seq} stands anywhere from a position on. */
    boolean hasBatchAfter(long seq, long from) throws IOException {
        long first = (from + BatchCodec.ALIGN - 1) / BatchCodec.ALIGN * BatchCodec.ALIGN;
        for (long at = first; at + BatchCodec.HEADER <= size; at += BatchCodec.ALIGN) {
            ByteBuffer bytes = at(at, BatchCodec.HEADER);
            // Most places are zero or text; the first byte tells.
            if (bytes.get(0) == (byte) 0xFF
                    && BatchCodec.header(bytes)
                            .filter(header -> header.seq() > seq)
                            .isPresent()) {
                return true;
            }
        }
        return false;
    }
}
