package dev.ron.service.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ron.kernel.Kernel;
import dev.ron.kernel.channel.Mailbox;
import dev.ron.kernel.meter.Meter;
import dev.ron.kernel.task.Backoff;
import dev.ron.kernel.time.Clock;
import dev.ron.kernel.topology.MailboxSpec;
import dev.ron.kernel.topology.OnFull;
import dev.ron.kernel.topology.Topology;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class MetricsTest {
    private final Metrics metrics = new Metrics();
    private final ServiceMetrics gateway = metrics.service("gateway");

    @Test
    void servicesShareAFamilyAndDifferInTheirLabel() {
        gateway.counters("rejected_total", "Refused.", "reason")
                .with("body_cap")
                .add(2);
        metrics.service("edge")
                .counters("rejected_total", "Refused.", "reason")
                .with("body_cap")
                .add(3);
        assertThat(page())
                .contains("# TYPE rejected_total counter")
                .contains("rejected_total{reason=\"body_cap\",service=\"gateway\"} 2.0")
                .contains("rejected_total{reason=\"body_cap\",service=\"edge\"} 3.0");
    }

    @Test
    void aFamilyHasOneKindAndOneListOfLabels() {
        gateway.counters("rejected_total", "Refused.", "reason");
        assertThatThrownBy(() -> gateway.counters("rejected_total", "Refused.", "cause"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("rejected_total");
        assertThatThrownBy(() -> gateway.timings("rejected_total", "Refused.", "reason"))
                .isInstanceOf(IllegalStateException.class);
        gateway.gauge("config_version", "Version.", () -> 1);
        assertThatThrownBy(() -> gateway.gauge("config_version", "Version.", () -> 2))
                .hasMessage("gateway declares metric config_version twice");
    }

    @Test
    void gaugesAreReadWhenScraped() {
        AtomicInteger level = new AtomicInteger(1);
        gateway.gauge("config_version", "Version.", level::get);
        assertThat(page()).contains("config_version{service=\"gateway\"} 1.0");
        level.set(7);
        assertThat(page()).contains("config_version{service=\"gateway\"} 7.0");
    }

    @Test
    void latencyBucketsContainEverySeedBoundary() {
        gateway.timings("request_latency_seconds", "Latency.", "route")
                .with("/x")
                .record(3_000_000);
        assertThat(page())
                .contains("request_latency_seconds_bucket{route=\"/x\",service=\"gateway\",le=\"0.0025\"} 0")
                .contains("request_latency_seconds_bucket{route=\"/x\",service=\"gateway\",le=\"0.005\"} 1")
                .contains("le=\"0.12\"", "le=\"0.32\"", "le=\"10.0\"", "le=\"+Inf\"")
                .contains("request_latency_seconds_sum{route=\"/x\",service=\"gateway\"} 0.003");
    }

    @Test
    void aSumOfManyLatenciesDoesNotTurnNegative() {
        Meter.Timing timing = gateway.timings("commit_batch_size", "Entries.").with();
        for (int i = 0; i < 3; i++) {
            timing.record(Long.MAX_VALUE / 2);
        }
        assertThat(page()).contains("commit_batch_size_sum{service=\"gateway\"} 1.383");
    }

    @Test
    void aWrongNumberOfLabelValuesIsRefusedBeforeItCouldSpoilThePage() {
        assertThatThrownBy(() -> gateway.timings("request_latency_seconds", "Latency.", "route")
                        .with("/x", "GET"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("request_latency_seconds");
        assertThat(page()).doesNotContain("request_latency_seconds");
    }

    @Test
    void openMetricsIsGivenToWhoAsksForIt() {
        gateway.counter("bus_published_total", "bus", "node").increment();
        Metrics.Page page = metrics.scrape("application/openmetrics-text; version=1.0.0");
        assertThat(page.contentType()).startsWith("application/openmetrics-text");
        assertThat(new String(page.body(), StandardCharsets.UTF_8)).endsWith("# EOF\n");
        assertThat(metrics.scrape("").contentType()).startsWith("text/plain");
    }

    @Test
    void aPrefixIsPutBeforeOwnNamesOnly() {
        ServiceMetrics admin = metrics.service("admin", "svc_admin_");
        admin.counter("tasks_spawned_total", "kind", "metrics_sampler").increment();
        admin.counters("http_requests_total", "Requests.", "route").with("/").increment();
        assertThat(page())
                .contains("svc_admin_tasks_spawned_total{kind=\"metrics_sampler\",service=\"admin\"} 1.0")
                .contains("\nhttp_requests_total{route=\"/\",service=\"admin\"} 1.0");
    }

    @Test
    void kernelPartsAreSeenWithoutAnybodySampling() {
        MailboxSpec work = Topology.mailbox("work", 1).onFull(OnFull.DROP_OLDEST);
        Kernel kernel = new Kernel(
                Topology.of("gateway", "test", work), Clock.system(), gateway, Backoff.Policy.DEFAULT, crash -> {});
        KernelMetrics.bind(gateway, kernel);
        KernelMetrics.bindProcess(gateway);
        Mailbox<String> box = kernel.mailbox(work, (item, cause) -> {});
        box.trySend("a");
        box.trySend("b");
        assertThat(page())
                .contains("queue_depth{queue=\"work\",service=\"gateway\"} 1.0")
                .contains("queue_depth_peak{queue=\"work\",service=\"gateway\"} 1.0")
                .contains("queue_dropped_total{queue=\"work\",service=\"gateway\"} 1.0")
                .contains("forgotten_close_total{service=\"gateway\"}");
        box.tryReceive();
        page();
        assertThat(page()).contains("queue_depth_peak{queue=\"work\",service=\"gateway\"} 0.0");
    }

    @Test
    void processIsDescribed() {
        JvmMetrics.bind(metrics.service("node"), Instant.EPOCH.plusSeconds(5));
        assertThat(page())
                .contains("process_start_time_seconds{service=\"node\"} 5.0")
                .contains("jvm_memory_used_bytes{area=\"heap\",service=\"node\"}")
                .contains("jvm_virtual_threads{service=\"node\",state=\"carriers\"}")
                .contains("process_cpu_seconds_total{service=\"node\"}");
    }

    @Test
    void meterResolvesTheSameChildEveryTime() {
        Meter meter = gateway;
        meter.counter("shutdown_requests_total", "source", "signal").increment();
        meter.counter("shutdown_requests_total", "source", "signal").increment();
        meter.timing("shutdown_duration_seconds", "", "").record(1);
        assertThat(page())
                .contains("shutdown_requests_total{service=\"gateway\",source=\"signal\"} 2.0")
                .contains("shutdown_duration_seconds_count{service=\"gateway\"} 1");
    }

    private String page() {
        return new String(metrics.scrape("").body(), StandardCharsets.UTF_8);
    }
}
