package dev.ron.gateway.proxy;

import dev.ron.gateway.auth.Allowances;
import dev.ron.http.client.stream.StreamCall;
import dev.ron.http.message.Headers;
import dev.ron.http.server.BodySink;
import dev.ron.http.server.Exchange;
import dev.ron.kernel.error.Code;
import dev.ron.kernel.error.RonException;
import io.netty.buffer.ByteBuf;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * Takes a request body in: the first of it before the request has its turn, so that a slow sender waits on its own time
 * and not on the upstream's; the rest passes on as it comes, and no faster than the upstream takes it.
 */
final class BodyRelay implements BodySink {
    /** So much is taken in before the turn. */
    static final int HELD = 64 << 10;

    private final Exchange exchange;
    private final long cap;
    private final Allowances.Purse purse;
    private final ArrayDeque<ByteBuf> held = new ArrayDeque<>(2);
    private @Nullable Runnable whenEnough;
    private @Nullable StreamCall call;
    private long heldBytes;
    private long came;
    private boolean receiving;
    private boolean waiting;
    private boolean complete;
    private Headers trailers = Headers.NONE;

    BodyRelay(Exchange exchange, long cap, Allowances.Purse purse) {
        this.exchange = exchange;
        this.cap = cap;
        this.purse = purse;
    }

    /** Starts taking in, and says when there is enough to ask for a turn: all of it, or as much as is held. */
    void hold(Runnable enough) {
        whenEnough = enough;
        receiving = true;
        exchange.receive(this);
    }

    /** It has its turn: sends what is held and whatever follows. */
    void passTo(StreamCall upstream) {
        call = upstream;
        boolean room = true;
        for (ByteBuf piece = held.poll(); piece != null; piece = held.poll()) {
            room = upstream.write(piece);
        }
        heldBytes = 0;
        if (complete) {
            upstream.end(trailers);
        } else if (!receiving) {
            receiving = true;
            exchange.receive(this);
        } else if (room) {
            exchange.resume();
        } else {
            waiting = true;
        }
    }

    @Override
    public void piece(ByteBuf piece) {
        int size = piece.readableBytes();
        came += size;
        if (came > cap) {
            piece.release();
            exchange.fail(tooLarge(cap));
            return;
        }
        if (!purse.pay(size)) {
            piece.release();
            exchange.fail(Allowances.spent("bytes"));
            return;
        }
        StreamCall upstream = call;
        if (upstream == null) {
            held.add(piece);
            heldBytes += size;
            if (heldBytes >= HELD) {
                exchange.pause();
                enough();
            }
        } else if (!upstream.write(piece)) {
            waiting = true;
            exchange.pause();
        }
    }

    private void enough() {
        Runnable next = whenEnough;
        whenEnough = null;
        if (next != null) {
            next.run();
        }
    }

    static RonException tooLarge(long cap) {
        return new RonException(Code.OVER_LIMIT, "body_cap", "the body is larger than " + cap + " bytes");
    }

    void writable() {
        if (waiting) {
            waiting = false;
            exchange.resume();
        }
    }

    @Override
    public void end() {
        end(Headers.NONE);
    }

    @Override
    public void end(Headers after) {
        complete = true;
        trailers = after;
        StreamCall upstream = call;
        if (upstream == null) {
            enough();
        } else {
            upstream.end(after);
        }
    }

    @Override
    public void broken(RonException why) {
        StreamCall upstream = call;
        if (upstream != null) {
            upstream.abort();
        }
    }

    /** Whether the caller, and not the upstream, holds the request up. */
    boolean callerIsSlow() {
        return !complete && !waiting;
    }

    /** Bytes that have come. */
    long came() {
        return came;
    }

    void release() {
        held.forEach(ByteBuf::release);
        held.clear();
    }
}
