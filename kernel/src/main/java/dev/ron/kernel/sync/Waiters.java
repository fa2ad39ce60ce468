package dev.ron.kernel.sync;

import dev.ron.kernel.error.Canceled;
import dev.ron.kernel.time.Deadline;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
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
    // A hand-over between two busy threads is far shorter than a park and an unpark.
    private static final int SPINS = Runtime.getRuntime().availableProcessors() > 1 ? 64 : 0;

    private final ConcurrentLinkedQueue<Waiter> queue = new ConcurrentLinkedQueue<>();

    /** Open until one side, the signaller or the leaving thread, claims it. */
    private static final class Waiter extends AtomicBoolean {
        private static final long serialVersionUID = 1L;
        private final transient Thread thread = Thread.currentThread();

        boolean claim() {
            return compareAndSet(false, true);
        }

        boolean signalled() {
            return get();
        }
    }

    /**
     * Repeats the attempt until it gives a value, or the deadline passes (then null). An interrupt ends it with
     * {@link Canceled}, having taken nothing.
     */
    public <R> @Nullable R await(String point, Deadline deadline, Supplier<? extends @Nullable R> attempt) {
        Blocking.enter(point);
        R result = attempt.get();
        for (int i = 0; result == null && i < SPINS; i++) {
            Thread.onSpinWait();
            result = attempt.get();
        }
        while (result == null) {
            Waiter self = new Waiter();
            queue.add(self);
            result = attempt.get();
            while (result == null && !self.signalled()) {
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

    private void leave(Waiter self) {
        if (self.claim()) {
            queue.remove(self);
        } else {
            signal();
        }
    }

    /** Wakes one waiting thread, if there is one. */
    public void signal() {
        for (Waiter waiter = queue.poll(); waiter != null; waiter = queue.poll()) {
            if (waiter.claim()) {
                LockSupport.unpark(waiter.thread);
                return;
            }
        }
    }

    /** Wakes every waiting thread. */
    public void signalAll() {
        for (Waiter waiter = queue.poll(); waiter != null; waiter = queue.poll()) {
            if (waiter.claim()) {
                LockSupport.unpark(waiter.thread);
            }
        }
    }
}
