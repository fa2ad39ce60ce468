package dev.ron.admin.view;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** {@code GET /api/nodes/{id}/metrics/keys}: every series that can be asked for. */
public record SeriesKeys(String nodeId, List<Key> keys) {

    /**
     * One series.
     *
     * @param key what {@code /metrics/series?key=} takes
     * @param kind rate (per second), gauge or quantile (seconds)
     */
    public record Key(
            String key,
            String family,
            String kind,
            @Nullable Double last) {}
}
