package dev.ron.gateway.coding;

import dev.ron.http.message.Headers;
import dev.ron.http.server.ResponseStream;
import dev.ron.kernel.call.Reply;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.EventLoop;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * An answer that is compressed on its way: pieces go to the lane one batch at a time and come back smaller.
 *
 * <p>It takes no more than one batch ahead of the one in work, and works on none while the caller does not read: a slow
 * caller slows the upstream down as it would without compression. What has come is never kept back for more to come.
 */
public final class CompressedStream implements ResponseStream, AutoCloseable {
    private static final int BATCH = 64 << 10;

    private final ResponseStream out;
    private final CodingLane.Place place;
    private final EventLoop loop;
    private final ByteBufAllocator allocator;
    private final Gzip gzip = new Gzip();
    private final Pieces waiting = new Pieces();
    private boolean working;
    private boolean finishing; // the last step is in work or done
    private boolean closed;
    private @Nullable Headers trailers; // set once the upstream is done
    private Runnable listener = () -> {};

    /** Takes over the place in the lane, and leaves it in the end. */
    CompressedStream(ResponseStream out, CodingLane.Place place, EventLoop loop, ByteBufAllocator allocator) {
        this.out = out;
        this.place = place;
        this.loop = loop;
        this.allocator = allocator;
        out.onWritable(this::goOn);
    }

    @Override
    public boolean write(ByteBuf piece) {
        if (closed) {
            piece.release();
            return true;
        }
        waiting.add(piece);
        work();
        return writable();
    }

    @Override
    public boolean writable() {
        return waiting.bytes() < BATCH && out.writable();
    }

    /** Whether it is the caller, and not the compressor, who takes no more. */
    public boolean callerIsFull() {
        return !out.writable();
    }

    @Override
    public void onWritable(Runnable whenRoom) {
        listener = whenRoom;
    }

    @Override
    public void end() {
        end(Headers.NONE);
    }

    @Override
    public void end(Headers after) {
        trailers = after;
        work();
    }

    @Override
    public void abort() {
        close();
        out.abort();
    }

    private void goOn() {
        work();
        if (writable()) {
            listener.run();
        }
    }

    private void work() {
        boolean toDo = !waiting.isEmpty() || (trailers != null && !finishing);
        if (closed || working || !toDo || !out.writable()) {
            return;
        }
        ArrayDeque<ByteBuf> batch = new ArrayDeque<>(4);
        int size = 0;
        for (ByteBuf next = waiting.poll(); next != null; next = size < BATCH ? waiting.poll() : null) {
            size += next.readableBytes();
            batch.add(next);
        }
        working = true;
        finishing = trailers != null && waiting.isEmpty();
        boolean last = finishing;
        place.step(() -> compress(batch, last), loop, outcome -> done(batch, outcome));
    }

    private ByteBuf compress(ArrayDeque<ByteBuf> batch, boolean last) {
        ByteBuf made = allocator.buffer(8 << 10);
        try {
            batch.forEach(piece -> gzip.add(piece, made));
            if (last) {
                gzip.finish(made);
            } else {
                gzip.flush(made);
            }
            return made;
        } catch (RuntimeException e) {
            made.release();
            throw e;
        }
    }

    private void done(ArrayDeque<ByteBuf> batch, Reply.Outcome<ByteBuf> outcome) {
        working = false;
        batch.forEach(ByteBuf::release);
        switch (outcome) {
            case Reply.Done<ByteBuf>(ByteBuf made)
            when closed -> {
                made.release();
                free();
            }
            case Reply.Failed<ByteBuf> _ when closed -> free();
            case Reply.Failed<ByteBuf> _ -> abort();
            case Reply.Done<ByteBuf>(ByteBuf made) -> {
                out.write(made);
                Headers after = trailers;
                if (finishing && after != null) {
                    out.end(after);
                } else {
                    goOn();
                }
            }
        }
    }

    /** The exchange is over. */
    @Override
    public void close() {
        if (!closed) {
            closed = true;
            waiting.release();
            if (!working) {
                free();
            }
        }
    }

    private void free() {
        gzip.close();
        place.leave();
    }
}
