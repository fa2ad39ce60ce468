package dev.ron.http.server;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;

/** What was read from a connection and not used yet; an idle connection holds no buffer. */
final class ReadAhead {
    private ByteBuf bytes = Unpooled.EMPTY_BUFFER;

    /** Takes the buffer over. */
    void append(ByteBuf more, ByteBufAllocator allocator) {
        if (!bytes.isReadable()) {
            release();
            bytes = more;
            return;
        }
        ByteBuf joined = allocator.directBuffer(bytes.readableBytes() + more.readableBytes());
        joined.writeBytes(bytes).writeBytes(more);
        more.release();
        release();
        bytes = joined;
    }

    boolean isEmpty() {
        return !bytes.isReadable();
    }

    int size() {
        return bytes.readableBytes();
    }

    ByteBuf bytes() {
        return bytes;
    }

    /** Hands over what there is. */
    ByteBuf take() {
        ByteBuf all = bytes;
        bytes = Unpooled.EMPTY_BUFFER;
        return all;
    }

    void releaseIfEmpty() {
        if (!bytes.isReadable()) {
            release();
        }
    }

    void release() {
        ByteBuf old = bytes;
        bytes = Unpooled.EMPTY_BUFFER;
        old.release(); // the empty buffer does not mind
    }
}
