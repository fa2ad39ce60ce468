package dev.ron.node;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.ron.admin.ui.Suite;
import dev.ron.http.json.StrictJson;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** A real node, known people, a real browser: what is claimed stands in {@code admin/ui/test/node.test.mjs}. */
@Timeout(value = 6, unit = TimeUnit.MINUTES)
class ConsoleInBrowserTest {
    @TempDir
    Path folder;

    private HttpServer demo;
    private NodeProcess node;

    /** The demo's upstream stands outside the node, so that it can die alone; a POST to {@code /die} has it do so. */
    @BeforeEach
    void start() throws IOException {
        demo = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        demo.createContext("/", ConsoleInBrowserTest::answer);
        demo.createContext("/die", exchange -> {
            answer(exchange);
            Thread.ofVirtual().start(() -> demo.stop(0));
        });
        demo.start();
        Files.writeString(
                folder.resolve("ron.toml"), """
                [gateway.upstreams.demo]
                targets = [{ url = "http://127.0.0.1:%d" }]
                health = { path = "/", interval = "200ms" }
                [admin.auth]
                mode = "passport"
                [admin.ui]
                read_only = false
                [admin.actions]
                enable_reload = true
                enable_drain = true
                enable_shutdown = true
                [admin.polling]
                metrics_interval = "500ms"
                status_interval = "1s"
                """.formatted(demo.getAddress().getPort()));
        node = NodeProcess.up(folder, "--demo");
    }

    @AfterEach
    void stop() {
        if (node != null) {
            node.close();
        }
        demo.stop(0);
    }

    private static void answer(HttpExchange exchange) throws IOException {
        exchange.sendResponseHeaders(204, -1);
        exchange.close();
    }

    @Test
    void theConsoleLetsInWhoItKnowsAndTellsTheTruthAboutTheNode() throws Exception {
        ObjectNode tokens = JsonMapper.shared()
                .createObjectNode()
                .put("viewer", token("vera", "pct", "svc-admin", "admin:viewer"))
                .put("operator", token("olga", "jwt", "svc-admin", "admin:operator"))
                .put("admin", token("ada", "pct", "svc-admin", "admin:admin"))
                .put("elsewhere", token("eve", "pct", "svc-admin", "registry:read"))
                .put("acme", tenant("acme"))
                .put("globex", tenant("globex"));
        new Suite("node-in-browser", Path.of("../admin/ui"))
                .run(
                        "test/node.test.mjs",
                        Map.of(
                                "RON_CONSOLE", node.url("admin"),
                                "RON_GATEWAY", node.url("gateway"),
                                "RON_UPSTREAM",
                                        "http://127.0.0.1:" + demo.getAddress().getPort(),
                                "RON_TOKENS", tokens.toString()));
    }

    private String token(String subject, String format, String audience, String scope) throws IOException {
        return issued(
                "{\"subject_ref\":\"%s\",\"format\":\"%s\",\"audience\":[\"%s\"],\"ttl_s\":900,\"caveats\":[\"scope=%s\"]}"
                        .formatted(subject, format, audience, scope));
    }

    private String tenant(String name) throws IOException {
        return issued("{\"subject_ref\":\"load\",\"tenant\":\"%s\",\"audience\":[\"svc-gateway\"],\"ttl_s\":900}"
                .formatted(name));
    }

    private String issued(String order) throws IOException {
        String key =
                Files.readString(folder.resolve("data/passport/bootstrap.key")).strip();
        String answer = node.exchange(
                "passport",
                "POST /v1/passport/issue HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nAuthorization: Bearer "
                        + key + "\r\nContent-Type: application/json\r\nContent-Length: " + order.length() + "\r\n\r\n"
                        + order);
        String document = answer.substring(answer.indexOf('{'), answer.lastIndexOf('}') + 1);
        return new StrictJson()
                .tree(document.getBytes(StandardCharsets.UTF_8))
                .path("token")
                .asString();
    }
}
