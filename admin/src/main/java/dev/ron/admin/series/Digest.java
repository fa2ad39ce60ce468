package dev.ron.admin.series;

import dev.ron.admin.series.Column.Kind;
import dev.ron.admin.view.FacetMetrics;
import dev.ron.admin.view.MetricsSummary;
import dev.ron.admin.view.Points;
import dev.ron.admin.view.SeriesView;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Turns a ring into the numbers that are shown; what cannot be computed is null. */
public final class Digest {
    private static final int TOP_ROUTES = 10;
    private static final int SPARK = 60;

    private final NodeSeries ring;
    private final int[] order;

    private Digest(NodeSeries ring) {
        this.ring = ring;
        this.order = ring.order();
    }

    /** The numbers of a ring; called by its sampler, which alone changes it. */
    public static Numbers of(String nodeId, NodeSeries ring) {
        return new Digest(ring).numbers(nodeId);
    }

    private Numbers numbers(String nodeId) {
        Map<String, Traffic> services = new TreeMap<>();
        Map<List<String>, Traffic> routes = new HashMap<>();
        Traffic all = new Traffic(order.length);
        List<MetricsSummary.RejectLine> rejects = new ArrayList<>();
        Map<List<String>, Column> depths = new LinkedHashMap<>();
        Map<List<String>, Column> drops = new HashMap<>();
        Map<String, Double> panel = new TreeMap<>();
        Sum rejected = new Sum();
        Sum busy = new Sum();
        Sum inflight = new Sum();
        Map<String, Sum> inflightBy = new HashMap<>();
        double[] inflightPoints = nan(order.length);
        for (Column column : ring.columns().scalars().values()) {
            SeriesName name = column.name();
            String service = name.value("service");
            switch (name.family()) {
                case Wanted.REQUESTS -> {
                    if (name.labels().contains("route")) {
                        routes.computeIfAbsent(name.values(), k -> new Traffic(0)).all = ring.rate(column);
                    } else {
                        boolean failed = name.value("status").equals("5xx");
                        all.add(column, failed);
                        services.computeIfAbsent(service, k -> new Traffic(order.length))
                                .add(column, failed);
                    }
                }
                case Columns.ERRORS ->
                    routes.computeIfAbsent(name.values(), k -> new Traffic(0)).failed = ring.rate(column);
                case Wanted.INFLIGHT -> {
                    inflight.add(ring.last(column));
                    inflightBy.computeIfAbsent(service, k -> new Sum()).add(ring.last(column));
                    addPoints(inflightPoints, ring.points(column, order));
                }
                case "rejected_total", "rejects_total", "svc_admin_rejected_total", "edge_rejects_total" -> {
                    double rate = ring.rate(column);
                    rejected.add(rate);
                    rejects.add(new MetricsSummary.RejectLine(service, name.value("reason"), orNull(rate)));
                }
                case "busy_rejections_total", "svc_admin_busy_rejections_total" -> busy.add(ring.rate(column));
                case "queue_depth" -> depths.put(name.values(), column);
                case "queue_dropped_total", "svc_admin_queue_dropped_total" -> drops.put(name.values(), column);
                default -> {
                    double value = column.kind() == Kind.COUNTER ? ring.rate(column) : ring.last(column);
                    if (!Double.isNaN(value)) {
                        panel.put(name.key(), value);
                    }
                }
            }
        }
        for (HistogramColumn column : ring.columns().histograms().values()) {
            if (!column.name().family().equals(Wanted.LATENCY)
                    && column.name().value("facet").isEmpty()) {
                double[] q = column.quantiles(order, 0.95, 0.99);
                putKnown(panel, column.name().key() + ":p95", q[0]);
                putKnown(panel, column.name().key() + ":p99", q[1]);
            }
        }
        double[] latency = quantiles(new SeriesName(Wanted.LATENCY, List.of(), List.of()));
        return new Numbers(
                new MetricsSummary.Totals(
                        orNull(all.rate()),
                        orNull(all.errorRate()),
                        millis(latency[0]),
                        millis(latency[1]),
                        millis(latency[2]),
                        inflight.orNull(),
                        rejected.orNull(),
                        busy.orNull()),
                serviceLines(services, inflightBy),
                routeLines(routes),
                rejects,
                queueLines(depths, drops),
                golden(nodeId, all, inflightPoints),
                facets(),
                panel,
                ring.resetCount(),
                ring.tracked(),
                ring.dropped(),
                ring.bytes());
    }

