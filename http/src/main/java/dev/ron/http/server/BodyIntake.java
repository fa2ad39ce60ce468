package dev.ron.http.server;

import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/** The body of the request in hand, as it comes in: its framing, its pace, and whether the caller waits to be asked. */
final class BodyIntake {
    private static final long SECOND = 1_000_000_000L;

    private final BodyFraming framing;
    private final HostConfig.Timeouts limits;
    private final long since;
    private boolean awaitsContinue;
    private long lastRead;

    BodyIntake(BodyFraming framing, boolean awaitsContinue, HostConfig.Timeouts limits, long now) {
        this.framing = framing;
        this.awaitsContinue = awaitsContinue;
        this.limits = limits;
        this.since = now;
        this.lastRead = now;
    }

    @Nullable
    ByteBuf next(ByteBuf in) {
        return framing.next(in);
    }

    boolean done() {
        return framing.done();
    }

    long bytes() {
        return framing.delivered();
    }

    /** Something came, or nothing could: the wait starts again. */
    void progress(long now) {
        lastRead = now;
    }

    /** True, once, if the caller waits for 100 Continue. */
    boolean takeContinue() {
        boolean was = awaitsContinue;
        awaitsContinue = false;
        return was;
    }

    /** Whether the rest is sure to come and soon read, so that the next request can be awaited behind it. */
    boolean restWithin(int bytes) {
        return !awaitsContinue && framing.remaining() <= bytes;
    }

    /** The next moment to look at the pace: after a gap, and every second once the body had time to get going. */
    long nextMoment(long now) {
        long pace = Math.max(since + limits.paceAfter().toNanos(), now + SECOND);
        return Math.min(lastRead + limits.read().toNanos(), pace);
    }

    boolean tooSlow(long now) {
        if (now >= lastRead + limits.read().toNanos()) {
            return true;
        }
        long elapsed = now - since;
        return elapsed > limits.paceAfter().toNanos() && bytes() < limits.minBytesPerSecond() * (elapsed / SECOND);
    }
}
