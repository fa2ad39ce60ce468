package dev.ron.node;

import static dev.ron.node.cli.Ron.ron;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.kernel.testkit.Eventually;
import dev.ron.node.cli.Ron.Said;
import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A node as its users meet it: a real process, real sockets, real signals. */
final class NodeTest {
    /** One node for all that only ask. */
    @TempDir
    static Path common;

    private static NodeProcess node;

    @TempDir
    Path folder;

    @BeforeAll
    static void start() {
        node = NodeProcess.up(common);
    }

    @AfterAll
    static void stop() {
        node.close();
    }

    @Test
    void answersOnEveryListenerAndSaysWhereTheyAre() {
        assertThat(node.out()).contains("SERVICE", "http://127.0.0.1:" + node.port("ops"), "ready in ");
        assertThat(node.get("ops", "/readyz")).startsWith("HTTP/1.1 200").contains("\"ready\":true");
        assertThat(node.get("ops", "/healthz")).startsWith("HTTP/1.1 200");
        assertThat(node.get("ops", "/metrics")).contains("queue_depth", "tasks_spawned_total", "ready_state");
        assertThat(node.get("ops", "/api/v1/status"))
                .contains(
                        "\"schema\":\"ron-status/1\"",
                        "\"name\":\"demo\"",
                        "\"metrics_addr\":\"127.0.0.1:" + node.port("ops") + "\"");
        assertThat(node.get("demo", "/readyz")).startsWith("HTTP/1.1 200");
        assertThat(node.get("demo", "/metrics")).startsWith("HTTP/1.1 404");
        assertThat(node.get("demo", "/status/418")).startsWith("HTTP/1.1 418");
        assertThat(node.get("demo", "/delay/nan")).startsWith("HTTP/1.1 400").contains("\"reason\":\"number\"");
    }

    @Test
    void theBannerHasAnApprovalToPasteAlsoWhereTheSystemChoseThePorts() {
        assertThat(node.out())
                .containsPattern("registry approve p_[a-z2-7]{26} --key data/demo/keys/ann\\.key --url "
                        + node.url("ops") + "\\s");
    }

    // the ops plane is on 127.0.0.1, the services are on another address of this machine  ->  commands find them
    @Test
    void aNodeThatIsBoundToOneAddressIsFoundByItsCommands() throws IOException {
        boolean six = NetworkInterface.getByInetAddress(InetAddress.ofLiteral("::1")) != null;
        try (NodeProcess node = NodeProcess.up(folder, "--bind", six ? "::1" : "127.0.0.2")) {
            assertThat(node.out()).contains((six ? "http://[::1]:" : "http://127.0.0.2:") + node.port("registry"));
            Said log = ron("registry", "log", "--url", node.url("ops"));
            assertThat(log.out()).as(log.err()).contains("genesis");
            String data = folder.resolve("data").toString();
            Said token = ron("token", "issue", "--tenant", "acme", "--url", node.url("ops"), "--data", data);
            assertThat(token.out()).as(token.err()).startsWith("pct1~");
        }
    }

    // top | a reader that has had enough  ->  it ends by itself
    @Test
    @Timeout(120)
    void lookingEndsWhereNobodyReadsAnyMore() throws Exception {
        for (String how : List.of("", "--json")) {
            String top = "'" + String.join("' '", NodeProcess.java()) + "' top --every 20 " + how;
            assertThat(new Shell(folder).run(Duration.ofMinutes(1), top + " --url " + node.url("ops") + " | head -1"))
                    .isNotBlank();
        }
    }

    @Test
    void theGatewayLeadsToTheDemo() {
        assertThat(node.get("gateway", "/demo/echo")).startsWith("HTTP/1.1 401").contains("WWW-Authenticate: Bearer");
        String token = node.demoToken();
        Eventually.await(
                "the gateway has heard the issuer",
                () -> node.get("gateway", "/demo/echo", token).startsWith("HTTP/1.1 200"));
        assertThat(node.get("gateway", "/demo/echo", token)).contains("GET /echo");
        assertThat(node.get("gateway", "/demo/slow", token)).startsWith("HTTP/1.1 200");
        assertThat(node.get("gateway", "/demo/status/418", token)).startsWith("HTTP/1.1 418");
        assertThat(node.get("gateway", "/demo/bytes/300000", token)).contains("Content-Length: 300000");
        assertThat(node.get("ops", "/admin/tenants")).contains("\"id\":\"acme\"", "\"upstream\":\"demo-slow\"");
        assertThat(node.get("ops", "/admin/routes")).contains("\"path\":\"/demo/**\"");
        assertThat(node.get("ops", "/admin/upstreams")).contains("\"limit\":8");
        assertThat(node.get("ops", "/admin/refusals")).contains("\"reason\":\"unauth\"");
        assertThat(node.get("gateway", "/readyz")).startsWith("HTTP/1.1 200");
        assertThat(node.get("gateway", "/elsewhere")).startsWith("HTTP/1.1 404").contains("\"reason\":\"no_route\"");
        assertThat(node.get("ops", "/metrics"))
                .contains(
                        "gateway_upstream_requests_total{service=\"gateway\",status_class=\"2xx\",upstream=\"demo\"}");
    }

