package dev.ron.kernel.flow;

import dev.ron.kernel.time.Clock;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Keeps retries to a share of first calls, so that retrying cannot multiply the load on something that is down.
 *
 * <p>Every first call earns a tenth of a retry, up to a hundred saved; beside them at least ten a second are allowed.
 */
public final class RetryBudget {
    private static final long CALLS_PER_RETRY = 10;
    private static final long MAX_SAVED = 100 * CALLS_PER_RETRY;

    private final AtomicLong saved = new AtomicLong();
    private final TokenBucket floor;

    public RetryBudget(Clock clock) {
        this.floor = new TokenBucket(clock, 10, 10);
    }

    /** Counts a call that is no retry. */
    public void firstCall() {
        if (saved.get() < MAX_SAVED) {
            saved.updateAndGet(have -> Math.min(MAX_SAVED, have + 1));
        }
    }

    public boolean tryRetry() {
        long have = saved.get();
        while (have >= CALLS_PER_RETRY) {
            if (saved.compareAndSet(have, have - CALLS_PER_RETRY)) {
                return true;
            }
            have = saved.get();
        }
        return floor.tryTake() == 0;
    }
}
