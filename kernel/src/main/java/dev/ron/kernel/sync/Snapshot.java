package dev.ron.kernel.sync;

/** An immutable value that one writer replaces whole and anyone reads without waiting. */
public final class Snapshot<T> {
    // Volatile: a reader that sees the reference sees everything the writer did before publishing it.
    private volatile T value;

    public Snapshot(T initial) {
        this.value = initial;
    }

    public T get() {
        return value;
    }

    public void publish(T next) {
        this.value = next;
    }
}