    @Test
    void contradictoryFramingIsRefusedAndTheConnectionClosed() {
        String answer = node.exchange(
                "demo",
                "POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n");
        assertThat(answer).startsWith("HTTP/1.1 400").containsIgnoringCase("connection: close");
    }

    // SIGTERM | requests in flight | a request that comes later  ->  the first answered, exit 0
    @Test
    void sigtermAnswersWhatWasAcceptedAndExitsClean() throws IOException {
        try (NodeProcess node = NodeProcess.up(folder)) {
            List<Socket> inFlight = new ArrayList<>();
            for (int i = 0; i < 40; i++) {
                Socket socket = new Socket(InetAddress.getLoopbackAddress(), node.port("demo"));
                socket.setSoTimeout(30_000);
                socket.getOutputStream()
                        .write("GET /delay/2000 HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
                inFlight.add(socket);
            }
            Eventually.await(
                    "all are in hand",
                    () -> node.get("ops", "/metrics")
                            .contains("inflight{bound=\"demo-inflight\",service=\"demo\"} 40.0"));
            node.signal("TERM");
            for (Socket socket : inFlight) {
                String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
                assertThat(answer).startsWith("HTTP/1.1 200").contains("waited 2000 ms");
                socket.close();
            }
            assertThat(node.exitCode()).isZero();
            assertThat(node.err()).contains("nothing was abandoned");
        }
    }

    // the start | SIGTERM at any moment of it  ->  it comes up, drains, exit 0
    @Test
    void aStopThatIsAskedWhileTheNodeStartsEndsClean() throws IOException {
        try (NodeProcess node = NodeProcess.start(folder, "up", "--port-base", "0")) {
            Eventually.await("the start has begun", () -> Files.exists(folder.resolve("data/ron.lock")));
            node.signal("TERM");
            assertThat(node.exitCode()).as(node.err()).isZero();
            assertThat(node.err()).contains("nothing was abandoned");
        }
    }

    @Test
    void aSecondInterruptStopsAtOnceAndSaysWhatWasAbandoned() throws IOException {
        try (NodeProcess node = NodeProcess.up(folder);
                Socket socket = new Socket(InetAddress.getLoopbackAddress(), node.port("demo"))) {
            socket.getOutputStream()
                    .write("GET /delay/30000 HTTP/1.1\r\nHost: x\r\nRequest-Timeout: 4\r\n\r\n"
                            .getBytes(StandardCharsets.US_ASCII));
            Eventually.await(
                    "it is in hand",
                    () -> node.get("ops", "/metrics")
                            .contains("inflight{bound=\"demo-inflight\",service=\"demo\"} 1.0"));
            node.signal("INT");
            Eventually.await("it drains", () -> node.err().contains("shutdown requested by sigint"));
            node.signal("INT");
            assertThat(node.exitCode()).isEqualTo(ExitCode.ABORTED.code());
            assertThat(node.err()).contains("stopped after", "abandoned: ");
        }
    }

    @Test
    void misspeltKeyNamesFileLineAndNearestKey() throws IOException {
        Files.writeString(folder.resolve("ron.toml"), "[node]\nport_base = 0\nport_bse = 1\nbindd = \"x\"\n");
        try (NodeProcess node = NodeProcess.start(folder, "up")) {
            assertThat(node.exitCode()).isEqualTo(ExitCode.BAD_CONFIG.code());
            assertThat(node.err())
                    .contains("ron.toml:3: node.port_bse: unknown key (did you mean port_base?)")
                    .contains("ron.toml:4: node.bindd: unknown key (did you mean bind?)")
                    .contains("2 problems; nothing was started");
            assertThat(folder.resolve("data")).doesNotExist();
        }
    }

    @Test
    void whatACommandPrintsReachesItsReader() {
        try (NodeProcess show = NodeProcess.start(folder, "config", "show")) {
            assertThat(show.exitCode()).isZero();
            assertThat(show.out()).contains("KEY", "node.port_base", "8080", "default");
        }
    }

    @Test
    void reloadAppliesWhatIsRightAndKeepsWhatRunsOtherwise() throws IOException {
        Path file = folder.resolve("ron.toml");
        Files.writeString(file, "[node]\n");
        try (NodeProcess node = NodeProcess.up(folder, "--demo")) {
            Files.writeString(file, "[node.shutdown]\ndrain_deadline = \"7s\"\n");
            node.signal("HUP");
            Eventually.await(
                    "version 2 is in force", () -> node.get("ops", "/readyz").contains("\"config_version\":2"));
            Files.writeString(file, "[node.shutdown]\ndrain_deadline = \"soon\"\n");
            node.signal("HUP");
            Eventually.await(
                    "the refusal is counted",
                    () -> node.get("ops", "/metrics").contains("config_reloads_total{outcome=\"invalid\""));
            assertThat(node.get("ops", "/readyz")).contains("\"config_version\":2");
        }
    }

    @Test
    void oneFolderServesOneNode() {
        try (NodeProcess second = NodeProcess.start(
                folder,
                "up",
                "--port-base",
                "0",
                "--data",
                common.resolve("data").toString())) {
            assertThat(second.exitCode()).isEqualTo(ExitCode.LOCKED.code());
            // before a reload people check: the node that runs is not in its own way
            assertThat(ron(
                                    "check",
                                    "--port-base",
                                    "0",
                                    "--data",
                                    common.resolve("data").toString())
                            .out())
                    .contains("of the node that runs with it", "all good");
            assertThat(node.get("ops", "/readyz")).startsWith("HTTP/1.1 200");
        }
    }

    @Test
    void takenPortNamesThePortAndTheFlag() throws IOException {
        try (ServerSocket taken = new ServerSocket(0)) {
            int base = taken.getLocalPort() - 5;
            try (NodeProcess node = NodeProcess.start(folder, "up", "--port-base", String.valueOf(base))) {
                assertThat(node.exitCode()).isEqualTo(ExitCode.CANNOT_BIND.code());
                assertThat(node.err()).contains("port " + taken.getLocalPort(), "--port-base");
                if (Files.isReadable(Path.of("/proc/net/tcp"))) {
                    assertThat(node.err())
                            .contains("process " + ProcessHandle.current().pid() + " (", "java")
                            .doesNotContain("shutdown requested");
                }
            }
        }
    }

    @Test
    void microWritesNoFile() throws IOException {
        try (NodeProcess node = NodeProcess.up(folder, "--profile", "micro")) {
            assertThat(node.out()).contains("nothing is written");
            try (Stream<Path> files = Files.list(folder)) {
                assertThat(files.map(f -> f.getFileName().toString()))
                        .containsExactlyInAnyOrder("out.txt", "err.txt", "ports.json");
            }
        }
    }

    @Test
    void actionsNeedTheOperatorsCredential() throws IOException {
        try (NodeProcess node = NodeProcess.up(folder)) {
            Path file = folder.resolve("data/operator.token");
            assertThat(Files.getPosixFilePermissions(file)).isEqualTo(PosixFilePermissions.fromString("rw-------"));
            String token = Files.readString(file).strip();
            assertThat(node.exchange("ops", post("/api/v1/shutdown", "application/json", "wrong")))
                    .startsWith("HTTP/1.1 401");
            assertThat(node.exchange("ops", post("/api/v1/shutdown", "text/plain", token)))
                    .startsWith("HTTP/1.1 415");
            assertThat(node.exchange("ops", post("/api/v1/shutdown", "application/json", token)))
                    .startsWith("HTTP/1.1 202");
            assertThat(node.exitCode()).isZero();
            assertThat(node.err()).doesNotContain(token);
        }
    }

    private static String post(String path, String type, String token) {
        return "POST " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: " + type
                + "\r\nAuthorization: Bearer " + token + "\r\nContent-Length: 2\r\n\r\n{}";
    }

    // a traced request -> its span, continued from the caller's trace, reaches the collector
    @Test
    void spansReachTheCollector() throws Exception {
        try (ServerSocket collector = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            String endpoint = "http://127.0.0.1:" + collector.getLocalPort();
            try (NodeProcess node = NodeProcess.up(folder, "--set", "node.trace.otlp_endpoint=" + endpoint)) {
                String trace = "4bf92f3577b34da6a3ce929d0e0e4736";
                node.exchange(
                        "demo",
                        "GET /echo HTTP/1.1\r\nHost: x\r\nConnection: close\r\ntraceparent: 00-" + trace
                                + "-00f067aa0ba902b7-01\r\n\r\n");
                collector.setSoTimeout(30_000);
                try (Socket socket = collector.accept()) {
                    socket.setSoTimeout(30_000);
                    StringBuilder posted = new StringBuilder();
                    while (!posted.toString().contains(trace)) {
                        byte[] more = new byte[4096];
                        int n = socket.getInputStream().read(more);
                        assertThat(n).as("bytes after: %s", posted).isPositive();
                        posted.append(new String(more, 0, n, StandardCharsets.UTF_8));
                    }
                    assertThat(posted).contains("POST /v1/traces", "svc.demo.echo", "00f067aa0ba902b7");
                }
            }
        }
    }

    // 300 callers that send a byte now and then | a probe  ->  the probe is answered
    @Test
    void slowCallersDoNotKeepAProbeWaiting() throws IOException {
        List<Socket> slow = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            Socket socket = new Socket(InetAddress.getLoopbackAddress(), node.port("demo"));
            socket.getOutputStream().write("GET /ec".getBytes(StandardCharsets.US_ASCII));
            slow.add(socket);
        }
        assertThat(node.get("ops", "/readyz")).startsWith("HTTP/1.1 200");
        assertThat(node.get("demo", "/readyz")).startsWith("HTTP/1.1 200");
        for (Socket socket : slow) {
            socket.close();
        }
    }
}
