package dev.ron.http.server;

import dev.ron.kernel.error.RonException;
import io.netty.buffer.ByteBuf;

/** Brings the body of the request in hand to its handler: within its cap, at the pace the handler takes it. */
final class BodyTurn implements Turn {
    private static final long SECOND = 1_000_000_000L;

    private final Connection connection;
    private final ServerExchange exchange;
    private final BodyFraming framing;
    private final HostConfig.Timeouts limits;
    private final long since;
    private boolean awaitsContinue;
    private long lastRead;

    BodyTurn(
            Connection connection, ServerExchange exchange, BodyFraming framing, HostConfig.Timeouts limits, long now) {
        this.connection = connection;
        this.exchange = exchange;
        this.framing = framing;
        this.limits = limits;
        this.awaitsContinue = exchange.head().expectsContinue();
        this.since = now;
        this.lastRead = now;
    }

    BodyFraming framing() {
        return framing;
    }

    @Override
    public boolean step(ByteBuf in) {
        if (!exchange.takesBody()) {
            return false;
        }
        ByteBuf piece;
        try {
            piece = framing.next(in);
        } catch (RonException bad) {
            connection.bodyBroken(exchange, bad);
            return false;
        }
        if (piece != null && framing.delivered() > exchange.found().maxBodyBytes()) {
            piece.release();
            connection.bodyBroken(exchange, Admission.overCap(exchange.found().maxBodyBytes()));
            return false;
        }
        if (piece != null) {
            exchange.piece(piece);
        }
        if (framing.done()) {
            connection.bodyTaken(this);
        }
        return piece != null || framing.done();
    }

    /** The handler wants the body: from now on the caller is expected to send. True if it waits to be told so. */
    boolean wanted(long now) {
        boolean tell = awaitsContinue;
        awaitsContinue = false;
        lastRead = now;
        return tell;
    }

    /** Whether the rest is sure to come and soon read, so that the next request can be awaited behind it. */
    boolean restWithin(int bytes) {
        return !awaitsContinue && framing.remaining() <= bytes;
    }

    @Override
    public void received(boolean first, long now) {
        lastRead = now;
    }

    @Override
    public boolean holds() {
        return !exchange.takesBody();
    }

    /** After a gap, and every second once the body had time to get going. */
    @Override
    public long nextMoment(long now) {
        long pace = Math.max(since + limits.paceAfter().toNanos(), now + SECOND);
        return Math.min(lastRead + limits.read().toNanos(), pace);
    }

    @Override
    public void check(long now) {
        if (!exchange.takesBody()) {
            lastRead = now; // the handler holds the body up, not the caller
        } else if (tooSlow(now)) {
            connection.bodyBroken(exchange, Refusal.SLOW_BODY.exception());
        }
    }

    private boolean tooSlow(long now) {
        long elapsed = now - since;
        boolean stalled = now >= lastRead + limits.read().toNanos();
        return stalled
                || (elapsed > limits.paceAfter().toNanos()
                        && framing.delivered() < limits.minBytesPerSecond() * (elapsed / SECOND));
    }

    /** It stopped in the middle of a request: there is nothing to answer. */
    @Override
    public void inputEnded() {
        connection.cut();
    }
}
