package dev.ron.service.metrics;

import io.prometheus.metrics.model.registry.Collector;
import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot.HistogramDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.DoubleAdder;
import java.util.concurrent.atomic.LongAdder;

/**
 * A family of latencies: a histogram for every set of label values.
 *
 * <p>To record is two additions, to the bucket and to the sum; the library's own histogram keeps more, which costs an
 * answer from memory a twelfth of what the process does for it.
 */
final class Durations implements Collector {
    private final String name;
    private final String help;
    private final String[] labels;
    private final double[] bounds; // in seconds, the last without end
    private final long[] nanos; // the same, without the last
    private final Map<List<String>, Series> series = new ConcurrentHashMap<>();

    Durations(String name, String help, List<String> labels, double[] seconds) {
        this.name = name;
        this.help = help;
        this.labels = labels.toArray(String[]::new);
        this.bounds = Arrays.copyOf(seconds, seconds.length + 1);
        this.bounds[seconds.length] = Double.POSITIVE_INFINITY;
        this.nanos = Arrays.stream(seconds)
                .mapToLong(bound -> Math.round(bound * 1e9))
                .toArray();
    }

    /** The series of these label values; resolve it once and keep it. */
    Series of(String... values) {
        if (values.length != labels.length) {
            throw new IllegalArgumentException(
                    name + ": " + values.length + " label values (expected: " + labels.length + ")");
        }
        return series.computeIfAbsent(List.of(values), key -> new Series());
    }

    void remove(String... values) {
        series.remove(List.of(values));
    }

    /** What was recorded under one set of label values. */
    final class Series {
        private final LongAdder[] counts = new LongAdder[bounds.length];
        private final DoubleAdder sum = new DoubleAdder(); // in seconds: nanoseconds in a long end after some weeks

        private Series() {
            Arrays.setAll(counts, i -> new LongAdder());
        }

        void record(long duration) {
            int bucket = 0;
            while (bucket < nanos.length && duration > nanos[bucket]) {
                bucket++;
            }
            counts[bucket].increment();
            sum.add(duration / 1e9);
        }

        private HistogramDataPointSnapshot now(List<String> values) {
            long[] seen = Arrays.stream(counts).mapToLong(LongAdder::sum).toArray();
            HistogramDataPointSnapshot.Builder point = HistogramDataPointSnapshot.builder();
            point.labels(Labels.of(labels, values.toArray(String[]::new)));
            point.sum(sum.sum());
            return point.classicHistogramBuckets(ClassicHistogramBuckets.of(bounds, seen))
                    .build();
        }
    }

    @Override
    public MetricSnapshot collect() {
        HistogramSnapshot.Builder all = HistogramSnapshot.builder().name(name).help(help);
        series.forEach((values, one) -> all.dataPoint(one.now(values)));
        return all.build();
    }
}
