package dev.ron.kernel.task;

import java.lang.ref.Cleaner;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Notices objects that were collected without having been closed; it reports, it never closes for them. */
public final class CloseWatch {
    private static final Logger LOG = LoggerFactory.getLogger(CloseWatch.class);
    private static final Cleaner CLEANER = Cleaner.create();
    // Process-wide by nature, like the collector that feeds it.
    private static final AtomicLong FORGOTTEN = new AtomicLong();

    private CloseWatch() {}

    /** Whoever is watched tells it of its close. */
    public static final class Handle {
        private final State state;
        private final Cleaner.Cleanable cleanable;

        private Handle(State state, Cleaner.Cleanable cleanable) {
            this.state = state;
            this.cleanable = cleanable;
        }

        /** Says that the owner was closed; true the first time. */
        public boolean closed() {
            boolean first = state.closed.compareAndSet(false, true);
            cleanable.clean();
            return first;
        }
    }

    private record State(String what, AtomicBoolean closed) implements Runnable {
        @Override
        public void run() {
            if (!closed.get()) {
                FORGOTTEN.incrementAndGet();
                LOG.error("forgotten close: {}", what);
            }
        }
    }

    public static Handle watch(Object owner, String what) {
        State state = new State(what, new AtomicBoolean());
        return new Handle(state, CLEANER.register(owner, state));
    }

    /** What the counter {@code forgotten_close_total} shows. */
    public static long forgotten() {
        return FORGOTTEN.get();
    }
}
