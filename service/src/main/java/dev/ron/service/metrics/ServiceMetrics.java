package dev.ron.service.metrics;

import dev.ron.kernel.meter.Meter;
import io.prometheus.metrics.core.metrics.Counter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/** The metrics of one service: every family gets the label {@code service}, and the prefix if its seed has one. */
public final class ServiceMetrics implements Meter {
    // What a console reads of every node alike; a prefix would hide it.
    private static final Set<String> SHARED = Set.of(
            "http_requests_total",
            "request_latency_seconds",
            "inflight_requests",
            "bytes_in_total",
            "bytes_out_total",
            "queue_depth",
            "queue_depth_peak",
            "tasks_live",
            "inflight",
            "ready_state",
            "ready_dependency_unmet",
            "readyz_fail_total",
            "service_info",
            "amnesia_mode");

    private final Metrics metrics;
    private final String service;
    private final String prefix;

    ServiceMetrics(Metrics metrics, String service, String prefix) {
        this.metrics = metrics;
        this.service = service;
        this.prefix = prefix;
    }

    public String service() {
        return service;
    }

    /** A counter with labels; resolve each set of values once and keep the handle. */
    public Counters counters(String family, String help, String... labels) {
        Counter counter = metrics.counter(named(family), help, withService(labels));
        return values -> {
            var child = counter.labelValues(withValues(values));
            return child::inc;
        };
    }

    /** A histogram of seconds with labels; resolve each set of values once and keep the handle. */
    public Timings timings(String family, String help, String... labels) {
        Durations durations = metrics.durations(named(family), help, withService(labels));
        return values -> durations.of(withValues(values))::record;
    }

    /** A gauge read at scrape. */
    public void gauge(String family, String help, Supplier<? extends Number> value) {
        pulled(Pulled.Kind.GAUGE, family, help).add(service, sink -> sink.accept(List.of(), value.get()));
    }

    /** A gauge with one label read at scrape, one series per entry. */
    public void gauges(
            String family, String help, String label, Supplier<? extends Map<String, ? extends Number>> values) {
        pulled(Pulled.Kind.GAUGE, family, help, label)
                .add(service, sink -> values.get().forEach((v, n) -> sink.accept(List.of(v), n)));
    }

    /** A gauge with several labels read at scrape; the keys are the label values in order. */
    public void gaugesBy(
            String family,
            String help,
            List<String> labels,
            Supplier<? extends Map<List<String>, ? extends Number>> values) {
        pulled(Pulled.Kind.GAUGE, family, help, labels.toArray(String[]::new))
                .add(service, sink -> values.get().forEach(sink));
    }

    /** A count that something else keeps, read at scrape; the keys are the label values in order. */
    public void counts(
            String family,
            String help,
            List<String> labels,
            Supplier<? extends Map<List<String>, ? extends Number>> values) {
        pulled(Pulled.Kind.COUNTER, family, help, labels.toArray(String[]::new))
                .add(service, sink -> values.get().forEach(sink));
    }

    /** A breakdown of this service's work by tenant, route or the like: at most {@code limit} names and {@code other}. */
    public Facets facets(String kind, int limit) {
        return new Facets(this, kind, limit);
    }

    void facetGauges(Facets facets) {
        metrics.pulled(Pulled.Kind.GAUGE, "ron_facet_inflight", "Work in hand by a named slice.", withService("facet"))
                .addMore(service, sink -> facets.inflight().forEach(sink));
    }

    @Override
    public Count counter(String family, String label, String value) {
        return label.isEmpty()
                ? counters(family, KernelHelp.of(family)).with()
                : counters(family, KernelHelp.of(family), label).with(value);
    }

    @Override
    public Timing timing(String family, String label, String value) {
        return label.isEmpty()
                ? timings(family, KernelHelp.of(family)).with()
                : timings(family, KernelHelp.of(family), label).with(value);
    }

    /** What a counter of one label has reached; for documents that show it beside other facts. */
    public long count(String family, String label, String value) {
        return metrics.counter(named(family), KernelHelp.of(family), withService(label))
                .labelValues(withValues(value))
                .getLongValue();
    }

    Counter rawCounter(String family, String help, String... labels) {
        return metrics.counter(family, help, withService(labels));
    }

    Durations rawDurations(String family, String help, String... labels) {
        return metrics.durations(family, help, withService(labels));
    }

    private Pulled pulled(Pulled.Kind kind, String family, String help, String... labels) {
        return metrics.pulled(kind, named(family), help, withService(labels));
    }

    private String named(String family) {
        return SHARED.contains(family) || family.startsWith(prefix) ? family : prefix + family;
    }

    private static List<String> withService(String... labels) {
        List<String> all = new ArrayList<>();
        all.add("service");
        all.addAll(Arrays.asList(labels));
        return all;
    }

    String[] withValues(String... values) {
        String[] all = new String[values.length + 1];
        all[0] = service;
        System.arraycopy(values, 0, all, 1, values.length);
        return all;
    }

    /** A counter family waiting for its label values. */
    @FunctionalInterface
    public interface Counters {
        Count with(String... values);
    }

    /** A histogram family waiting for its label values. */
    @FunctionalInterface
    public interface Timings {
        Timing with(String... values);
    }
}
