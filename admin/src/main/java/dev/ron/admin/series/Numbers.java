package dev.ron.admin.series;

import dev.ron.admin.view.FacetMetrics;
import dev.ron.admin.view.MetricsSummary;
import dev.ron.admin.view.SeriesView;
import java.util.List;

/** Everything a ring says at one moment; worked out when somebody asks. */
public record Numbers(
        MetricsSummary.Totals totals,
        List<MetricsSummary.ServiceLine> services,
        List<MetricsSummary.RouteLine> routes,
        List<MetricsSummary.RejectLine> rejects,
        List<MetricsSummary.QueueLine> queues,
        SeriesView golden,
        List<FacetMetrics.Facet> facets,
        int resets,
        int tracked,
        long dropped) {}
