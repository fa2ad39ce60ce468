package dev.ron.service.ops;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.http.guard.InflightGuard;
import dev.ron.http.loop.EventLoops;
import dev.ron.http.server.HostConfig;
import dev.ron.http.server.HostParts;
import dev.ron.http.server.HttpHost;
import dev.ron.http.server.Routes;
import dev.ron.http.testing.RawClient;
import dev.ron.http.testing.RawClient.Answer;
import dev.ron.kernel.Kernel;
import dev.ron.kernel.task.Backoff;
import dev.ron.kernel.testkit.Eventually;
import dev.ron.kernel.testkit.NoLeaks;
import dev.ron.kernel.time.Clock;
import dev.ron.kernel.time.Deadline;
import dev.ron.kernel.topology.Topology;
import dev.ron.service.config.Change;
import dev.ron.service.config.Config;
import dev.ron.service.config.ConfigLoader;
import dev.ron.service.config.ConfigResult;
import dev.ron.service.config.Default;
import dev.ron.service.config.OnChange;
import dev.ron.service.config.Section;
import dev.ron.service.config.Sources;
import dev.ron.service.lifecycle.Frame;
import dev.ron.service.lifecycle.FrameSettings;
import dev.ron.service.lifecycle.FrameStatus;
import dev.ron.service.lifecycle.RonService;
import dev.ron.service.lifecycle.ServiceContext;
import dev.ron.service.log.AccessLines;
import dev.ron.service.log.LogFormat;
import dev.ron.service.log.Logs;
import dev.ron.service.metrics.HttpMetrics;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

@ExtendWith(NoLeaks.class)
class OpsTest {
    record Limits(
            @Default("1") @OnChange(Change.HOT) int rps,
            @Default("1") int capacity) {}

    private static final String TOKEN = "ron_op_test";
    private static final HostParts PARTS = HostParts.of("ops", 64);

    /** A service of which the only part is its name. */
    private static final class Quiet implements RonService {
        @Override
        public String name() {
            return "quiet";
        }

        @Override
        public Topology topology() {
            return Topology.of("quiet", "does nothing");
        }

        @Override
        public void start(ServiceContext context) {
            context.listensAt("127.0.0.1:1");
        }
    }

    private final Clock clock = Clock.system();
    private final ByteArrayOutputStream log = new ByteArrayOutputStream();
    private final AtomicReference<Sources> sources = new AtomicReference<>(Sources.none());
    private final Frame frame = open();
    private final Kernel kernel = new Kernel(
            new Topology("ops", "the ops plane under test", PARTS.parts()),
            clock,
            frame.ownMetrics(),
            Backoff.Policy.DEFAULT,
            crash -> {});
    private final EventLoops loops = new EventLoops("ops", 1);
    private final HttpHost host = bind();

    @BeforeEach
    void start() throws Exception {
        kernel.attach(frame.shutdown());
        frame.start(List.of(new Quiet()));
    }

    @AfterEach
    void stop() {
        frame.shutdown().request("test", "done");
        frame.awaitStopped(soon());
        host.close();
        loops.close();
    }

    @Test
    void probesAnswerFromSnapshots() {
        Answer health = get("/healthz");
        assertThat(health.status()).isEqualTo(200);
        assertThat(health.body()).isEqualTo("{\"ok\":true,\"checks\":{\"scheduler\":\"ok\",\"clock\":\"ok\"}}");
        assertThat(health.header("Cache-Control")).contains("no-store");
        Answer ready = get("/readyz");
        assertThat(ready.status()).isEqualTo(200);
        assertThat(json(ready).get("write_ready").asBoolean()).isTrue();
        assertThat(get("/readyz/write").status()).isEqualTo(200);
    }

    @Test
    void aDrainShowsInBothProbesAndResumeTakesItBack() {
        assertThat(act("/api/v1/drain", "{}").status()).isEqualTo(202);
        Answer ready = get("/readyz");
        assertThat(ready.status()).isEqualTo(503);
        assertThat(ready.header("Retry-After")).contains("1");
        assertThat(json(ready).get("missing").toString()).isEqualTo("[\"draining\"]");
        assertThat(get("/readyz/write").status()).isEqualTo(503);
        assertThat(get("/healthz").status()).as("alive is not ready").isEqualTo(200);
        assertThat(get("/metrics").body()).contains("readyz_fail_total{key=\"draining\",service=\"node\"} 2.0");
        assertThat(act("/api/v1/resume", "{}").body()).isEqualTo("{\"accepted\":true,\"resumed_tasks\":0}");
        assertThat(get("/readyz").status()).isEqualTo(200);
    }

