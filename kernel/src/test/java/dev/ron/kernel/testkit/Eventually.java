package dev.ron.kernel.testkit;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Waits for something that another thread is about to make true; the limit only ends a broken test. */
public final class Eventually {
    private static final Duration LIMIT = Duration.ofSeconds(30);

    private Eventually() {}

    public static void await(String what, BooleanSupplier condition) {
        await(() -> "never came true: " + what, condition);
    }

    public static void await(BooleanSupplier condition) {
        await(() -> "the condition never came true", condition);
    }

    static void await(Supplier<String> complaint, BooleanSupplier condition) {
        if (!within(LIMIT, condition)) {
            throw new AssertionError(complaint.get());
        }
    }

    static boolean within(Duration limit, BooleanSupplier condition) {
        long end = System.nanoTime() + limit.toNanos();
        for (int i = 0; !condition.getAsBoolean(); i++) {
            if (System.nanoTime() - end > 0) {
                return false;
            }
            if (i < 100) {
                Thread.onSpinWait();
            } else {
                LockSupport.parkNanos(200_000);
            }
        }
        return true;
    }
}
