package dev.ron.service.metrics;

import io.prometheus.metrics.model.registry.Collector;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;

/** A family whose values are asked for when somebody scrapes, so that nothing has to sample them. */
final class Pulled implements Collector {
    enum Kind {
        GAUGE,
        COUNTER
    }

    /** Says what it sees to the sink: label values after the service, and a number. */
    @FunctionalInterface
    interface Source {
        void read(BiConsumer<List<String>, Number> sink);
    }

    private final Kind kind;
    private final String name;
    private final String help;
    private final List<String> labels;
    private final Map<String, Source> sources = new ConcurrentHashMap<>();

    Pulled(Kind kind, String name, String help, List<String> labels) {
        this.kind = kind;
        this.name = name;
        this.help = help;
        this.labels = labels;
    }

    Kind kind() {
        return kind;
    }

    void add(String service, Source source) {
        if (sources.putIfAbsent(service, source) != null) {
            throw new IllegalStateException(service + " declares metric " + name + " twice");
        }
    }

    /** Adds to what the service says already; for breakdowns of which a service may have several. */
    void addMore(String service, Source source) {
        sources.merge(service, source, (a, b) -> sink -> {
            a.read(sink);
            b.read(sink);
        });
    }

    @Override
    public MetricSnapshot collect() {
        GaugeSnapshot.Builder gauges = GaugeSnapshot.builder().name(name).help(help);
        CounterSnapshot.Builder counters =
                CounterSnapshot.builder().name(stem()).help(help);
        sources.forEach((service, source) -> source.read((values, number) -> {
            String[] all = new String[labels.size()];
            all[0] = service;
            for (int i = 0; i < values.size(); i++) {
                all[i + 1] = values.get(i);
            }
            Labels at = Labels.of(labels.toArray(String[]::new), all);
            if (kind == Kind.GAUGE) {
                gauges.dataPoint(GaugeDataPointSnapshot.builder()
                        .labels(at)
                        .value(number.doubleValue())
                        .build());
            } else {
                counters.dataPoint(CounterDataPointSnapshot.builder()
                        .labels(at)
                        .value(number.doubleValue())
                        .build());
            }
        }));
        return kind == Kind.GAUGE ? gauges.build() : counters.build();
    }

    /** The library writes the suffix of a counter itself. */
    private String stem() {
        return name.endsWith("_total") ? name.substring(0, name.length() - "_total".length()) : name;
    }
}
