package dev.ron.admin.view;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** {@code GET /api/nodes/{id}/metrics/facets}: named slices of a node's work, by name; empty where it has none. */
public record FacetMetrics(
        String nodeId,
        @Nullable Instant updatedAt,
        @Nullable Long ageMs,
        String state,
        List<Facet> facets) {

    /** {@code service} is there where the slice is a route of that service, and null where the node names it a facet. */
    public record Facet(
            String facet,
            @Nullable String service,
            @Nullable Double rps,
            @Nullable Double errorRate,
            @Nullable Double p50Ms,
            @Nullable Double p95Ms,
            @Nullable Double p99Ms,
            @Nullable Double inflight,
            Points spark) {}
}
