package dev.ron.gateway.proxy;

import dev.ron.http.loop.Timeout;
import dev.ron.http.loop.TimerWheel;
import java.util.function.LongSupplier;

/** The pace of a caller that an upstream waits for: so many bytes in each second in which it is waited for. */
abstract class Pace extends Timeout {
    private static final long PERIOD = 1_000_000_000L;

    private final long rate;
    private final LongSupplier moved;
    private boolean running;
    private boolean wasWaitedFor;
    private long before;

    /** @param moved bytes that have moved so far, in either direction */
    Pace(TimerWheel timers, long rate, LongSupplier moved) {
        super(timers);
        this.rate = rate;
        this.moved = moved;
    }

    /** Whether there is still a slot to be held up. */
    abstract boolean matters();

    abstract boolean waitedFor();

    abstract void tooSlow();

    /** From now on until it does not matter, the caller must keep moving. */
    void keep() {
        if (!running && rate > 0) {
            running = true;
            wasWaitedFor = waitedFor();
            before = moved.getAsLong();
            after(PERIOD);
        }
    }

    @Override
    protected void expired() {
        if (!matters()) {
            running = false;
            return;
        }
        long now = moved.getAsLong();
        boolean waits = waitedFor();
        if (waits && wasWaitedFor && now - before < rate) {
            tooSlow();
            return;
        }
        before = now;
        wasWaitedFor = waits;
        after(PERIOD);
    }
}
