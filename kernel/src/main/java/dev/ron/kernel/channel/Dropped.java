package dev.ron.kernel.channel;

/** Is told of every accepted item that no receiver will handle, exactly once, so that it can be answered. */
public interface Dropped<T> {

    void dropped(T item, Cause cause);

    /** Why it will not be handled. */
    enum Cause {
        /** A newer item took its place. */
        EVICTED,
        /** Its sender's deadline passed while it waited. */
        EXPIRED,
        /** The service is stopping. */
        DRAINED
    }
}