    @Test
    void statusAndVersionNameTheService() {
        JsonNode status = json(get("/api/v1/status"));
        assertThat(status.get("schema").asString()).isEqualTo("ron-status/1");
        assertThat(status.get("service").asString()).isEqualTo("svc-quiet");
        assertThat(status.get("http_addr").asString()).isEqualTo("127.0.0.1:1");
        assertThat(status.get("planes").toString())
                .isEqualTo("[{\"name\":\"quiet\",\"health\":\"healthy\",\"ready\":true,\"restart_count\":0}]");
        JsonNode version = json(get("/version"));
        assertThat(version.get("service").asString()).isEqualTo("svc-quiet");
        assertThat(version.get("features").toString()).isEqualTo("[\"quiet\"]");
    }

    @Test
    void metricsComeInTheFormatThatIsAskedFor() {
        Answer text = get("/metrics");
        assertThat(text.header("Content-Type").orElse("")).startsWith("text/plain");
        Answer open = ask("GET /metrics HTTP/1.1\r\nHost: localhost\r\nAccept: application/openmetrics-text\r\n\r\n");
        assertThat(open.header("Content-Type").orElse("")).startsWith("application/openmetrics-text");
        assertThat(open.body()).endsWith("# EOF\n");
        assertThat(open.body())
                .contains("http_requests_total{method=\"GET\",route=\"/metrics\",service=\"node\",status=\"200\"} 1.0")
                .contains("request_latency_seconds_count{method=\"GET\",route=\"/metrics\",service=\"node\"} 1");
    }

    @Test
    void reloadTellsHowItWent() {
        sources.set(Sources.none().withSet("limits.rps=5"));
        Answer applied = act("/api/v1/reload", "");
        assertThat(applied.status()).isEqualTo(202);
        assertThat(applied.body())
                .isEqualTo(
                        "{\"accepted\":true,\"outcome\":\"applied\",\"config_version\":2,\"message\":\"limits.rps: 1 -> 5\"}");
        assertThat(applied.header("Location")).contains("/api/v1/reload");
        sources.set(Sources.none().withSet("limits.rps=5").withSet("limits.capacity=9"));
        assertThat(json(act("/api/v1/reload", "{}")).get("outcome").asString()).isEqualTo("restart_required");
        assertThat(get("/api/v1/reload").body())
                .isEqualTo("{\"source\":\"api\",\"outcome\":\"restart_required\",\"config_version\":2}");
    }

