package dev.ron.kernel.sync;

/** The check at the door of every kernel call that may wait. */
public final class Blocking {
    private Blocking() {}

    /** A wait was tried on a thread that must never wait. */
    public static final class Refused extends IllegalStateException {
        private static final long serialVersionUID = 1L;

        Refused(String point, Thread thread) {
            super(point + " may wait and must not run on event loop " + thread.getName());
        }
    }

    /** Refuses event loops always, and callers that hold a {@link Guarded} lock (see {@link LockViolations}). */
    public static void enter(String point) {
        Thread thread = Thread.currentThread();
        if (thread instanceof NonBlockingThread) {
            throw new Refused(point, thread);
        }
        Held held = Held.current();
        if (!held.none()) {
            LockViolations.report("lock held while blocking", held.innermost().name(), point);
        }
    }
}
