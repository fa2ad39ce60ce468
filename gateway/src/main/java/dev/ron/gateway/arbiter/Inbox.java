package dev.ron.gateway.arbiter;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * Jobs on their way to the scheduler: many put, one takes all.
 *
 * <p>Bounded without a bound of its own: only a job with a place in the word is put, and only once. The links are in the
 * jobs; taking all at once leaves no room for ABA, and no half-done put can hide a finished one.
 */
final class Inbox {
    private static final VarHandle NEWEST;

    static {
        try {
            NEWEST = MethodHandles.lookup().findVarHandle(Inbox.class, "newest", Job.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private volatile @Nullable Job newest;

    void put(Job job) {
        while (true) {
            Job seen = newest;
            job.nextInLine = seen;
            if (NEWEST.compareAndSet(this, seen, job)) {
                return;
            }
        }
    }

    /** All that was put, linked oldest first. */
    @Nullable
    Job takeAll() {
        if (newest == null) {
            return null;
        }
        Job newestFirst = (Job) NEWEST.getAndSet(this, null);
        Job oldestFirst = null;
        while (newestFirst != null) {
            Job next = newestFirst.nextInLine;
            newestFirst.nextInLine = oldestFirst;
            oldestFirst = newestFirst;
            newestFirst = next;
        }
        return oldestFirst;
    }
}
