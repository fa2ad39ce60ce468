package dev.ron.http.server;

import dev.ron.http.message.Chunks;
import dev.ron.kernel.error.RonException;
import io.netty.buffer.ByteBuf;
import java.util.Arrays;
import java.util.function.Consumer;

/** Gathers a whole body within its cap; it grows with what came, not with what was announced. */
final class BodyBuffer implements BodySink {
    private static final int FIRST = 4 << 10;

    private final Consumer<byte[]> whenWhole;
    private byte[] bytes;
    private int length;

    BodyBuffer(long announced, Consumer<byte[]> whenWhole) {
        this.whenWhole = whenWhole;
        this.bytes = new byte[Math.clamp(announced, 0, Chunks.MAX_PIECE)];
    }

    @Override
    public void piece(ByteBuf piece) {
        try {
            int more = piece.readableBytes();
            if (bytes.length - length < more) {
                bytes = Arrays.copyOf(bytes, Math.max(FIRST, Math.max(2 * bytes.length, length + more)));
            }
            piece.readBytes(bytes, length, more);
            length += more;
        } finally {
            piece.release();
        }
    }

    @Override
    public void end() {
        whenWhole.accept(length == bytes.length ? bytes : Arrays.copyOf(bytes, length));
    }

    @Override
    public void broken(RonException why) {
        bytes = new byte[0];
        length = 0;
    }
}
