package dev.ron.edge.fill;

import dev.ron.kernel.error.RonException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * One fetch and everyone who waits for it.
 *
 * <p>One number says it all: how many wait, whether the fetch has begun, or that it is closed. A waiter that leaves takes
 * one away; the last to leave a fetch that has not begun turns 0 into CLOSED by compare-and-set. So a joiner and the last
 * leaver cannot both win: either the joiner was counted first and the fetch goes on, or the flight is closed and the
 * joiner starts another. A fetch that has begun goes on without waiters: what it brings will be wanted again.
 */
public final class Flight<R> {
    private static final int CLOSED = -1;
    private static final int BEGUN = 1 << 30;

    private final AtomicInteger state = new AtomicInteger();
    private final Set<Waiter<R>> waiters = ConcurrentHashMap.newKeySet();
    private volatile @Nullable Outcome<R> outcome;

    /** Hears the outcome, once, on whatever thread brings it. */
    @FunctionalInterface
    public interface Waiter<R> {
        void told(Outcome<R> outcome);
    }

    /** How a fetch ended. */
    public sealed interface Outcome<R> {}

    /** It brought this. */
    public record Brought<R>(R value) implements Outcome<R> {}

    /** It brought nothing. */
    public record Failed<R>(RonException why) implements Outcome<R> {}

    /** Adds a waiter, who will be told unless it leaves first; false if the flight is closed and another is needed. */
    public boolean join(Waiter<R> waiter) {
        if (!count()) {
            return false;
        }
        waiters.add(waiter);
        // Whoever lands sets the outcome before it looks at the waiters; we look at the outcome after we have joined
        // them. One of the two sees the other, and removing the waiter decides which of them tells it.
        Outcome<R> known = outcome;
        if (known != null && waiters.remove(waiter)) {
            waiter.told(known);
        }
        return true;
    }

    /** Has the fetch made even if nobody waits; false if the flight is closed. */
    public boolean pin() {
        return count();
    }

    private boolean count() {
        int now = state.get();
        while (now != CLOSED) {
            if (state.compareAndSet(now, now + 1)) {
                return true;
            }
            now = state.get();
        }
        return false;
    }

    /** Takes a waiter out; true if it was the last one and the fetch, not begun, will not be made. */
    public boolean leave(Waiter<R> waiter) {
        if (!waiters.remove(waiter)) {
            return false; // it has been told, or is being told now
        }
        int now = state.get();
        while (now != CLOSED) {
            if (state.compareAndSet(now, now - 1)) {
                return now - 1 == 0 && state.compareAndSet(0, CLOSED);
            }
            now = state.get();
        }
        return false;
    }

    /** A worker takes it on; false if nobody waits any more. */
    public boolean begin() {
        int now = state.get();
        while (now != CLOSED) {
            if (state.compareAndSet(now, now | BEGUN)) {
                return true;
            }
            now = state.get();
        }
        return false;
    }

    /** Ends it and tells everyone. */
    public void land(Outcome<R> how) {
        outcome = how;
        state.set(CLOSED);
        for (Waiter<R> waiter : List.copyOf(waiters)) {
            if (waiters.remove(waiter)) {
                waiter.told(how);
            }
        }
    }

    /** How many wait. */
    public int waiting() {
        return waiters.size();
    }
}
