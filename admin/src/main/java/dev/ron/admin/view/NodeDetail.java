package dev.ron.admin.view;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * {@code GET /api/nodes/{id}/status}: everything a node says about itself.
 *
 * @param partial true where an endpoint was absent or failed, so that something is missing here
 * @param readyKeys the readiness keys of {@code /readyz} and whether each is met
 * @param serviceData the known members of the node's own data, by service; anything else is dropped
 */
public record NodeDetail(
        NodeRow row,
        @Nullable String instanceId,
        @Nullable String gitSha,
        @Nullable String buildTs,
        @Nullable String runtime,
        List<String> capabilities,
        boolean draining,
        @Nullable String phase,
        @Nullable ConfigState config,
        List<Plane> planes,
        List<Queue> queues,
        List<Task> tasks,
        Map<String, Boolean> readyKeys,
        Map<String, Object> serviceData,
        List<Probe> probes,
        boolean partial,
        @Nullable Instant observedAt) {

    /** Which configuration the node runs. */
    public record ConfigState(
            @Nullable Long version,
            @Nullable String hash,
            @Nullable String loadedAt) {}

    /** A part of the node; health is ok, degraded, fail or unknown. */
    public record Plane(
            String name,
            String health,
            boolean ready,
            long restartCount,
            @Nullable String notes) {}

    /** A bounded queue of the node. */
    public record Queue(
            String name,
            long depth,
            @Nullable Long capacity,
            @Nullable Long droppedTotal) {}

    /** A supervised task of the node. */
    public record Task(String name, String state, long restarts) {}

    /**
     * The last answer of one endpoint.
     *
     * @param error connect, dns, tls, timeout, status, parse, too_large, redirect or absent; null where it was good
     */
    public record Probe(
            String path,
            boolean ok,
            @Nullable Integer status,
            @Nullable Long ms,
            @Nullable Integer bodyBytes,
            @Nullable String error,
            @Nullable String detail) {}
}
