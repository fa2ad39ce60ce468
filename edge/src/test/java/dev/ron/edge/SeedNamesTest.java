package dev.ron.edge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.edge.config.EdgeConfig;
import dev.ron.service.config.ConfigSchema;
import dev.ron.service.config.Section;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The names that others rely on: metrics as a live edge shows them before anything went wrong, and its keys. */
class SeedNamesTest {
    @Test
    void everyMetricOfTheModelIsShownByALiveEdge() {
        try (TestEdge edge = new TestEdge("", Optional.empty())) {
            assertThat(edge.metrics())
                    .contains(
                            "queue_depth{queue=\"work\"",
                            "queue_dropped_total{queue=\"work\"",
                            "busy_rejections_total{endpoint=\"/edge/assets\"",
                            "tasks_spawned_total{kind=\"worker\"",
                            "tasks_aborted_total{kind=\"worker\"",
                            "tasks_canceled_total{kind=\"fill_job\"",
                            "io_timeouts_total{op=\"read\"",
                            "io_timeouts_total{op=\"write\"",
                            "io_timeouts_total{op=\"connect\"",
                            "io_timeouts_total{op=\"fill\"",
                            "backoff_retries_total{op=\"live_fill\"",
                            "bus_lagged_total",
                            "edge_rejects_total{reason=\"amnesia\"",
                            "edge_rejects_total{reason=\"not_allowed\"",
                            "edge_rejects_total{reason=\"decompress_cap\"",
                            "edge_rejects_total{reason=\"body_cap\"",
                            "edge_rejects_total{reason=\"timeout\"",
                            "edge_rejects_total{reason=\"rate_limit\"",
                            "edge_rejects_total{reason=\"invalid_range\"",
                            "edge_rejects_total{reason=\"etag_invalid\"")
                    .doesNotContain("\nrejected_total");
        }
    }

    @Test
    void everyKeyOfTheModelIsInTheSchema() {
        assertThat(ConfigSchema.markdown(List.of(Section.of("edge", EdgeConfig.class))))
                .contains(
                        "edge.ingress.timeout_secs",
                        "edge.ingress.max_inflight",
                        "edge.ingress.rps_limit",
                        "edge.ingress.body_bytes",
                        "edge.ingress.decompress_max_ratio",
                        "edge.ingress.decompress_abs_bytes",
                        "edge.retry.live_fill.base_ms",
                        "edge.retry.live_fill.max_ms",
                        "edge.retry.live_fill.max_retries",
                        "edge.retry.live_fill.jitter",
                        "edge.drain_deadline");
    }
}
