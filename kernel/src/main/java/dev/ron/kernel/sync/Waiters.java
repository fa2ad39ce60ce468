package dev.ron.kernel.sync;

import dev.ron.kernel.error.Canceled;
import dev.ron.kernel.time.Deadline;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Threads that wait for an attempt to succeed; whoever may have made it succeed signals.
 *
 * <p>No wake-up is lost because a waiter tries again after it has registered, and because a waiter that was signalled
 * but leaves for another reason passes the signal on. A signal carries nothing: every woken thread tries again.
 */
public final class Waiters {
    private static final AtomicReferenceFieldUpdater<Waiters, @Nullable Line> LINE =
            AtomicReferenceFieldUpdater.newUpdater(Waiters.class, Line.class, "line");

    // Made by the first thread that has to wait: most replies and tasks never see one.
    private volatile @Nullable Line line;

    /** Open until one side, the signaller or the leaving thread, claims it. */
    private static final class Waiter extends AtomicBoolean {
        private static final long serialVersionUID = 1L;
        private final transient Thread thread = Thread.currentThread();
        private final long ticket;

        Waiter(long ticket) {
            this.ticket = ticket;
        }

        boolean claim() {
            return compareAndSet(false, true);
        }

        boolean claimed() {
            return get();
        }
    }

    /** Who waits, oldest first. */
    private static final class Line {
        private static final int SWEEP = 32;
        final ConcurrentLinkedQueue<Waiter> queue = new ConcurrentLinkedQueue<>();
        final AtomicLong tickets = new AtomicLong();
        final AtomicInteger left = new AtomicInteger();
        private volatile int sweepAt = SWEEP;

        Waiter join() {
            Waiter self = new Waiter(tickets.getAndIncrement());
            queue.add(self);
            return self;
        }

        // Those who leave by themselves are swept together, after as many as the line was long: searching the line for
        // each would make a thousand time-outs a million steps.
        void gone() {
            if (left.incrementAndGet() == sweepAt) {
                queue.removeIf(Waiter::claimed);
                sweepAt = Math.max(SWEEP, queue.size());
                left.set(0);
            }
        }
    }

    /**
     * Repeats the attempt until it gives a value, or the deadline passes (then null). An interrupt ends it with
     * {@link Canceled}, having taken nothing.
     */
    public <R> @Nullable R await(String point, Deadline deadline, Supplier<? extends @Nullable R> attempt) {
        Blocking.enter(point);
        R result = attempt.get();
        while (result == null) {
            Waiter self = line().join();
            result = attempt.get();
            while (result == null && !self.claimed()) {
                if (Thread.currentThread().isInterrupted()) {
                    leave(self);
                    throw new Canceled(point);
                }
                if (deadline.expired()) {
                    leave(self);
                    return attempt.get();
                }
                deadline.clock().park(this, deadline.atNanos());
            }
            if (result != null) {
                leave(self);
            } else {
                result = attempt.get();
            }
        }
        return result;
    }

    private Line line() {
        Line now = line;
        while (now == null) {
            LINE.compareAndSet(this, null, new Line());
            now = line;
        }
        return now;
    }

    private void leave(Waiter self) {
        if (self.claim()) {
            line().gone();
        } else {
            signal();
        }
    }

    /** Wakes one waiting thread, if there is one. */
    public void signal() {
        Line now = line;
        if (now == null) {
            return;
        }
        for (Waiter waiter = now.queue.poll(); waiter != null; waiter = now.queue.poll()) {
            if (waiter.claim()) {
                LockSupport.unpark(waiter.thread);
                return;
            }
        }
    }

    /** Wakes every thread that waits now. */
    public void signalAll() {
        Line now = line;
        if (now == null) {
            return;
        }
        // Who joined before this line is ahead of everyone with a later ticket. Without the limit, threads that wake
        // and
        // wait again could keep the signaller here for ever.
        long limit = now.tickets.get();
        for (Waiter waiter = now.queue.poll(); waiter != null; waiter = now.queue.poll()) {
            if (waiter.claim()) {
                LockSupport.unpark(waiter.thread);
            }
            if (waiter.ticket >= limit) {
                return;
            }
        }
    }
}
