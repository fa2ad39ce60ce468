package dev.ron.node;

import static dev.ron.node.cli.Ron.ron;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.http.json.StrictJson;
import dev.ron.kernel.testkit.Eventually;
import dev.ron.kernel.time.Clock;
import dev.ron.node.cli.Ron.Said;
import dev.ron.service.config.Config;
import dev.ron.service.config.ConfigLoader;
import dev.ron.service.config.ConfigResult;
import dev.ron.service.config.Sources;
import dev.ron.service.log.LogFormat;
import dev.ron.service.log.Logs;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** All five services in one process, and one task of one of them beyond help. */
@Timeout(180)
final class QuarantineTest {
    private static final String WORKER = "issuance-1";
    private static final String TILE = "/edge/tiles/world/0/0/0.mvt";
    private static final String CAUSE = WORKER + " failed too often and is in quarantine";

    @TempDir
    Path folder;

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final DefectiveClock clock = new DefectiveClock();
    private Node node;

    @BeforeEach
    void start() throws Exception {
        Sources sources = Sources.none()
                .withFlag("test", "node.data", folder.resolve("data").toString())
                .withFlag("test", "node.port_base", "0")
                .withFlag("test", "node.log.level", "error")
                .withFlag("test", "admin.polling.status_interval", "1s");
        if (!(ConfigLoader.load(NodeSections.ALL, sources) instanceof ConfigResult.Loaded(Config config))) {
            throw new IllegalStateException("the settings do not load");
        }
        Logs logs = Logs.install(LogFormat.TEXT, "error", System.err);
        node = Node.start(config, () -> ConfigLoader.load(NodeSections.ALL, sources), true, clock, logs);
    }

    @AfterEach
    void stop() throws IOException {
        client.close();
        node.close();
    }

    // a worker of the office fails at every order -> quarantine | the other four | resume
    //   ->  the four serve all the time, status names the worker, and after resume the office is well
    @Test
    void aTaskInQuarantineLeavesTheOtherServicesServingUntilItIsResumed() {
        String token = node.demoToken().orElseThrow();
        String capability = capability();
        Eventually.await(
                "the gateway has heard the issuer",
                () -> get("gateway", "/demo/echo", token).statusCode() == 200);
        Eventually.await("the node is ready", () -> get("ops", "/readyz", "").statusCode() == 200);

        Eventually.await("the map is mounted", () -> get("edge", TILE, "").statusCode() == 200);

        clock.defective = true;
        Eventually.await("quarantine", () -> {
            issue();
            return passport().path("notes").asString("").contains("quarantine");
        });

        JsonNode status = json("/api/v1/status");
        assertThat(status.path("ready").asBoolean(true)).isFalse();
        assertThat(passport().path("notes").asString("")).contains(CAUSE);
        assertThat(passport().path("health").asString("")).isEqualTo("down");
        Said said = ron("status", "--url", url("ops"));
        assertThat(said.code()).isEqualTo(ExitCode.NO.code());
        assertThat(said.out()).contains("NOT READY", CAUSE);
        assertThat(get("passport", "/readyz", "").statusCode()).isEqualTo(503);

        theOthersServe(token, capability);
        Eventually.await(
                "the console names it",
                () -> get("admin", "/api/nodes", "").body().contains(CAUSE));

        clock.defective = false;
        Said resumed = ron(
                "resume", "--url", url("ops"), "--data", folder.resolve("data").toString());
        assertThat(resumed.out()).as(resumed.err()).contains("tasks let out of quarantine: 1");
        Eventually.await(
                "the office is ready",
                () -> get("passport", "/readyz", "").statusCode() == 200
                        && get("ops", "/readyz/write", "").statusCode() == 200);
        for (int i = 0; i < 20; i++) {
            assertThat(issue().statusCode()).isEqualTo(200);
        }
        assertThat(ron("status", "--url", url("ops")).code()).isZero();
    }

    /** A proxied request, a tile, a commit, a page: and each says of itself that it is ready. */
    private void theOthersServe(String token, String capability) {
        for (String service : NodeSections.SERVICES) {
            if (!service.equals("passport")) {
                assertThat(get(service, "/readyz/write", "").statusCode())
                        .as(service)
                        .isEqualTo(200);
            }
        }
        assertThat(get("gateway", "/demo/echo", token).statusCode()).isEqualTo(200);
        HttpResponse<String> tile = get("edge", TILE, "");
        assertThat(tile.statusCode()).isEqualTo(200);
        assertThat(tile.body()).isNotEmpty();
        String keys = folder.resolve("data/demo/keys").toString();
        Said committed = ron(
                "registry",
                "approve",
                node.waitingProposals().getFirst(),
                "--yes",
                "--commit",
                "--key",
                keys + "/ann.key",
                "--key",
                keys + "/ben.key",
                "--capability",
                capability,
                "--registry-url",
                url("registry"));
        assertThat(committed.out()).as(committed.err()).contains("version 2");
        assertThat(get("registry", "/registry/head", "").body()).contains("\"version\":2");
        assertThat(get("admin", "/", "").body()).contains("<title>");
    }

    private JsonNode passport() {
        for (JsonNode plane : json("/api/v1/status").path("planes")) {
            if (plane.path("name").asString("").equals("passport")) {
                return plane;
            }
        }
        throw new AssertionError("no plane of the office");
    }

    private HttpResponse<String> issue() {
        return order("{\"subject_ref\":\"someone\",\"audience\":[\"svc-demo\"],\"ttl_s\":60}");
    }

    private String capability() {
        HttpResponse<String> issued = order("""
                {"subject_ref":"someone","audience":["svc-registry"],"ttl_s":600,
                "caveats":["scope=registry:approve,registry:commit"]}""");
        return tree(issued.body()).path("token").asString("");
    }

    private HttpResponse<String> order(String body) {
        try {
            String key = Files.readString(folder.resolve("data/passport/bootstrap.key"))
                    .strip();
            return send(request("passport", "/v1/passport/issue", key)
                    .header("Content-Type", "application/json")
                    .POST(HttpRequest.BodyPublishers.ofString(body)));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private JsonNode json(String path) {
        return tree(get("ops", path, "").body());
    }

    private static JsonNode tree(String text) {
        return new StrictJson().tree(text.getBytes(StandardCharsets.UTF_8));
    }

    private HttpResponse<String> get(String listener, String path, String token) {
        return send(request(listener, path, token));
    }

    private HttpRequest.Builder request(String listener, String path, String token) {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(URI.create(url(listener) + path)).timeout(Duration.ofSeconds(30));
        return token.isEmpty() ? request : request.header("Authorization", "Bearer " + token);
    }

    private HttpResponse<String> send(HttpRequest.Builder request) {
        try {
            return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
        } catch (IOException e) {
            throw new AssertionError(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    private String url(String listener) {
        return "http://127.0.0.1:" + node.ports().get(listener);
    }

    /** The system's clock, which a worker of the office cannot bear to look at while {@link #defective}. */
    private static final class DefectiveClock implements Clock {
        volatile boolean defective;

        @Override
        public long nanos() {
            return Clock.system().nanos();
        }

        @Override
        public Instant now() {
            if (defective && Thread.currentThread().getName().endsWith("/" + WORKER)) {
                throw new IllegalStateException("a defect");
            }
            return Clock.system().now();
        }

        @Override
        public void park(Object blocker, long untilNanos) {
            Clock.system().park(blocker, untilNanos);
        }
    }
}
