package dev.ron.admin.view;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * {@code GET /api/nodes/{id}/metrics/summary}: the golden numbers over the window. What cannot be computed is null,
 * never 0.
 *
 * @param state fresh, stale, unavailable or disabled
 * @param resets counter resets seen in the window
 */
public record MetricsSummary(
        String nodeId,
        long windowSeconds,
        double intervalSeconds,
        @Nullable Instant updatedAt,
        @Nullable Long ageMs,
        String state,
        @Nullable LastError lastError,
        int resets,
        int seriesTracked,
        long seriesDropped,
        Totals totals,
        List<ServiceLine> services,
        List<RouteLine> routes,
        List<RejectLine> rejects,
        List<QueueLine> queues,
        SeriesView series) {

    /** Why the last scrape failed. */
    public record LastError(String code, String detail, Instant at) {}

    /** The whole node. */
    public record Totals(
            @Nullable Double rps,
            @Nullable Double errorRate,
            @Nullable Double p50Ms,
            @Nullable Double p95Ms,
            @Nullable Double p99Ms,
            @Nullable Double inflight,
            @Nullable Double rejectedPerSec,
            @Nullable Double busyPerSec) {}

    /** One service of the node. */
    public record ServiceLine(
            String name,
            @Nullable Double rps,
            @Nullable Double errorRate,
            @Nullable Double p50Ms,
            @Nullable Double p95Ms,
            @Nullable Double p99Ms,
            @Nullable Double inflight) {}

    /** One of the ten busiest routes. */
    public record RouteLine(
            String service,
            String route,
            @Nullable Double rps,
            @Nullable Double errorRate,
            @Nullable Double p95Ms) {}

    public record RejectLine(
            String service, String reason, @Nullable Double perSec) {}

    /** A queue as its metrics show it; max is the highest depth seen in the window. */
    public record QueueLine(
            String service,
            String queue,
            @Nullable Double depth,
            @Nullable Double max,
            @Nullable Double droppedPerSec) {}
}
