package dev.ron.admin.series;

import dev.ron.admin.series.Column.Kind;
import dev.ron.admin.view.FacetMetrics;
import dev.ron.admin.view.Points;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Named slices of a node's work: those it names itself with the label {@code facet}, then each route of each of its
 * services that was asked for in the window.
 */
final class Facets {
    private static final int SPARK = 60;
    private static final int MAX_ROUTES = 48;
    private static final List<String> ROUTE = List.of("service", "route");

    private final NodeSeries ring;
    private final int[] order;

    Facets(NodeSeries ring, int[] order) {
        this.ring = ring;
        this.order = order;
    }

    List<FacetMetrics.Facet> all() {
        List<FacetMetrics.Facet> all = new ArrayList<>();
        ring.columns().facets().forEach(name -> all.add(named(name)));
        all.addAll(routes());
        return all;
    }

    private FacetMetrics.Facet named(String facet) {
        Traffic traffic = new Traffic(ring, order);
        Digest.Sum inflight = new Digest.Sum();
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
        return line(facet, "", traffic, q, inflight);
    }

    private List<FacetMetrics.Facet> routes() {
        Map<List<String>, Traffic> routes = new TreeMap<>(
                Comparator.comparing((List<String> key) -> key.get(0)).thenComparing(key -> key.get(1)));
        for (Column column : ring.columns().scalars().values()) {
            SeriesName name = column.name();
            if (name.labels().equals(ROUTE) && !name.value("route").isEmpty()) {
                Traffic traffic = routes.computeIfAbsent(name.values(), k -> new Traffic(ring, order));
                switch (name.family()) {
                    case Wanted.REQUESTS -> traffic.add(column, false);
                    case Columns.ERRORS -> traffic.addFailures(column);
                    default -> {
                        // Another family that happens to have these labels.
                    }
                }
            }
        }
        return routes.entrySet().stream()
                .filter(route -> route.getValue().rate() > 0)
                .limit(MAX_ROUTES)
                .map(route -> {
                    HistogramColumn latency =
                            ring.columns().histograms().get(new SeriesName(Wanted.LATENCY, ROUTE, route.getKey()));
                    double[] q = latency == null
                            ? new double[] {Double.NaN, Double.NaN, Double.NaN}
                            : latency.quantiles(order, 0.5, 0.95, 0.99);
                    return line(route.getKey().get(1), route.getKey().get(0), route.getValue(), q, new Digest.Sum());
                })
                .toList();
    }

    private static FacetMetrics.Facet line(
            String facet, String service, Traffic traffic, double[] q, Digest.Sum inflight) {
        return new FacetMetrics.Facet(
                facet,
                service.isEmpty() ? null : service,
                Digest.orNull(traffic.rate()),
                Digest.orNull(traffic.errorRate()),
                Digest.millis(q[0]),
                Digest.millis(q[1]),
                Digest.millis(q[2]),
                inflight.orNull(),
                new Points(traffic.rates(SPARK)));
    }
}