    @Test
    void shutdownIsAcceptedOnce() {
        Answer first = act("/api/v1/shutdown", "{\"reason\":\"maintenance\"}");
        assertThat(first.status()).isEqualTo(202);
        assertThat(first.body()).isEqualTo("{\"accepted\":true,\"drain_deadline_ms\":10000}");
        Answer second = act("/api/v1/shutdown", "{}");
        assertThat(second.status()).isEqualTo(409);
        assertThat(json(second).get("reason").asString()).isEqualTo("draining");
        frame.awaitStopped(soon());
        assertThat(get("/healthz").status()).as("stopped").isEqualTo(503);
        Eventually.await("logged", () -> logged().contains("\"action\":\"shutdown\""));
        assertThat(logged()).contains("\"reason\":\"maintenance\"").doesNotContain(TOKEN);
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = ';',
            value = {
                "no credential; localhost; ; application/json; ; 401; missing_credential",
                "wrong credential; localhost; Authorization: Bearer nope; application/json; ; 401; bad_credential",
                "basic; localhost; Authorization: Basic ron_op_test; application/json; ; 401; bad_credential",
                "a form; localhost; Authorization: Bearer ron_op_test; application/x-www-form-urlencoded; ; 415; content_type",
                "plain text; localhost; Authorization: Bearer ron_op_test; text/plain; ; 415; content_type",
                "foreign origin; localhost; Authorization: Bearer ron_op_test; application/json; Origin: https://evil.test; 403; foreign_origin",
                "null origin; localhost; Authorization: Bearer ron_op_test; application/json; Origin: null; 403; foreign_origin",
                "cross site; localhost; Authorization: Bearer ron_op_test; application/json; Sec-Fetch-Site: cross-site; 403; foreign_origin",
                "rebound name; evil.test; Authorization: Bearer ron_op_test; application/json; ; 421; host",
                "rebound look-alike; 127.0.0.1.evil.test; Authorization: Bearer ron_op_test; application/json; ; 421; host",
            })
    void noPageAndNoStrangerCanAct(
            String what,
            String hostName,
            @Nullable String credential,
            String type,
            @Nullable String extra,
            int status,
            String reason) {
        StringBuilder head = new StringBuilder("POST /api/v1/shutdown HTTP/1.1\r\nHost: ")
                .append(hostName)
                .append("\r\n");
        for (@Nullable String line : new @Nullable String[] {credential, "Content-Type: " + type, extra}) {
            if (line != null && !line.isBlank()) {
                head.append(line).append("\r\n");
            }
        }
        Answer answer = ask(head + "Content-Length: 2\r\n\r\n{}");
        assertThat(answer.status()).as(what).isEqualTo(status);
        assertThat(json(answer).get("reason").asString()).isEqualTo(reason);
        assertThat(frame.shutdown().running()).isTrue();
        assertThat(get("/metrics").body())
                .contains((status == 401 || status == 403 ? "auth_failures_total" : "rejected_total") + "{reason=\""
                        + reason + "\",service=\"node\"} 1.0");
    }

    @Test
    void aPageOfOurOwnOriginMayAct() {
        assertThat(ask("POST /api/v1/resume HTTP/1.1\r\nHost: 127.0.0.1:99\r\nOrigin: http://127.0.0.1:99\r\n"
                                + "Content-Type: application/json; charset=utf-8\r\nAuthorization: Bearer " + TOKEN
                                + "\r\nContent-Length: 2\r\n\r\n{}")
                        .status())
                .isEqualTo(202);
    }

    @Test
    void aBodyThatIsNotUnderstoodIsRefused() {
        assertThat(act("/api/v1/drain", "{\"forse\":true}").status()).isEqualTo(400);
        assertThat(act("/api/v1/drain", "nonsense").status()).isEqualTo(400);
        assertThat(frame.ready().ready()).isTrue();
    }

    private Answer get(String path) {
        return ask("GET " + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n");
    }

    private Answer act(String path, String body) {
        return ask("POST " + path
                + " HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nAuthorization: Bearer " + TOKEN
                + "\r\nContent-Length: " + body.length() + "\r\n\r\n" + body);
    }

    private Answer ask(String request) {
        try (RawClient client = new RawClient(host.port())) {
            return client.send(request).read();
        }
    }

    private HttpHost bind() {
        HostConfig config = HostConfig.DEFAULTS;
        Routes routes = new Routes(config, new InflightGuard(kernel.permits(PARTS.inflight(), 64)));
        OperatorGuard guard = new OperatorGuard(Set.of(), TOKEN::equals);
        new OpsRoutes(frame, new FrameStatus(frame, Map.of()), guard).addTo(routes);
        return HttpHost.builder(kernel, loops, PARTS)
                .config(config)
                .meter(new HttpMetrics(frame.ownMetrics()))
                .accessLog(new AccessLines(clock))
                .bind("127.0.0.1", 0, routes.build());
    }

    private Frame open() {
        Logs logs = Logs.install(LogFormat.JSON, "info", log);
        if (!(load() instanceof ConfigResult.Loaded(Config first))) {
            throw new AssertionError();
        }
        return Frame.open(FrameSettings.defaults(), clock, first, this::load, logs);
    }

    private ConfigResult load() {
        List<Section<?>> sections = List.of(Section.of("limits", Limits.class));
        return ConfigLoader.load(sections, sources.get());
    }

    private String logged() {
        return log.toString(StandardCharsets.UTF_8);
    }

    private static JsonNode json(Answer answer) {
        return JsonMapper.shared().readTree(answer.body());
    }

    private Deadline soon() {
        return Deadline.after(clock, Duration.ofSeconds(30));
    }
}
