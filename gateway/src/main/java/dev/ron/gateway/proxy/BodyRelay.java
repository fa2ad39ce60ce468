package dev.ron.gateway.proxy;

import dev.ron.http.client.stream.StreamCall;
import dev.ron.http.server.BodySink;
import dev.ron.http.server.Exchange;
import dev.ron.kernel.error.Code;
import dev.ron.kernel.error.RonException;
import io.netty.buffer.ByteBuf;

/** Passes a request body on to the upstream as it comes, and no faster than the upstream takes it. */
final class BodyRelay implements BodySink {
    private final Exchange exchange;
    private final StreamCall call;
    private final long cap;
    private long passed;
    private boolean waiting;
    private boolean complete;

    BodyRelay(Exchange exchange, StreamCall call, long cap) {
        this.exchange = exchange;
        this.call = call;
        this.cap = cap;
    }

    @Override
    public void piece(ByteBuf piece) {
        passed += piece.readableBytes();
        if (passed > cap) {
            piece.release();
            exchange.fail(tooLarge(cap));
            return;
        }
        if (!call.write(piece)) {
            waiting = true;
            exchange.pause();
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
        complete = true;
        call.end();
    }

    @Override
    public void broken(RonException why) {
        call.abort();
    }

    /** Whether the caller, and not the upstream, holds the request up. */
    boolean callerIsSlow() {
        return !complete && !waiting;
    }
}
