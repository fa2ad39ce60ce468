package dev.ron.kernel.channel;

/** What a subscription yields; a reader must say what it does about lag. */
public sealed interface Received<T> {

    /** The next event. */
    record Item<T>(long seq, T value) implements Received<T> {}

    /** So many events were overwritten before they were read; pull a snapshot. */
    record Lagged<T>(long missed) implements Received<T> {}

    /** The broadcast is closed and everything in it was read. */
    record Closed<T>() implements Received<T> {}
}
