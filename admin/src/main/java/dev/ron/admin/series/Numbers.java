package dev.ron.admin.series;

import dev.ron.admin.view.FacetMetrics;
import dev.ron.admin.view.MetricsSummary;
import dev.ron.admin.view.Points;
import dev.ron.admin.view.SeriesView;
import java.util.List;
import java.util.Map;

/** What a ring says at one moment; immutable, for everybody to read. */
public record Numbers(
        MetricsSummary.Totals totals,
        List<MetricsSummary.ServiceLine> services,
        List<MetricsSummary.RouteLine> routes,
        List<MetricsSummary.RejectLine> rejects,
        List<MetricsSummary.QueueLine> queues,
        SeriesView golden,
        List<FacetMetrics.Facet> facets,
        Map<String, Double> panel,
        int resets,
        int tracked,
        long dropped,
        long bytes) {

    private static final MetricsSummary.Totals NOTHING =
            new MetricsSummary.Totals(null, null, null, null, null, null, null, null);

    /** Before the first scrape. */
    public static Numbers none(String nodeId) {
        return new Numbers(
                NOTHING,
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                new SeriesView(nodeId, List.of(), Map.of(), List.of()),
                List.of(),
                Map.of(),
                0,
                0,
                0,
                0);
    }

    /** The requests per second, for a small chart. */
    public Points spark() {
        Points rps = golden.cols().get("rps");
        return rps == null ? Points.NONE : rps;
    }
}
