package dev.ron.edge.serve;

import dev.ron.kernel.error.Code;
import dev.ron.kernel.error.RonException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.CompositeByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Bounds what the cache and the answers in progress hold outside the heap, all together.
 *
 * <p>An object that left the cache stays for its slowest reader, who may be as slow as a kibibyte a second: many such
 * readers of many objects would fill the memory of the process. Without room there is nothing new; hits need none.
 */
public final class Room {
    private static final long LEAST_SPARE = 16 << 20;

    private final long cacheBytes;
    private final long most;
    private final long mostWithPieces;
    private final AtomicLong held = new AtomicLong();

    /** As much as the cache may hold, and half as much again for what it no longer holds. */
    public Room(long cacheBytes) {
        this.cacheBytes = cacheBytes;
        long spare = Math.max(cacheBytes / 2, LEAST_SPARE);
        this.most = cacheBytes + spare;
        this.mostWithPieces = cacheBytes + spare / 2;
    }

    /** Takes so many bytes; where no more is held than the cache may hold, one object of any size. */
    boolean tryTake(long bytes) {
        return tryTake(bytes, most);
    }

    /** The same for a piece of a file, which can wait: half of the spare room stays for new objects. */
    boolean tryTakePiece(long bytes) {
        return tryTake(bytes, mostWithPieces);
    }

    private boolean tryTake(long bytes, long bound) {
        long now = held.get();
        while (now <= cacheBytes || now + bytes <= bound) {
            if (held.compareAndSet(now, now + bytes)) {
                return true;
            }
            now = held.get();
        }
        return false;
    }

    void giveBack(long bytes) {
        held.addAndGet(-bytes);
    }

    /** A copy outside the heap, which gives its room back when it is released for the last time. */
    ByteBuf copy(byte[] bytes) {
        if (bytes.length == 0) {
            return Unpooled.EMPTY_BUFFER;
        }
        if (!tryTake(bytes.length)) {
            throw new RonException(
                    Code.BUSY,
                    "busy",
                    "answers in progress hold all the memory there is for them; edge.cache_bytes bounds it",
                    Duration.ofSeconds(1),
                    null);
        }
        ByteBuf copy;
        try {
            copy = Unpooled.directBuffer(bytes.length, bytes.length).writeBytes(bytes);
        } catch (Throwable e) {
            giveBack(bytes.length);
            throw e;
        }
        return new Counted(copy, bytes.length);
    }

    private final class Counted extends CompositeByteBuf {
        private final int bytes;

        Counted(ByteBuf copy, int bytes) {
            super(UnpooledByteBufAllocator.DEFAULT, true, 1, copy);
            this.bytes = bytes;
        }

        @Override
        protected void deallocate() {
            super.deallocate();
            giveBack(bytes);
        }
    }
}
