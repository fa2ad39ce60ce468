package dev.ron.kernel.call;

import dev.ron.kernel.error.Code;
import dev.ron.kernel.error.RonException;
import dev.ron.kernel.sync.Waiters;
import dev.ron.kernel.time.Deadline;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The place for exactly one answer: the first of {@link #complete} and {@link #fail} wins, the rest change nothing. */
public final class Reply<R> {
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

    /** Waits for the answer; a deadline that passes first is itself the answer, so that a late worker learns of it. */
    public R await(Deadline deadline) {
        Outcome<R> result = waiters.await("reply", deadline, outcome::get);
        if (result == null) {
            fail(new RonException(Code.TIMEOUT, "timeout", "no answer before the deadline"));
            result = outcome.get();
        }
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

    // Both the answering and the listening side come here when they race; who takes the listener out calls it.
    private void tell(Outcome<R> result) {
        Consumer<Outcome<R>> then = listener.getAndSet(null);
        if (then != null) {
            then.accept(result);
        }
    }
}
