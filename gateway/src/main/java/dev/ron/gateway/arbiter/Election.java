package dev.ron.gateway.arbiter;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Elects the one thread that runs the scheduler, and loses no news.
 *
 * <p>Whoever has news counts it in. The one that counts from zero leads, and may stop leading only by counting out
 * exactly what it had seen before its last look: news that came during that look keeps the count above zero, and it
 * looks again.
 */
public final class Election {
    private static final VarHandle NEWS;

    static {
        try {
            NEWS = MethodHandles.lookup().findVarHandle(Election.class, "news", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private volatile int news;

    /** Counts news in; true for the one who leads now. */
    public boolean raise() {
        return (int) NEWS.getAndAdd(this, 1) == 0;
    }

    /** The news so far; for the leader, before it looks. */
    public int seen() {
        return news;
    }

    /** Counts out what was seen before the look; true when that was all, and the caller leads no longer. */
    public boolean resign(int seen) {
        return (int) NEWS.getAndAdd(this, -seen) == seen;
    }
}
