package dev.ron.edge.serve;

import dev.ron.kernel.error.Code;
import dev.ron.kernel.error.RonException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.CompositeByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Bounds what the cache and the answers in progress hold outside the heap, all together.
 *
 * <p>An object that left the cache stays for its slowest reader, who may be as slow as a kibibyte a second: many such
 * readers of many objects would fill the memory of the process. Without room there is nothing new; hits need none.
 */
public final class Room {
    /** No turn: there was room at once. */
    static final long NONE = 0;

    private static final long LEAST_SPARE = 16 << 20;

    private final ByteBufAllocator pieces;
    private final long cacheBytes;
    private final long most;
    private final long mostWithPieces;
    private final AtomicLong held = new AtomicLong();
    private final AtomicLong turns = new AtomicLong(NONE);
    private final ConcurrentNavigableMap<Long, Waiting> waiting = new ConcurrentSkipListMap<>(); // by turn

    private record Waiting(long bytes, Runnable granted) {}

    /** As much as the cache may hold, and half as much again for what it no longer holds. */
    public Room(long cacheBytes) {
        this(cacheBytes, PooledByteBufAllocator.DEFAULT);
    }

    Room(long cacheBytes, ByteBufAllocator pieces) {
        this.pieces = pieces;
        this.cacheBytes = cacheBytes;
        long spare = Math.max(cacheBytes / 2, LEAST_SPARE);
        this.most = cacheBytes + spare;
        this.mostWithPieces = cacheBytes + spare / 2;
    }

    /** The largest cache whose room takes no more than that. */
    public static long largestCache(long bytes) {
        return Math.max(1 << 20, Math.min(bytes - LEAST_SPARE, bytes / 3 * 2));
    }

    /** All that is ever held. */
    public long most() {
        return most;
    }

    /** Takes so many bytes; where no more is held than the cache may hold, one object of any size. */
    boolean tryTake(long bytes) {
        return tryTake(bytes, most);
    }

    /**
     * The same for a piece of a file, which can wait: half of the spare room stays for new objects. Who comes while
     * others wait is the last of them, also who has just given back a piece.
     *
     * @param granted runs on any thread once so many bytes have been taken in the caller's name
     * @return the turn to {@link #leave} with, or {@link #NONE} if they are taken now
     */
    long takePiece(long bytes, Runnable granted) {
        if (bytes == 0 || (!isWanted() && tryTake(bytes, mostWithPieces))) {
            return NONE;
        }
        long turn = turns.incrementAndGet();
        waiting.put(turn, new Waiting(bytes, granted));
        serve(); // room that came before this one stood there is seen here, what comes later by who gives it back
        return turn;
    }

    /** Waits no longer; what was granted already comes all the same. */
    void leave(long turn) {
        if (waiting.remove(turn) != null) {
            serve(); // the next may want less
        }
    }

    /** Whether anyone waits for a piece. */
    boolean isWanted() {
        return !waiting.isEmpty();
    }

    // Room is taken before its waiter leaves the queue, so that a turn is granted once and by one; who finds the turn
    // gone gives the room back and looks again, so that nobody else was turned away by it for good.
    private void serve() {
        for (Map.Entry<Long, Waiting> first = waiting.firstEntry(); first != null; first = waiting.firstEntry()) {
            Waiting next = first.getValue();
            if (!tryTake(next.bytes(), mostWithPieces)) {
                return;
            }
            if (waiting.remove(first.getKey(), next)) {
                next.granted().run();
            } else {
                held.addAndGet(-next.bytes());
            }
        }
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
        if (isWanted()) {
            serve();
        }
    }

    /** A buffer for a piece that was taken room for. */
    ByteBuf piece(int length) {
        try {
            return pieces.directBuffer(length, length);
        } catch (OutOfMemoryError e) {
            throw full(e);
        }
    }

    /** A copy outside the heap, which gives its room back when it is released for the last time. */
    ByteBuf copy(byte[] bytes) {
        if (bytes.length == 0) {
            return Unpooled.EMPTY_BUFFER;
        }
        if (!tryTake(bytes.length)) {
            throw full(null);
        }
        ByteBuf copy;
        try {
            copy = Unpooled.directBuffer(bytes.length, bytes.length).writeBytes(bytes);
        } catch (OutOfMemoryError e) {
            giveBack(bytes.length);
            throw full(e);
        } catch (Throwable e) {
            giveBack(bytes.length);
            throw e;
        }
        return new Counted(copy, bytes.length);
    }

    /** @param cause where others of this process have taken what the VM has outside the heap */
    private static RonException full(@Nullable Throwable cause) {
        return new RonException(
                Code.BUSY,
                "busy",
                "answers in progress hold all the memory there is for them; edge.cache_bytes bounds it",
                Duration.ofSeconds(1),
                cause);
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
