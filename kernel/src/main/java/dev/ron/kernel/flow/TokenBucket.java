package dev.ron.kernel.flow;

import dev.ron.kernel.time.Clock;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A rate with a burst, refilled continuously.
 *
 * <p>One word says when the bucket will be full again (the generic cell rate algorithm): taking a token moves it on by
 * one interval, and a take that would move it more than a whole bucket into the future is refused.
 */
public final class TokenBucket {
    private final Clock clock;
    private final AtomicLong fullAt;
    private volatile Rate rate;

    private record Rate(long intervalNanos, long depthNanos) {}

    public TokenBucket(Clock clock, double perSecond, double burst) {
        this.clock = clock;
        this.fullAt = new AtomicLong(clock.nanos());
        this.rate = rate(perSecond, burst);
    }

    private static Rate rate(double perSecond, double burst) {
        if (!(perSecond > 0) || !(burst >= 1)) {
            throw new IllegalArgumentException(
                    perSecond + "/s, burst " + burst + " (expected: a positive rate and a burst of at least 1)");
        }
        long interval = Math.max(1, Math.round(1e9 / perSecond));
        return new Rate(interval, Math.round(interval * burst));
    }

    /** Takes a token: 0 when it was there, else the nanoseconds until it will be. */
    public long tryTake() {
        long now = clock.nanos();
        while (true) {
            Rate current = rate;
            long full = fullAt.get();
            long next = Math.max(full, now) + current.intervalNanos();
            long wait = next - now - current.depthNanos();
            if (wait > 0) {
                return wait;
            }
            if (fullAt.compareAndSet(full, next)) {
                return 0;
            }
        }
    }

    /** Changes rate and burst; the tokens that were taken and not yet refilled stay taken. */
    public void reconfigure(double perSecond, double burst) {
        long now = clock.nanos();
        Rate old = rate;
        Rate next = rate(perSecond, burst);
        rate = next;
        double ratio = (double) next.intervalNanos() / old.intervalNanos();
        fullAt.updateAndGet(full -> full <= now ? full : now + Math.round((full - now) * ratio));
    }
}
