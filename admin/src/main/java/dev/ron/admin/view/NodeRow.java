package dev.ron.admin.view;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One line of the fleet.
 *
 * @param state ready, degraded, not_ready, draining, down, unreachable, stale or unknown
 * @param tone the colour: ok, warn, danger, info or muted
 * @param metrics fresh, stale, unavailable or disabled
 * @param errorRate share of answers that were 5xx, 0 to 1
 */
public record NodeRow(
        String id,
        String displayName,
        String environment,
        @Nullable String service,
        @Nullable String profile,
        @Nullable String version,
        Map<String, String> labels,
        String state,
        String tone,
        @Nullable Boolean ready,
        @Nullable Boolean writeReady,
        @Nullable Boolean amnesia,
        List<Cause> causes,
        PlaneCount planes,
        long restarts,
        @Nullable Long uptimeSeconds,
        @Nullable Double rps,
        @Nullable Double errorRate,
        @Nullable Double p95Ms,
        Points spark,
        String metrics,
        @Nullable Long statusAgeMs,
        @Nullable Long metricsAgeMs,
        boolean insecureHttp,
        Actions actions) {

    /** How many planes there are, how many are ready, and the names of some that fail. */
    public record PlaneCount(int total, int ready, List<String> failing) {}

    /** What may be done to the node: configured, offered by the node, and the console not read-only. */
    public record Actions(boolean reload, boolean drain, boolean resume, boolean shutdown) {
        public static final Actions NONE = new Actions(false, false, false, false);
    }
}
