package dev.ron.kernel.call;

import dev.ron.kernel.error.Canceled;
import dev.ron.kernel.error.Code;
import dev.ron.kernel.error.RonException;
import dev.ron.kernel.sync.Waiters;
import dev.ron.kernel.time.Deadline;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The place for exactly one answer: the first of {@link #complete} and {@link #fail} wins, the rest change nothing. */
public final class Reply<R> {
    private static final Logger LOG = LoggerFactory.getLogger(Reply.class);
    private static final Consumer<Object> TOLD = outcome -> {};

    private final AtomicReference<@Nullable Outcome<R>> outcome = new AtomicReference<>();
    private final AtomicReference<@Nullable Consumer<Outcome<R>>> listener = new AtomicReference<>();
    private final Waiters waiters = new Waiters();

    /** An answer: a value or a failure. */
    public sealed interface Outcome<R> {}

    /** The question was answered. */
    public record Done<R>(R value) implements Outcome<R> {}

    /** The question was refused, or whoever had it could not answer. */
    public record Failed<R>(RonException failure) implements Outcome<R> {}

    public boolean complete(R value) {
        return settle(new Done<>(value));
    }

    public boolean fail(RonException failure) {
        return settle(new Failed<>(failure));
    }

    private boolean settle(Outcome<R> result) {
        if (!outcome.compareAndSet(null, result)) {
            return false;
        }
        waiters.signalAll();
        tell(result);
        return true;
    }

    public boolean answered() {
        return outcome.get() != null;
    }

    /**
     * Waits for the answer; a deadline or an interrupt that comes first is itself the answer, so that a late worker learns
     * of it.
     */
    public R await(Deadline deadline) {
        Outcome<R> result;
        try {
            result = waiters.await("reply", deadline, outcome::get);
        } catch (Canceled canceled) {
            fail(canceled);
            throw canceled;
        }
        if (result == null) {
            fail(late());
            result = outcome.get();
        }
        return value(result);
    }

    /** Waits as one of several: a deadline or an interrupt that comes first ends this wait and no other. */
    public R share(Deadline deadline) {
        Outcome<R> result = waiters.await("shared reply", deadline, outcome::get);
        if (result == null) {
            throw late();
        }
        return value(result);
    }

    private static RonException late() {
        return new RonException(Code.TIMEOUT, "timeout", "no answer before the deadline");
    }

    private static <R> R value(@Nullable Outcome<R> result) {
        return switch (result) {
            case Done<R>(R value) -> value;
            case Failed<R>(RonException failure) -> throw failure;
            case null -> throw new IllegalStateException("a settled reply has an outcome");
        };
    }

    /** Calls the listener with the answer, at once or on the answering thread; for callers that must not wait. */
    public void whenAnswered(Consumer<Outcome<R>> then) {
        if (!listener.compareAndSet(null, then)) {
            throw new IllegalStateException("a reply has one listener");
        }
        Outcome<R> result = outcome.get();
        if (result != null) {
            tell(result);
        }
    }

    // Both the answering and the listening side come here when they race; who takes the listener out calls it, the
    // other finds one that does nothing.
    private void tell(Outcome<R> result) {
        Consumer<Outcome<R>> then = listener.get() == null ? null : listener.getAndSet(told());
        if (then != null) {
            try {
                then.accept(result);
            } catch (RuntimeException e) {
                // The listener's fault is not the worker's: its answer was given.
                LOG.error("a listener failed on its answer", e);
            }
        }
    }

    @SuppressWarnings("unchecked") // it takes any outcome, and none ever comes
    private Consumer<Outcome<R>> told() {
        return (Consumer<Outcome<R>>) (Consumer<?>) TOLD;
    }
}
