package dev.ron.kernel.channel;

import dev.ron.kernel.sync.Waiters;
import dev.ron.kernel.time.Deadline;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** One slot: readers may skip middle values and never miss the newest. */
public final class Watch<T> {
    private final AtomicReference<Versioned<T>> slot;
    private final Waiters readers = new Waiters();
    private volatile boolean closed;

    /** A value and its place in the order of all values of this watch; the first has version 1. */
    public record Versioned<T>(T value, long version) {}

    /** The one handle that changes the value. */
    public static final class Writer<T> implements AutoCloseable {
        private final Watch<T> watch;

        private Writer(T initial) {
            this.watch = new Watch<>(initial);
        }

        public long set(T value) {
            long version = watch.slot
                    .updateAndGet(old -> new Versioned<>(value, old.version() + 1))
                    .version();
            watch.readers.signalAll();
            return version;
        }

        public Watch<T> watch() {
            return watch;
        }

        /** No newer value will come: waiting readers return. */
        @Override
        public void close() {
            watch.closed = true;
            watch.readers.signalAll();
        }
    }

    private Watch(T initial) {
        this.slot = new AtomicReference<>(new Versioned<>(initial, 1));
    }

    public static <T> Writer<T> of(T initial) {
        return new Writer<>(initial);
    }

    public Versioned<T> current() {
        return slot.get();
    }

    public T value() {
        return slot.get().value();
    }

    /** True once no newer value will come. */
    public boolean closed() {
        return closed;
    }

    /** Waits for a version after {@code seen}; empty when the deadline passes or the watch is closed without one. */
    public Optional<Versioned<T>> awaitNewerThan(long seen, Deadline deadline) {
        Versioned<T> newest = readers.await("watch", deadline, () -> poll(seen));
        return newest == null || newest.version() <= seen ? Optional.empty() : Optional.of(newest);
    }

    /** The newest value when it is news, or when no other will come; null when one must wait. */
    private @Nullable Versioned<T> poll(long seen) {
        boolean last = closed;
        Versioned<T> now = slot.get();
        return last || now.version() > seen ? now : null;
    }
}
