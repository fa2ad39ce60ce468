package dev.ron.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.http.testing.RawServer;
import dev.ron.kernel.testkit.Eventually;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Nodes that fail in every way there is, all watched by one console beside a good one. */
class FaultyNodesTest {
    private static final Map<String, FakeNode> NODES = new LinkedHashMap<>();
    private static final AtomicInteger FLAKY = new AtomicInteger();
    private static FakeNode elsewhere;
    private static ConsoleProcess console;

    private static FakeNode node(String id) {
        FakeNode node = new FakeNode();
        NODES.put(id, node);
        return node;
    }

    private static FakeNode known(String id) {
        return java.util.Objects.requireNonNull(NODES.get(id));
    }

    private static void metrics(String id, RawServer.Script script) {
        node(id).on("/metrics", script);
    }

    private static String head(String more) {
        return "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n" + more + "\r\n";
    }

    @BeforeAll
    static void start() throws Exception {
        elsewhere = new FakeNode();
        node("good");
        metrics("hangs", (peer, n) -> peer.awaitClose());
        metrics("stalls", (peer, n) -> {
            peer.write(head("Content-Length: 1000\r\n") + "a 1\n");
            peer.awaitClose();
        });
        metrics("trickles", (peer, n) -> {
            peer.write(head("Content-Length: 1000000\r\n"));
            while (true) {
                peer.write("a");
                Thread.onSpinWait();
                java.util.concurrent.locks.LockSupport.parkNanos(20_000_000);
            }
        });
        metrics("resets", (peer, n) -> peer.reset());
        metrics(
                "redirects",
                (peer, n) -> peer.write("HTTP/1.1 302 Found\r\nLocation: " + elsewhere.url()
                        + "/metrics\r\nContent-Length: 0\r\n\r\n"));
        metrics("endless", (peer, n) -> {
            peer.write(head("Transfer-Encoding: chunked\r\n"));
            String piece = "m{x=\"y\"} 1\n".repeat(1000);
            while (true) {
                peer.write(Integer.toHexString(piece.length()) + "\r\n" + piece + "\r\n");
            }
        });
        metrics("large", (peer, n) -> {
            peer.write(head("Content-Length: 4194305\r\n"));
            peer.awaitClose();
        });
        metrics("html", (peer, n) -> peer.write(FakeNode.answer(200, "text/html", "<html>a 1</html>")));
        metrics("garbage", (peer, n) -> peer.write(FakeNode.answer(200, "text/plain", "\u0001\u0002\n???\n= = =\n")));
        metrics(
                "zipped",
                (peer, n) -> peer.write(
                        "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 4\r\n\r\n\u001f\u008b\u0008\u0000"));
        metrics("missing", (peer, n) -> peer.write(FakeNode.answer(404, "text/plain", "")));
        metrics("denies", (peer, n) -> peer.write(FakeNode.answer(401, "text/plain", "")));
        metrics(
                "markup",
                (peer, n) -> peer.write(FakeNode.answer(
                        200, "text/plain", "gateway_x{tenant=\"<script>alert(1)</script>\"} NaN\ngateway_y 1\n")));
        FakeNode flaky = node("flaky");
        flaky.on("/metrics", (peer, n) -> {
            boolean bad = FLAKY.incrementAndGet() % 3 != 0;
            peer.write(
                    bad ? FakeNode.answer(503, "text/plain", "") : FakeNode.answer(200, "text/plain", "gateway_z 1\n"));
        });
        node("absent-status").says("/api/v1/status", 404, "");
        node("big-status").on("/api/v1/status", (peer, n) -> {
            peer.write("HTTP/1.1 200 OK\r\nContent-Length: 1048576\r\n\r\n");
            peer.awaitClose();
        });
        node("hung-ready").on("/readyz", (peer, n) -> peer.awaitClose());
        node("unready")
                .says(
                        "/readyz",
                        503,
                        "{\"ready\":false,\"missing\":[\"dep:db\"],\"causes\":{\"dep:db\":\"connection refused\"}}");
        node("gone").close();
        String[] settings = new String[NODES.size() + 7];
        int i = 0;
        for (Map.Entry<String, FakeNode> one : NODES.entrySet()) {
            settings[i++] = "admin.nodes." + one.getKey() + ".base_url="
                    + one.getValue().url();
        }
        settings[i++] = "admin.polling.metrics_interval=500ms";
        settings[i++] = "admin.polling.metrics_window=30s";
        settings[i++] = "admin.polling.status_interval=500ms";
        settings[i++] = "admin.polling.retry.initial_min=1ms";
        settings[i++] = "admin.polling.retry.initial_max=5ms";
        settings[i++] = "admin.upstream.metrics_poll_timeout=300ms";
        settings[i] = "admin.upstream.status_timeout=600ms";
        console = ConsoleProcess.with(settings);
    }

    @AfterAll
    static void stop() {
        console.close();
        NODES.values().forEach(FakeNode::close);
        elsewhere.close();
    }

    private static JsonNode summary(String id) {
        return console.get("/api/nodes/" + id + "/metrics/summary").body();
    }

    private static void awaitError(String id, String... codes) {
        Eventually.await(
                id + " fails with " + List.of(codes) + " but: " + summary(id).path("lastError"),
                () -> List.of(codes)
                        .contains(summary(id).path("lastError").path("code").asString("")));
        assertThat(summary(id).path("lastError").path("detail").asString("")).isNotEmpty();
        assertThat(summary(id).path("totals").path("rps").isNull()).isTrue();
        assertThat(console.get("/api/nodes/" + id).body().path("metrics").asString(""))
                .isEqualTo("unavailable");
    }

