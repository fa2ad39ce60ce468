package dev.ron.http.testing;

import dev.ron.kernel.meter.Meter;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** A meter that a test can read. */
public final class Counted implements Meter {
    private final Map<String, LongAdder> counts = new ConcurrentHashMap<>();

    @Override
    public Count counter(String family, String label, String value) {
        LongAdder adder = counts.computeIfAbsent(key(family, value), key -> new LongAdder());
        return adder::add;
    }

    @Override
    public Timing timing(String family, String label, String value) {
        return nanos -> {};
    }

    public long of(String family, String value) {
        LongAdder adder = counts.get(key(family, value));
        return adder == null ? 0 : adder.sum();
    }

    /** The sum of a family over all its labels. */
    public long all(String family) {
        return counts.entrySet().stream()
                .filter(entry -> entry.getKey().startsWith(family + "/"))
                .mapToLong(entry -> entry.getValue().sum())
                .sum();
    }

    private static String key(String family, String value) {
        return family + "/" + value;
    }
}