    private static void putKnown(Map<String, Double> panel, String key, double value) {
        if (!Double.isNaN(value)) {
            panel.put(key, value);
        }
    }

    /** Requests and failures, over the window and step by step. */
    private final class Traffic {
        private final double[] steps;
        private final double[] failures;
        private double all = Double.NaN;
        private double failed = Double.NaN;

        Traffic(int length) {
            steps = nan(length);
            failures = nan(length);
        }

        void add(Column column, boolean failure) {
            double[] increases = new double[order.length];
            for (int i = 0; i < order.length; i++) {
                increases[i] = Double.isNaN(ring.coveredSeconds(order[i])) ? Double.NaN : column.at(order[i]);
            }
            addPoints(steps, increases);
            if (failure) {
                addPoints(failures, increases);
            }
        }

        private double sum(double[] values) {
            double sum = Double.NaN;
            for (double value : values) {
                sum = Double.isNaN(value) ? sum : Double.isNaN(sum) ? value : sum + value;
            }
            return sum;
        }

        double rate() {
            double seconds = 0;
            for (int i = 0; i < steps.length; i++) {
                seconds += Double.isNaN(steps[i]) ? 0 : ring.coveredSeconds(order[i]);
            }
            return seconds > 0 ? sum(steps) / seconds : Double.NaN;
        }

        /** Without a request there is no share of failures, neither good nor bad. */
        double errorRate() {
            double requests = sum(steps);
            double bad = sum(failures);
            return requests > 0 ? (Double.isNaN(bad) ? 0 : bad / requests) : Double.NaN;
        }
    }

    private List<MetricsSummary.ServiceLine> serviceLines(Map<String, Traffic> services, Map<String, Sum> inflight) {
        List<MetricsSummary.ServiceLine> lines = new ArrayList<>();
        services.forEach((service, traffic) -> {
            double[] q = quantiles(new SeriesName(Wanted.LATENCY, List.of("service"), List.of(service)));
            lines.add(new MetricsSummary.ServiceLine(
                    service,
                    orNull(traffic.rate()),
                    orNull(traffic.errorRate()),
                    millis(q[0]),
                    millis(q[1]),
                    millis(q[2]),
                    inflight.getOrDefault(service, new Sum()).orNull()));
        });
        return lines;
    }

    private List<MetricsSummary.RouteLine> routeLines(Map<List<String>, Traffic> routes) {
        return routes.entrySet().stream()
                .filter(route -> route.getValue().all > 0)
                .sorted(Comparator.comparingDouble(route -> -route.getValue().all))
                .limit(TOP_ROUTES)
                .map(route -> {
                    Traffic traffic = route.getValue();
                    double failed = Double.isNaN(traffic.failed) ? 0 : traffic.failed;
                    double[] q = quantiles(new SeriesName(Wanted.LATENCY, List.of("service", "route"), route.getKey()));
                    return new MetricsSummary.RouteLine(
                            route.getKey().get(0),
                            route.getKey().get(1),
                            orNull(traffic.all),
                            orNull(failed / traffic.all),
                            millis(q[1]));
                })
                .toList();
    }

    private List<MetricsSummary.QueueLine> queueLines(
            Map<List<String>, Column> depths, Map<List<String>, Column> drops) {
        List<MetricsSummary.QueueLine> lines = new ArrayList<>();
        depths.forEach((labels, depth) -> {
            Column dropped = drops.get(labels);
            lines.add(new MetricsSummary.QueueLine(
                    depth.name().value("service"),
                    depth.name().value("queue"),
                    orNull(ring.last(depth)),
                    orNull(ring.max(depth)),
                    dropped == null ? null : orNull(ring.rate(dropped))));
        });
        return lines;
    }

