package dev.ron.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ron.http.testing.RawClient;
import dev.ron.kernel.testkit.Eventually;
import dev.ron.kernel.time.Clock;
import dev.ron.kernel.time.Deadline;
import dev.ron.service.config.Config;
import dev.ron.service.config.ConfigChange;
import dev.ron.service.reload.ConfigSubscriber;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class LiveConsoleTest {

    @Test
    void aStreamSaysHelloThenEveryChangeAndGoesOnWhereItBrokeOff() throws Exception {
        try (FakeNode node = new FakeNode();
                ConsoleProcess console = ConsoleProcess.with(
                        "admin.nodes.n1.base_url=" + node.url(),
                        "admin.polling.status_interval=500ms",
                        "admin.polling.metrics_interval=500ms",
                        "admin.polling.metrics_window=30s");
                RawClient stream = new RawClient(console.port())) {
            stream.send("GET /api/events?nodes=n1 HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n");
            assertThat(next(stream, "event: ")).isEqualTo("hello");
            assertThat(next(stream, "event: ")).isIn("node", "config");
            String id = next(stream, "id: ");
            node.says("/readyz", 503, "{\"ready\":false,\"missing\":[\"kms\"]}");
            String data = next(stream, "data: ");
            while (!data.contains("not_ready")) {
                data = next(stream, "data: ");
            }
            assertThat(data).contains("kms is missing");
            try (RawClient again = new RawClient(console.port())) {
                again.send("GET /api/events HTTP/1.1\r\nHost: 127.0.0.1\r\nLast-Event-ID: " + id + "\r\n\r\n");
                assertThat(next(again, "data: ")).contains("\"resumed\":true");
            }
            try (RawClient late = new RawClient(console.port())) {
                late.send("GET /api/events HTTP/1.1\r\nHost: 127.0.0.1\r\nLast-Event-ID: 999999\r\n\r\n");
                assertThat(next(late, "data: ")).contains("\"resumed\":false");
                assertThat(next(late, "event: ")).isEqualTo("lagged");
            }
        }
    }

    private static String next(RawClient stream, String start) {
        for (String line = stream.line(); ; line = stream.line()) {
            if (line.startsWith(start)) {
                return line.substring(start.length());
            }
        }
    }

    @Test
    void streamsAreBounded() throws Exception {
        try (ConsoleProcess console = ConsoleProcess.with("admin.events.sse_per_subject=2")) {
            List<RawClient> open = IntStream.range(0, 3)
                    .mapToObj(i ->
                            new RawClient(console.port()).send("GET /api/events HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"))
                    .toList();
            List<Integer> answers = open.stream()
                    .map(client -> Integer.parseInt(client.line().substring(9, 12)))
                    .sorted()
                    .toList();
            assertThat(answers).containsExactly(200, 200, 429);
            open.forEach(RawClient::close);
            Eventually.await(
                    "the places are free again",
                    () -> console.get("/api/console")
                                    .body()
                                    .path("streams")
                                    .path("open")
                                    .asInt(-1)
                            == 0);
        }
    }

    @Test
    void aReloadTouchesOnlyWhatChanged() throws Exception {
        try (FakeNode node = new FakeNode();
                FakeNode other = new FakeNode();
                ConsoleProcess console = ConsoleProcess.with(
                        "admin.nodes.a.base_url=" + node.url(),
                        "admin.polling.metrics_interval=500ms",
                        "admin.polling.metrics_window=30s")) {
            Eventually.await("three samples", () -> points(console, "a") >= 3);
            assertThat(console.reload("admin.nodes.b.base_url=" + other.url())).isEqualTo("applied");
            Eventually.await("b is watched", () -> console.get("/api/nodes/b").status() == 200);
            assertThat(points(console, "a")).isGreaterThanOrEqualTo(3);
            assertThat(console.reload("admin.nodes.b.base_url=http://169.254.169.254/"))
                    .isNotEqualTo("applied");
            assertThat(console.get("/api/nodes/b").status()).isEqualTo(200);
        }
    }

    /** Whoever asked for it, a reload that changed nothing is said to have failed, and only one that did is counted so. */
    @Test
    @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void aRefusedReloadIsToldAsSuch() throws Exception {
        try (ConsoleProcess console = ConsoleProcess.with("admin.watch_self=false");
                RawClient stream = new RawClient(console.port())) {
            stream.send("GET /api/events HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n");
            assertThat(next(stream, "event: ")).isEqualTo("hello");
            long applied = applied(console);
            assertThat(console.reload("admin.ui.language=fr-FR")).isEqualTo("invalid");
            configEvent(stream, "\"ok\":false", "admin.ui.language");
            assertThat(console.reload("admin.ui.language=es-ES")).isEqualTo("applied");
            configEvent(stream, "\"ok\":true");
            assertThat(applied(console)).isEqualTo(applied + 1);
            AtomicReference<String> fault = new AtomicReference<>("no room");
            console.frame().reloader().subscribe(new FailingPart(fault));
            assertThat(console.reload("admin.ui.language=en-US")).isEqualTo("prepare_failed");
            configEvent(stream, "\"ok\":false", "no room");
            fault.set("");
            assertThat(console.reload()).isEqualTo("applied");
            configEvent(stream, "\"ok\":true");
            assertThat(applied(console)).isEqualTo(applied + 2);
        }
    }

    private record FailingPart(AtomicReference<String> fault) implements ConfigSubscriber {
        @Override
        public String name() {
            return "other";
        }

        @Override
        public Change prepare(Config next, List<ConfigChange> changes) {
            if (!fault.get().isEmpty()) {
                throw new IllegalStateException(fault.get());
            }
            return Change.of(() -> {}, () -> {});
        }
    }

    private static long applied(ConsoleProcess console) {
        return console.count("svc_admin_config_reloads_total", Map.of("result", "applied"));
    }

    /** Waits for an event about the configuration with these pieces; gives back all that came until then. */
    private static String configEvent(RawClient stream, String... pieces) {
        StringBuilder seen = new StringBuilder();
        while (true) {
            if (next(stream, "event: ").equals("config")) {
                String data = next(stream, "data: ");
                seen.append(data);
                if (List.of(pieces).stream().allMatch(data::contains)) {
                    return seen.toString();
                }
            }
        }
    }

    /** What is wrong with a configuration names keys and values of every service: viewers learn that, not what. */
    @Test
    @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void onlyOperatorsReadWhyAReloadWasRefused() throws Exception {
        try (ConsoleProcess console = ConsoleProcess.with(
                        "admin.watch_self=false",
                        "admin.auth.mode=ingress",
                        "admin.auth.ingress.trusted_proxies=127.0.0.0/8");
                RawClient viewer = new RawClient(console.port());
                RawClient operator = new RawClient(console.port())) {
            for (var one : Map.of(viewer, "viewer", operator, "operator").entrySet()) {
                one.getKey()
                        .send("GET /api/events HTTP/1.1\r\nHost: 127.0.0.1\r\nX-User: a\r\nX-Groups: " + one.getValue()
                                + "\r\n\r\n");
                assertThat(next(one.getKey(), "event: ")).isEqualTo("hello");
            }
            assertThat(console.reload("admin.ui.language=fr-FR")).isEqualTo("invalid");
            configEvent(operator, "\"ok\":false", "admin.ui.language");
            assertThat(console.reload("admin.ui.language=es-ES")).isEqualTo("applied");
            assertThat(configEvent(viewer, "\"ok\":true"))
                    .contains("\"ok\":false")
                    .doesNotContain("admin.ui.language");
        }
    }

    private static int points(ConsoleProcess console, String id) {
        return console.get("/api/nodes/" + id + "/metrics/summary")
                .body()
                .path("series")
                .path("t")
                .size();
    }

    /** A node's own interval neither undercuts the least one nor the memory that all rings may take. */
    @Test
    void aNodesOwnIntervalIsBoundedLikeTheCommonOne() throws Exception {
        String node = "admin.nodes.n.base_url=http://127.0.0.1:1";
        assertThatThrownBy(() -> ConsoleProcess.with(node, "admin.nodes.n.metrics_interval=249ms"))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("metrics_interval");
        // 61 places for the console's own ring, 601 for a node that is asked ten times as often: 2 MiB, and 8 more.
        assertThatThrownBy(() -> ConsoleProcess.with(
                        node, "admin.nodes.n.metrics_interval=500ms", "admin.metrics.memory_budget=4MiB"))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("too small for the nodes");
        for (String interval : List.of("0s", "250ms")) {
            ConsoleProcess.with(node, "admin.nodes.n.metrics_interval=" + interval)
                    .close();
        }
        ConsoleProcess.with(node, "admin.metrics.memory_budget=4MiB").close();
    }

    /** The console is told to watch a machine's own metadata service: refused by rule, before anything is called. */
    @Test
    void addressesThatNoNodeHasAreRefused() {
        for (String url : List.of(
                "http://169.254.169.254/latest",
                "http://0.0.0.0:80",
                "http://[fe80::1]:80",
                "http://[::ffff:169.254.169.254]:80",
                "http://[fd00:ec2::254]",
                "ftp://127.0.0.1",
                "http://user:pw@127.0.0.1",
                "http://127.0.0.1/?x=1",
                "http://10.0.0.1:80")) {
            assertThatThrownBy(() -> ConsoleProcess.with("admin.nodes.n.base_url=" + url))
                    .as(url)
                    .isInstanceOf(AssertionError.class)
                    .hasMessageContaining("base_url");
        }
    }

    @Test
    void aNameThatLeadsToAForbiddenAddressIsNotCalled() throws Exception {
        try (FakeNode node = new FakeNode();
                ConsoleProcess console = ConsoleProcess.with(
                        "admin.nodes.n.base_url=" + node.url(), "admin.upstream.deny_cidrs=127.0.0.0/8")) {
            Eventually.await(
                    "the node was refused",
                    () -> console.get("/api/nodes/n")
                            .body()
                            .path("causes")
                            .toString()
                            .contains("may not be called"));
            assertThat(node.requests("GET")).isEmpty();
        }
    }

    /** A wish is queued without waiting, and answered. */
    @Test
    void aWishForAFreshSampleIsQueued() throws Exception {
        try (FakeNode node = new FakeNode();
                ConsoleProcess console = ConsoleProcess.with("admin.nodes.n1.base_url=" + node.url())) {
            String[] page = console.ownPage();
            assertThat(console.send("POST", "/api/nodes/n1/refresh", "{}", page).status())
                    .isEqualTo(202);
        }
    }

    @Test
    void aHungNodeDoesNotHoldUpTheStop() throws Exception {
        try (FakeNode node = new FakeNode()) {
            node.on("/healthz", (peer, n) -> peer.awaitClose()).on("/metrics", (peer, n) -> peer.awaitClose());
            ConsoleProcess console = ConsoleProcess.with(
                    "admin.nodes.n1.base_url=" + node.url(),
                    "admin.upstream.status_timeout=60s",
                    "admin.upstream.metrics_poll_timeout=60s");
            RawClient stream = new RawClient(console.port());
            stream.send("GET /api/events HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n");
            assertThat(next(stream, "event: ")).isEqualTo("hello");
            Eventually.await("the node is being asked", () -> node.openConnections() > 0);
            console.frame().shutdown().request("test", "over");
            var report =
                    console.frame().shutdown().awaitStopped(Deadline.after(Clock.system(), Duration.ofSeconds(30)));
            assertThat(report).isPresent();
            assertThat(report.orElseThrow().toString()).contains("aborted=0");
            stream.close();
            console.close();
        }
    }

    /** Every name that the seed gives a metric is on the page from the start. */
    @Test
    void theSeedsMetricsAreThere() throws Exception {
        try (ConsoleProcess console = ConsoleProcess.with()) {
            console.get("/api/nodes");
            String page =
                    new String(console.frame().metrics().scrape("").body(), java.nio.charset.StandardCharsets.UTF_8);
            assertThat(page)
                    .contains(
                            "svc_admin_tasks_spawned_total{",
                            "kind=\"metrics_dispatch\"",
                            "svc_admin_io_timeouts_total{",
                            "op=\"node_call\"",
                            "op=\"metrics_poll\"",
                            "op=\"auth_refresh\"",
                            "svc_admin_io_errors_total{",
                            "kind=\"connect\"",
                            "# TYPE svc_admin_busy_rejections_total counter",
                            "# TYPE svc_admin_auth_failures_total counter",
                            "svc_admin_shutdown_drains_total{",
                            "queue=\"metrics_cmd\"",
                            "queue=\"auth_refresh\"",
                            "queue=\"audit_in\"");
            assertThat(console.count("svc_admin_auth_failures_total", Map.of())).isZero();
        }
    }

    @Test
    void withoutAuthenticationOnlyThisMachineUnderItsOwnNameIsServed() throws Exception {
        try (ConsoleProcess console = ConsoleProcess.with();
                RawClient raw = new RawClient(console.port())) {
            assertThat(raw.send("GET /api/nodes HTTP/1.1\r\nHost: evil.example\r\n\r\n")
                            .read()
                            .status())
                    .isEqualTo(421);
            assertThat(console.get("/api/nodes").status()).isEqualTo(200);
        }
    }
}
