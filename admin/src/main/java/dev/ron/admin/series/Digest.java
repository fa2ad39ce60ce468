package dev.ron.admin.series;

import dev.ron.admin.view.MetricsSummary;
import dev.ron.admin.view.Points;
import dev.ron.admin.view.SeriesView;
import java.util.ArrayList;
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
    private static final int MOST_SERVICES = 8;

    private final NodeSeries ring;
    private final int[] order;

    private Digest(NodeSeries ring) {
        this.ring = ring;
        this.order = ring.order();
    }

    /** The numbers of a ring; called under its lock. */
    public static Numbers of(String nodeId, NodeSeries ring) {
        return new Digest(ring).numbers(nodeId);
    }

    private Numbers numbers(String nodeId) {
        Map<String, Traffic> services = new TreeMap<>();
        Map<List<String>, Traffic> routes = new HashMap<>();
        Traffic all = new Traffic(ring, order);
        List<MetricsSummary.RejectLine> rejects = new ArrayList<>();
        Map<List<String>, Column> depths = new LinkedHashMap<>();
        Map<List<String>, Column> drops = new HashMap<>();
        Sum rejected = new Sum();
        Sum busy = new Sum();
        Sum inflight = new Sum();
        Map<String, Sum> inflightBy = new HashMap<>();
        double[] inflightPoints = Traffic.nan(order.length);
        for (Column column : ring.columns().scalars().values()) {
            SeriesName name = column.name();
            String service = name.value("service");
            switch (name.family()) {
                case Wanted.REQUESTS -> {
                    if (name.labels().contains("route")) {
                        route(routes, name).add(column, false);
                    } else {
                        boolean failed = name.value("status").equals("5xx");
                        all.add(column, failed);
                        services.computeIfAbsent(service, k -> new Traffic(ring, order))
                                .add(column, failed);
                    }
                }
                case Columns.ERRORS -> route(routes, name).addFailures(column);
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
                    // Asked for by name where it is shown.
                }
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
                golden(nodeId, all, services, inflightPoints),
                new Facets(ring, order).all(),
                ring.resetCount(),
                ring.tracked(),
                ring.dropped());
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

    private Traffic route(Map<List<String>, Traffic> routes, SeriesName name) {
        return routes.computeIfAbsent(name.values(), k -> new Traffic(ring, order));
    }

    private List<MetricsSummary.RouteLine> routeLines(Map<List<String>, Traffic> routes) {
        return routes.entrySet().stream()
                .filter(route -> route.getValue().rate() > 0)
                .sorted(Comparator.comparingDouble(route -> -route.getValue().rate()))
                .limit(TOP_ROUTES)
                .map(route -> {
                    double[] q = quantiles(new SeriesName(Wanted.LATENCY, List.of("service", "route"), route.getKey()));
                    return new MetricsSummary.RouteLine(
                            route.getKey().get(0),
                            route.getKey().get(1),
                            orNull(route.getValue().rate()),
                            orNull(route.getValue().errorRate()),
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

    private SeriesView golden(String nodeId, Traffic all, Map<String, Traffic> services, double[] inflight) {
        HistogramColumn latency = ring.columns().histograms().get(new SeriesName(Wanted.LATENCY, List.of(), List.of()));
        double[] p50 = Traffic.nan(order.length);
        double[] p95 = Traffic.nan(order.length);
        double[] p99 = Traffic.nan(order.length);
        for (int i = 0; latency != null && i < order.length; i++) {
            double[] q = latency.quantiles(new int[] {order[i]}, 0.5, 0.95, 0.99);
            p50[i] = q[0] * 1000;
            p95[i] = q[1] * 1000;
            p99[i] = q[2] * 1000;
        }
        Map<String, Points> cols = new LinkedHashMap<>();
        cols.put("rps", new Points(all.rates(order.length)));
        cols.put("errorRate", new Points(all.errorRates()));
        cols.put("p50Ms", new Points(p50));
        cols.put("p95Ms", new Points(p95));
        cols.put("p99Ms", new Points(p99));
        cols.put("inflight", new Points(inflight));
        // A request that goes through two services of a node counts for both, so that their sum alone would mislead.
        if (services.size() > 1) {
            services.entrySet().stream()
                    .limit(MOST_SERVICES)
                    .forEach(service -> cols.put(
                            "rps." + service.getKey(),
                            new Points(service.getValue().rates(order.length))));
        }
        return new SeriesView(nodeId, ring.times(order), cols, List.of());
    }

    private double[] quantiles(SeriesName name) {
        HistogramColumn column = ring.columns().histograms().get(name);
        return column == null
                ? new double[] {Double.NaN, Double.NaN, Double.NaN}
                : column.quantiles(order, 0.5, 0.95, 0.99);
    }

    /** A sum that is unknown until something known is added. */
    static final class Sum {
        private double value = Double.NaN;

        void add(double more) {
            value = Double.isNaN(more) ? value : Double.isNaN(value) ? more : value + more;
        }

        @Nullable
        Double orNull() {
            return Digest.orNull(value);
        }
    }

    private static void addPoints(double[] to, double[] more) {
        for (int i = 0; i < to.length; i++) {
            to[i] = Double.isNaN(more[i]) ? to[i] : Double.isNaN(to[i]) ? more[i] : to[i] + more[i];
        }
    }

    static @Nullable Double orNull(double value) {
        return Double.isFinite(value) ? Double.valueOf(Math.rint(value * 1e6) / 1e6) : null;
    }

    static @Nullable Double millis(double seconds) {
        return orNull(seconds * 1000);
    }
}
