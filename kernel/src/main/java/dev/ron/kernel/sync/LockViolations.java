package dev.ron.kernel.sync;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What became of breaches of the lock rules: thrown by default, counted with {@code -Dron.locks=count} as the launcher
 * sets it, so that a production process degrades into a metric and a log line instead of a failed request.
 */
public final class LockViolations {
    private static final boolean COUNT = "count".equals(System.getProperty("ron.locks"));
    private static final Logger LOG = LoggerFactory.getLogger(LockViolations.class);
    // Process-wide by nature: it reports on threads, not on a service.
    private static final Map<String, LongAdder> COUNTS = new ConcurrentHashMap<>();

    private LockViolations() {}

    /** A lock rule was broken. */
    public static final class Broken extends IllegalStateException {
        private static final long serialVersionUID = 1L;

        Broken(String what) {
            super(what);
        }
    }

    static void report(String kind, String lock, String point) {
        String what = kind + ": " + lock + " at " + point;
        if (!COUNT) {
            throw new Broken(what);
        }
        LongAdder counter = COUNTS.computeIfAbsent(what, key -> {
            LOG.error("lock rule broken: {}", key, new Broken(key));
            return new LongAdder();
        });
        counter.increment();
    }

    /** Breaches so far, by description; empty in a healthy process. */
    public static Map<String, Long> counts() {
        Map<String, Long> result = new TreeMap<>();
        COUNTS.forEach((what, n) -> result.put(what, n.sum()));
        return result;
    }
}
