package dev.ron.http.server;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

/** Counts the connections that were accepted and have not asked anything yet. */
final class Newcomers {
    private final AtomicInteger silent = new AtomicInteger();
    private volatile long last; // came then, in the network's time, not the host's clock

    void accepted() {
        last = System.nanoTime();
        silent.incrementAndGet();
    }

    /** One of them has asked, or has gone; true if it was the last. */
    boolean known() {
        return silent.decrementAndGet() == 0;
    }

    /** How long who came last may still take to ask; not positive where nobody is waited for. */
    long patienceNanos(Duration each) {
        return silent.get() == 0 ? 0 : each.toNanos() - (System.nanoTime() - last);
    }
}
