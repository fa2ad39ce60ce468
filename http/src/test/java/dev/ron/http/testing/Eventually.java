package dev.ron.http.testing;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for a condition, generously: a test that needs all of the time is failing. */
public final class Eventually {
    private static final long LIMIT_NANOS = TimeUnit.SECONDS.toNanos(30);
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

    private Eventually() {}

    public static void await(String what, BooleanSupplier condition) {
        long end = System.nanoTime() + LIMIT_NANOS;
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > end) {
                throw new AssertionError("did not come true: " + what);
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }
}
