package dev.ron.gateway.coding;

import dev.ron.gateway.arbiter.TenantKey;
import dev.ron.http.decode.BodyDecoder;
import dev.ron.http.decode.ContentCoding;
import dev.ron.http.decode.DecodeLimits;
import dev.ron.http.message.Headers;
import dev.ron.kernel.call.Reply;
import dev.ron.kernel.error.Code;
import dev.ron.kernel.error.RonException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.EventLoop;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Looks into a coded request body as it passes: a piece goes on when it was found to decode within the limits.
 *
 * <p>So an upstream never gets more of a bomb than what was harmless by itself. What comes out of the decoder is thrown
 * away; the body goes on as it came. One loop only; the decoding is done on the lane, one piece at a time and in order.
 */
public final class Inspection implements AutoCloseable {
    private static final int MOST_WAITING = 64 << 10;
    private static final int SCRATCH = 16 << 10;

    private final CodingLane.Place place;
    private final EventLoop loop;
    private final BodyDecoder decoder;
    private final Next next;
    private final ByteBuf scratch = Unpooled.buffer(SCRATCH, SCRATCH);
    private final Pieces waiting = new Pieces();
    private boolean working;
    private boolean lastSent;
    private boolean closed;
    private @Nullable Headers trailers; // set once the body is complete

    /** Who takes what has passed. */
    public interface Next {
        /** The piece is good; the taker releases it. */
        void good(ByteBuf piece);

        /** The whole body is good. */
        void goodEnd(Headers trailers);

        void bad(RonException why);
    }

    private Inspection(CodingLane.Place place, EventLoop loop, BodyDecoder decoder, Next next) {
        this.place = place;
        this.loop = loop;
        this.decoder = decoder;
        this.next = next;
    }

    /** Refuses with 429 where too many coded bodies are in hand, of this tenant or of all. */
    public static Inspection of(
            ContentCoding coding, DecodeLimits limits, CodingLane lane, TenantKey tenant, EventLoop loop, Next next) {
        CodingLane.Place place = lane.enter(tenant).orElseThrow(Inspection::busy);
        try {
            return new Inspection(place, loop, new BodyDecoder(coding, limits), next);
        } catch (RuntimeException e) {
            place.leave();
            throw e;
        }
    }

    private static RonException busy() {
        return new RonException(
                Code.BUSY, "busy", "too many compressed bodies are being checked", Duration.ofSeconds(1), null);
    }

    public void piece(ByteBuf piece) {
        if (closed) {
            piece.release();
            return;
        }
        waiting.add(piece);
        work();
    }

    public void end(Headers after) {
        trailers = after;
        work();
    }

    /** Whether no more should come for now. */
    public boolean full() {
        return waiting.bytes() >= MOST_WAITING;
    }

    private void work() {
        if (closed || working || lastSent) {
            return;
        }
        ByteBuf piece = waiting.poll();
        if (piece == null && trailers == null) {
            return;
        }
        ByteBuf input = piece == null ? Unpooled.EMPTY_BUFFER : piece.duplicate();
        working = true;
        lastSent = trailers != null && waiting.isEmpty();
        boolean last = lastSent;
        place.step(() -> decode(input, last), loop, outcome -> done(piece, outcome));
    }

    private boolean decode(ByteBuf input, boolean last) {
        BodyDecoder.Progress progress;
        do {
            progress = decoder.step(input, last, scratch.clear());
        } while (progress == BodyDecoder.Progress.HAS_OUTPUT);
        return last;
    }

    private void done(@Nullable ByteBuf piece, Reply.Outcome<Boolean> outcome) {
        working = false;
        if (closed) {
            release(piece);
            free();
            return;
        }
        switch (outcome) {
            case Reply.Failed<Boolean>(RonException why) -> {
                release(piece);
                close();
                next.bad(why);
            }
            case Reply.Done<Boolean>(Boolean last) -> {
                if (piece != null) {
                    next.good(piece);
                }
                Headers after = trailers;
                if (last && after != null && !closed) {
                    next.goodEnd(after);
                } else {
                    work();
                }
            }
        }
    }

    private static void release(@Nullable ByteBuf piece) {
        if (piece != null) {
            piece.release();
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
        decoder.close();
        place.leave();
    }
}
