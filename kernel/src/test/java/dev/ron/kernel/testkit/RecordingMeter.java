package dev.ron.kernel.testkit;

import dev.ron.kernel.meter.Meter;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** Remembers what was counted, by family and label value. */
public final class RecordingMeter implements Meter {
    private final Map<String, LongAdder> counts = new ConcurrentHashMap<>();
    private final Map<String, LongAdder> timings = new ConcurrentHashMap<>();

    @Override
    public Count counter(String family, String label, String value) {
        LongAdder sum = counts.computeIfAbsent(key(family, label, value), key -> new LongAdder());
        return sum::add;
    }

    @Override
    public Timing timing(String family, String label, String value) {
        LongAdder times = timings.computeIfAbsent(key(family, label, value), key -> new LongAdder());
        return nanos -> times.increment();
    }

    public long count(String family, String label, String value) {
        return sum(counts, key(family, label, value));
    }

    public long count(String family) {
        return count(family, "", "");
    }

    /** How often a duration was recorded. */
    public long timed(String family, String label, String value) {
        return sum(timings, key(family, label, value));
    }

    /** Every counter that was resolved, as {@code family{label="value"}}. */
    public Map<String, Long> counts() {
        Map<String, Long> result = new TreeMap<>();
        counts.forEach((key, n) -> result.put(key, n.sum()));
        return result;
    }

    private static long sum(Map<String, LongAdder> from, String key) {
        LongAdder found = from.get(key);
        return found == null ? 0 : found.sum();
    }

    private static String key(String family, String label, String value) {
        return label.isEmpty() ? family : family + "{" + label + "=\"" + value + "\"}";
    }
}
