package dev.ron.gateway.proxy;

import dev.ron.gateway.auth.Allowances;
import dev.ron.gateway.coding.Inspection;
import dev.ron.gateway.fields.RequestFields;
import dev.ron.http.client.stream.StreamCall;
import dev.ron.http.message.Headers;
import dev.ron.http.server.BodySink;
import dev.ron.http.server.Exchange;
import dev.ron.kernel.error.Code;
import dev.ron.kernel.error.RonException;
import io.netty.buffer.ByteBuf;
import java.util.ArrayDeque;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Takes a request body in: the first of it before the request has its turn, so that a slow sender waits on its own time
 * and not on the upstream's; the rest passes on as it comes, and no faster than the upstream takes it.
 *
 * <p>A coded body goes through an inspection first, piece by piece; what is held and sent has passed it.
 */
final class BodyRelay implements BodySink, Inspection.Next {
    /** So much is taken in before the turn. */
    static final int HELD = 64 << 10;

    private final Exchange exchange;
    private final RequestFields fields;
    private final long cap;
    private final Allowances.Purse purse;
    private final Consumer<RonException> refuse;
    private final ArrayDeque<ByteBuf> held = new ArrayDeque<>(2);
    private @Nullable Inspection inspection;
    private @Nullable Runnable whenEnough;
    private @Nullable StreamCall call;
    private long heldBytes;
    private long came;
    private boolean receiving;
    private boolean paused;
    private boolean upstreamIsFull;
    private boolean allCame;
    private boolean complete;
    private Headers trailers = Headers.NONE;

    /** @param refuse hears why the body may not go on */
    BodyRelay(
            Exchange exchange, RequestFields fields, long cap, Allowances.Purse purse, Consumer<RonException> refuse) {
        this.exchange = exchange;
        this.fields = fields;
        this.cap = cap;
        this.purse = purse;
        this.refuse = refuse;
    }

    /** Has every piece looked into before it counts. */
    void inspectedBy(Inspection one) {
        inspection = one;
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
        for (ByteBuf piece = held.poll(); piece != null; piece = held.poll()) {
            upstreamIsFull = !upstream.write(piece);
        }
        heldBytes = 0;
        if (complete) {
            upstream.end(trailers);
        } else if (!receiving) {
            receiving = true;
            exchange.receive(this);
        } else {
            flow();
        }
    }

    @Override
    public void piece(ByteBuf piece) {
        int size = piece.readableBytes();
        came += size;
        if (came > cap) {
            piece.release();
            refuse.accept(tooLarge(cap));
        } else if (!purse.pay(size)) {
            piece.release();
            refuse.accept(Allowances.spent("bytes"));
        } else if (inspection == null) {
            good(piece);
        } else {
            inspection.piece(piece);
            flow();
        }
    }

    @Override
    public void good(ByteBuf piece) {
        StreamCall upstream = call;
        if (upstream == null) {
            held.add(piece);
            heldBytes += piece.readableBytes();
        } else {
            upstreamIsFull = !upstream.write(piece);
        }
        flow();
        if (heldBytes >= HELD) {
            enough();
        }
    }

    /** Stops and starts the caller, by whoever cannot take more. */
    private void flow() {
        boolean stop = upstreamIsFull || heldBytes >= HELD || inspecting();
        if (stop != paused) {
            paused = stop;
            if (stop) {
                exchange.pause();
            } else {
                exchange.resume();
            }
        }
    }

    private boolean inspecting() {
        return inspection != null && inspection.full();
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
        upstreamIsFull = false;
        flow();
    }

    @Override
    public void end() {
        end(Headers.NONE);
    }

    @Override
    public void end(Headers after) {
        allCame = true;
        Headers passing = fields.trailers(exchange, after);
        if (inspection == null) {
            goodEnd(passing);
        } else {
            inspection.end(passing);
        }
    }

    @Override
    public void goodEnd(Headers after) {
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
    public void bad(RonException why) {
        refuse.accept(why);
    }

    @Override
    public void broken(RonException why) {
        StreamCall upstream = call;
        if (upstream != null) {
            upstream.abort();
        }
    }

    /** Whether the caller, and nobody behind it, holds the request up. */
    boolean callerIsSlow() {
        return call != null && !allCame && !upstreamIsFull && !inspecting();
    }

    boolean allCame() {
        return allCame;
    }

    /** Bytes that have come. */
    long came() {
        return came;
    }

    void release() {
        held.forEach(ByteBuf::release);
        held.clear();
        if (inspection != null) {
            inspection.close();
        }
    }
}
