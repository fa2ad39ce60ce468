package dev.ron.kernel.sync;

import dev.ron.kernel.time.Deadline;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A bound on how many do something at once.
 *
 * <p>A permit is taken by compare-and-set before the work becomes visible, so the number in use is never above the limit
 * in force when it was taken. Lowering the limit grants nothing until enough have been given back.
 */
public final class Permits {
    private final String name;
    private final AtomicInteger inUse = new AtomicInteger();
    private final Waiters waiters = new Waiters();
    private volatile int limit;

    public Permits(String name, int limit) {
        this.name = name;
        this.limit = checked(limit);
    }

    public boolean tryAcquire() {
        int used = inUse.get();
        while (used < limit) {
            if (inUse.compareAndSet(used, used + 1)) {
                return true;
            }
            used = inUse.get();
        }
        return false;
    }

    /** Waits for a permit; false when the deadline passes first. */
    public boolean acquire(Deadline deadline) {
        return waiters.await(name, deadline, () -> tryAcquire() ? Boolean.TRUE : null) != null;
    }

    public void release() {
        int left = inUse.decrementAndGet();
        if (left < 0) {
            inUse.incrementAndGet();
            throw new IllegalStateException(name + ": a permit was given back twice");
        }
        waiters.signal();
    }

    public void resize(int newLimit) {
        limit = checked(newLimit);
        waiters.signalAll();
    }

    public int inUse() {
        return inUse.get();
    }

    public int limit() {
        return limit;
    }

    public String name() {
        return name;
    }

    private int checked(int value) {
        if (value < 1) {
            throw new IllegalArgumentException(name + ": " + value + " permits (expected: at least 1)");
        }
        return value;
    }
}
