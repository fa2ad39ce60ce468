package dev.ron.kernel.sync;

import dev.ron.kernel.time.Deadline;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A bound on how many do something at once.
 *
 * <p>One word holds the limit and the number in use, so a permit is taken under the limit of that very moment. Lowering
 * the limit grants nothing until enough have been given back.
 */
public final class Permits {
    private static final long USED = 0xffff_ffffL;

    private final String name;
    private final AtomicLong word = new AtomicLong();
    private final Waiters waiters = new Waiters();

    public Permits(String name, int limit) {
        this.name = name;
        word.set((long) checked(limit) << 32);
    }

    public boolean tryAcquire() {
        long now = word.get();
        while (used(now) < limit(now)) {
            if (word.compareAndSet(now, now + 1)) {
                return true;
            }
            now = word.get();
        }
        return false;
    }

    /** Waits for a permit; false when the deadline passes first. */
    public boolean acquire(Deadline deadline) {
        return waiters.await(name, deadline, () -> tryAcquire() ? Boolean.TRUE : null) != null;
    }

    public void release() {
        long now;
        do {
            now = word.get();
            if (used(now) == 0) {
                throw new IllegalStateException(name + ": a permit was given back twice");
            }
        } while (!word.compareAndSet(now, now - 1));
        waiters.signal();
    }

    public void resize(int newLimit) {
        long upper = (long) checked(newLimit) << 32;
        word.updateAndGet(now -> upper | used(now));
        waiters.signalAll();
    }

    public int inUse() {
        return (int) used(word.get());
    }

    public int limit() {
        return (int) limit(word.get());
    }

    public String name() {
        return name;
    }

    private static long used(long word) {
        return word & USED;
    }

    private static long limit(long word) {
        return word >>> 32;
    }

    private int checked(int value) {
        if (value < 1) {
            throw new IllegalArgumentException(name + ": " + value + " permits (expected: at least 1)");
        }
        return value;
    }
}
