package dev.ron.registry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.registry.book.Signers;
import dev.ron.registry.disk.FaultyDisk;
import dev.ron.registry.store.SegmentStore;
import dev.ron.service.config.ConfigSchema;
import dev.ron.service.config.Section;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The names that others rely on: metrics as a live registry shows them, and the keys of its configuration. */
@Timeout(60)
class SeedNamesTest {
    @TempDir
    Path outside;

    @Test
    void everyMetricOfTheModelIsShownByALiveRegistry() throws Exception {
        FaultyDisk disk = new FaultyDisk();
        Signers council = new Signers(1, 1);
        council.logKeys.write(disk);
        try (SegmentStore store = SegmentStore.open(disk, 1 << 20)) {
            council.create(store);
        }
        try (ServedLog log = new ServedLog(disk, outside.resolve("head"))) {
            assertThat(log.metrics())
                    .contains(
                            "queue_depth{queue=\"proposals\"",
                            "queue_depth{queue=\"approvals\"",
                            "queue_depth{queue=\"commits\"",
                            "queue_depth{queue=\"retention_cmd\"",
                            "queue_dropped_total{queue=\"proposals\"",
                            "queue_dropped_total{queue=\"approvals\"",
                            "busy_rejections_total{endpoint=\"propose\"",
                            "busy_rejections_total{endpoint=\"approve\"",
                            "busy_rejections_total{endpoint=\"commit\"",
                            "tasks_spawned_total{kind=\"committer\"",
                            "tasks_aborted_total{kind=\"committer\"",
                            "tasks_panicked_total{kind=\"committer\"",
                            "tasks_canceled_total{kind=\"committer\"",
                            "commit_cas_fail_total",
                            "io_timeouts_total{op=\"commit\"",
                            "backoff_retries_total{op=\"read\"",
                            "storage_backoff_total{op=\"append\"",
                            "bus_lagged_total{consumer=\"publisher\"",
                            "bus_lagged_total{consumer=\"sse\"",
                            "bus_lagged_total{consumer=\"ws\"",
                            "registry_reload_success_total{service=\"registry\",source=\"config\"",
                            "registry_reload_fail_total{reason=\"rolled_back\"");
        }
    }

    @Test
    void everyKeyOfTheModelIsInTheSchema() {
        assertThat(ConfigSchema.markdown(List.of(Section.of("registry", RegistryConfig.class))))
                .contains(
                        "`registry.limits.rps`",
                        "`registry.limits.inflight`",
                        "`registry.limits.max_body_bytes`",
                        "`registry.limits.decompress_ratio_cap`",
                        "`registry.read_timeout`",
                        "`registry.write_timeout`",
                        "`registry.idle_timeout`",
                        "`registry.drain_deadline`",
                        "`registry.storage.checkpoint_interval`",
                        "`registry.bus.channel_bound`");
    }
}