    @Test
    void everyFailureOfMetricsIsShownAsItsCauseAndNoNumberIsMadeUp() {
        awaitError("hangs", "timeout");
        awaitError("stalls", "timeout");
        awaitError("trickles", "timeout");
        awaitError("resets", "reset", "connect");
        awaitError("redirects", "redirect");
        awaitError("endless", "too_large", "timeout");
        awaitError("large", "too_large");
        awaitError("html", "parse");
        awaitError("garbage", "parse");
        awaitError("zipped", "parse");
        awaitError("missing", "status");
        awaitError("denies", "denied");
        awaitError("gone", "connect");
        assertThat(elsewhere.requests("GET")).isEmpty();
    }

    @Test
    void theGoodNodeIsNotHeldUpByTheOthers() {
        Eventually.await(
                "the good node has a rate",
                () -> !summary("good").path("totals").path("rps").isNull());
        Eventually.await(
                "and is fresh", () -> summary("good").path("state").asString("").equals("fresh"));
        Eventually.await(
                "the good node is seen to be ready",
                () -> console.get("/api/nodes/good")
                        .body()
                        .path("state")
                        .asString("")
                        .equals("ready"));
    }

    @Test
    void twoFailuresOfAMomentAreTriedAgainWithinTheInterval() {
        Eventually.await(
                "a sample of the flaky node",
                () -> summary("flaky").path("state").asString("").equals("fresh"));
        assertThat(console.count("svc_admin_backoff_retries_total", Map.of("op", "metrics_poll")))
                .isPositive();
        assertThat(known("missing").requests("GET /metrics").size())
                .as("a 404 is not tried again within an interval")
                .isLessThan(known("flaky").requests("GET /metrics").size());
    }

    @Test
    void markupInALabelIsTextAndNotANumberIsNull() {
        Eventually.await(
                "series of the markup node",
                () -> console.get("/api/nodes/markup/metrics/keys")
                        .body()
                        .toString()
                        .contains("alert(1)"));
        ConsoleProcess.Answer keys = console.get("/api/nodes/markup/metrics/keys");
        assertThat(keys.header("Content-Type")).isEqualTo("application/json");
        keys.body().path("keys").forEach(key -> {
            if (key.path("key").asString("").contains("alert")) {
                assertThat(key.path("last").isNull()).isTrue();
            }
        });
    }

    @Test
    void whatAProbeSaysIsTheCauseOfTheColour() {
        awaitState("absent-status", "ready");
        awaitState("big-status", "degraded");
        awaitState("hung-ready", "unknown");
        awaitState("unready", "not_ready");
        awaitState("gone", "unreachable");
        assertThat(console.get("/api/nodes/unready")
                        .body()
                        .path("causes")
                        .path(0)
                        .path("text")
                        .asString(""))
                .contains("dep:db")
                .contains("connection refused");
        assertThat(console.get("/api/nodes/absent-status/status?cached=1")
                        .body()
                        .path("partial")
                        .asBoolean(false))
                .isTrue();
    }

    private static void awaitState(String id, String state) {
        Eventually.await(
                id + " is " + state + " but: " + console.get("/api/nodes/" + id).body(),
                () -> console.get("/api/nodes/" + id)
                        .body()
                        .path("state")
                        .asString("")
                        .equals(state));
    }

    @Test
    void aNodeThatIsAskedNowAnswersOrTheFailureIsTyped() {
        Eventually.await(
                "an answer within the limit",
                () -> console.get("/api/nodes/good/status")
                        .body()
                        .path("row")
                        .path("state")
                        .asString("")
                        .equals("ready"));
        ConsoleProcess.Answer gone = console.get("/api/nodes/gone/status");
        assertThat(gone.status()).isEqualTo(502);
        assertThat(gone.body().path("reason").asString("")).isEqualTo("upstream_connect");
        ConsoleProcess.Answer hung = console.get("/api/nodes/hung-ready/ready");
        assertThat(hung.status()).isEqualTo(504);
        assertThat(hung.body().path("reason").asString("")).isEqualTo("upstream_timeout");
        assertThat(console.get("/api/nodes/good/version")
                        .body()
                        .path("value")
                        .path("version")
                        .asString(""))
                .isEqualTo("1.0");
    }

    /** Whoever looks at a node together with others costs it one round. */
    @Test
    void aHundredWhoAskAtOnceAreOneRound() {
        FakeNode node = known("absent-status");
        int before = node.requests("GET /healthz").size();
        long started = System.nanoTime();
        List<Integer> answers = java.util.stream.IntStream.range(0, 100)
                .parallel()
                .mapToObj(i -> console.get("/api/nodes/absent-status/status").status())
                .toList();
        double seconds = (System.nanoTime() - started) / 1e9;
        assertThat(answers).containsOnly(200);
        int own = (int) (seconds * 2.5) + 2; // what its sampler asks meanwhile
        int live = (int) seconds + 2; // one round a second for everybody
        assertThat(node.requests("GET /healthz").size() - before).isLessThanOrEqualTo(own + live);
    }

    @Test
    void theConsoleItselfStaysReady() {
        assertThat(console.get("/readyz").status()).isEqualTo(200);
        assertThat(console.get("/healthz").status()).isEqualTo(200);
    }
}
