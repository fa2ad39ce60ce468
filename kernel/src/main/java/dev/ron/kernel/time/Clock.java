package dev.ron.kernel.time;

import java.time.Instant;

/** Time as the kernel sees it; every timed wait goes through {@link #park}, so a virtual clock moves all of them. */
public interface Clock {

    /** Monotonic nanoseconds from an arbitrary start, never negative. */
    long nanos();

    Instant now();

    /** Parks the caller until it is unparked or interrupted, or {@code untilNanos} has come; may return early. */
    void park(Object blocker, long untilNanos);

    static Clock system() {
        return SystemClock.INSTANCE;
    }
}
