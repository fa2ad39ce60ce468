package dev.ron.gateway.coding;

import io.netty.buffer.ByteBuf;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/** Pieces of a body that wait for the lane, and how many bytes they are. One loop's own. */
final class Pieces {
    private final ArrayDeque<ByteBuf> waiting = new ArrayDeque<>(4);
    private int bytes;

    void add(ByteBuf piece) {
        waiting.add(piece);
        bytes += piece.readableBytes();
    }

    @Nullable
    ByteBuf poll() {
        ByteBuf next = waiting.poll();
        bytes -= next == null ? 0 : next.readableBytes();
        return next;
    }

    boolean isEmpty() {
        return waiting.isEmpty();
    }

    int bytes() {
        return bytes;
    }

    void release() {
        waiting.forEach(ByteBuf::release);
        waiting.clear();
        bytes = 0;
    }
}
