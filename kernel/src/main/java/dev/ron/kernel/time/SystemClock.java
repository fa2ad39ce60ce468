package dev.ron.kernel.time;

import java.time.Instant;
import java.util.concurrent.locks.LockSupport;

enum SystemClock implements Clock {
    INSTANCE;

    // nanoTime has an arbitrary, possibly negative origin; from here on plain comparison is right.
    private static final long ORIGIN = System.nanoTime();

    @Override
    public long nanos() {
        return System.nanoTime() - ORIGIN;
    }

    @Override
    public Instant now() {
        return Instant.now();
    }

    @Override
    public void park(Object blocker, long untilNanos) {
        if (untilNanos == Long.MAX_VALUE) {
            LockSupport.park(blocker);
        } else {
            LockSupport.parkNanos(blocker, untilNanos - nanos());
        }
    }
}
