package dev.ron.admin.view;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** {@code GET /api/console}: the console about itself. */
public record ConsoleView(
        Map<String, Boolean> readiness,
        List<NodeDetail.Queue> queues,
        Samplers samplers,
        @Nullable KeySet keySet,
        ConfigState config,
        Streams streams,
        long heapBytes,
        long heapMaxBytes,
        long ringBytes,
        Instant startedAt,
        String version) {

    /** @param lagging nodes whose numbers are older than three intervals */
    public record Samplers(int alive, int lagging, int stretched) {}

    /** The issuer's keys; state is fresh, offline (cached keys serve) or unavailable. */
    public record KeySet(
            @Nullable Long ageSeconds,
            int keys,
            String state,
            @Nullable String lastError) {}

    public record ConfigState(
            long version,
            @Nullable String lastOutcome,
            @Nullable String lastError) {}

    public record Streams(int open, int limit, long lagged) {}
}
