package dev.ron.passport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.service.config.ConfigSchema;
import dev.ron.service.config.Section;
import java.net.URI;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The names that others rely on: metrics as a live office shows them, and the keys of its configuration. */
class SeedNamesTest {
    @Test
    void everyMetricOfTheModelIsShownByALiveOffice() throws Exception {
        try (OfficeProcess office = OfficeProcess.inMemory()) {
            office.issue();
            office.reload("passport.limits.rps=100000");
            office.reload("passport.limits.inflight=1"); // out of range: refused, and counted
            office.send(HttpRequest.newBuilder(URI.create(office.url("/v1/passport/issue")))
                    .header("Content-Type", "application/json")
                    .header("Authorization", "Bearer " + office.key())
                    .POST(HttpRequest.BodyPublishers.ofByteArray(new byte[2 << 20]))
                    .build());
            String page = new String(office.frame().metrics().scrape("").body(), StandardCharsets.UTF_8);
            assertThat(page)
                    .contains(
                            "queue_depth{queue=\"issue\"",
                            "queue_depth{queue=\"revoke\"",
                            "queue_dropped_total{queue=\"issue\"",
                            "queue_dropped_total{queue=\"revoke\"",
                            "busy_rejections_total{endpoint=\"/v1/passport/issue\"",
                            "busy_rejections_total{endpoint=\"/v1/passport/revoke\"",
                            "tasks_spawned_total{kind=\"issuance\"",
                            "tasks_spawned_total{kind=\"revocation\"",
                            "tasks_spawned_total{kind=\"bus-subscriber\"",
                            "tasks_spawned_total{kind=\"registry-sync\"",
                            "tasks_spawned_total{kind=\"config-watcher\"",
                            "tasks_aborted_total",
                            "tasks_canceled_total",
                            "io_timeouts_total{op=\"kms\"",
                            "io_timeouts_total{op=\"registry\"",
                            "backoff_retries_total{op=\"registry\"",
                            "bus_lagged_total",
                            "config_reload_duration_seconds",
                            "config_reloads_total",
                            "config_reload_errors_total",
                            "rejects_total{reason=\"body_cap\"")
                    .doesNotContain("rejected_total");
        }
    }

    @Test
    void everyKeyOfTheModelIsInTheSchema() {
        String schema = ConfigSchema.markdown(List.of(Section.of("passport", PassportConfig.class)));
        assertThat(schema)
                .contains(
                        "passport.limits.rps",
                        "passport.limits.inflight",
                        "passport.limits.max_body_bytes",
                        "passport.limits.decompress_ratio_cap",
                        "passport.read_timeout",
                        "passport.write_timeout",
                        "passport.idle_timeout",
                        "passport.kms.timeout",
                        "passport.registry.timeout",
                        "passport.drain_deadline",
                        "passport.issuer_policy.max_ttl",
                        "passport.pq.mode");
    }
}