    private SeriesView golden(String nodeId, Traffic all, double[] inflight) {
        double[] rps = new double[order.length];
        double[] errors = new double[order.length];
        for (int i = 0; i < order.length; i++) {
            rps[i] = all.steps[i] / ring.coveredSeconds(order[i]);
            double failed = Double.isNaN(all.failures[i]) ? 0 : all.failures[i];
            errors[i] = all.steps[i] > 0 ? failed / all.steps[i] : Double.NaN;
        }
        HistogramColumn latency = ring.columns().histograms().get(new SeriesName(Wanted.LATENCY, List.of(), List.of()));
        double[] p50 = nan(order.length);
        double[] p95 = nan(order.length);
        double[] p99 = nan(order.length);
        for (int i = 0; latency != null && i < order.length; i++) {
            double[] q = latency.quantiles(new int[] {order[i]}, 0.5, 0.95, 0.99);
            p50[i] = q[0] * 1000;
            p95[i] = q[1] * 1000;
            p99[i] = q[2] * 1000;
        }
        Map<String, Points> cols = new LinkedHashMap<>();
        cols.put("rps", new Points(rps));
        cols.put("errorRate", new Points(errors));
        cols.put("p50Ms", new Points(p50));
        cols.put("p95Ms", new Points(p95));
        cols.put("p99Ms", new Points(p99));
        cols.put("inflight", new Points(inflight));
        return new SeriesView(nodeId, ring.times(order), cols, List.of());
    }

    private List<FacetMetrics.Facet> facets() {
        List<FacetMetrics.Facet> lines = new ArrayList<>();
        for (String facet : ring.columns().facets()) {
            Traffic traffic = new Traffic(order.length);
            Sum inflight = new Sum();
            for (Column column : ring.columns().scalars().values()) {
                if (column.name().value("facet").equals(facet)) {
                    if (column.kind() == Kind.COUNTER) {
                        traffic.add(column, column.name().value("result").equals("error"));
                    } else if (column.name().family().endsWith("inflight")) {
                        inflight.add(ring.last(column));
                    }
                }
            }
            double[] q = {Double.NaN, Double.NaN, Double.NaN};
            for (HistogramColumn column : ring.columns().histograms().values()) {
                if (column.name().value("facet").equals(facet)) {
                    q = column.quantiles(order, 0.5, 0.95, 0.99);
                }
            }
            double[] spark = new double[order.length];
            for (int i = 0; i < order.length; i++) {
                spark[i] = traffic.steps[i] / ring.coveredSeconds(order[i]);
            }
            lines.add(new FacetMetrics.Facet(
                    facet,
                    orNull(traffic.rate()),
                    orNull(traffic.errorRate()),
                    millis(q[0]),
                    millis(q[1]),
                    millis(q[2]),
                    inflight.orNull(),
                    new Points(Arrays.copyOfRange(spark, Math.max(0, spark.length - SPARK), spark.length))));
        }
        return lines;
    }

    private double[] quantiles(SeriesName name) {
        HistogramColumn column = ring.columns().histograms().get(name);
        return column == null
                ? new double[] {Double.NaN, Double.NaN, Double.NaN}
                : column.quantiles(order, 0.5, 0.95, 0.99);
    }

    /** A sum that is unknown until something known is added. */
    private static final class Sum {
        private double value = Double.NaN;

        void add(double more) {
            value = Double.isNaN(more) ? value : Double.isNaN(value) ? more : value + more;
        }

        @Nullable
        Double orNull() {
            return Digest.orNull(value);
        }
    }

    private static double[] nan(int length) {
        double[] values = new double[length];
        Arrays.fill(values, Double.NaN);
        return values;
    }

    private static void addPoints(double[] to, double[] more) {
        for (int i = 0; i < to.length; i++) {
            to[i] = Double.isNaN(more[i]) ? to[i] : Double.isNaN(to[i]) ? more[i] : to[i] + more[i];
        }
    }

    static @Nullable Double orNull(double value) {
        return Double.isFinite(value) ? Double.valueOf(Math.rint(value * 1e6) / 1e6) : null;
    }

    private static @Nullable Double millis(double seconds) {
        return orNull(seconds * 1000);
    }
}
