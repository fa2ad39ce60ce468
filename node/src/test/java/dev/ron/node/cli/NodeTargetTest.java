package dev.ron.node.cli;

import static dev.ron.node.cli.Ron.ron;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.ron.node.ExitCode;
import dev.ron.node.Stop;
import dev.ron.node.cli.Ron.Said;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Where a command sends what it was given, whatever the far side says. */
@Timeout(60)
final class NodeTargetTest {
    @TempDir
    Path folder;

    // the far side names another host -> the key goes to the host the user named, or nowhere
    @Test
    void credentialsStayWithTheHostThatTheUserNamed() throws IOException {
        AtomicReference<String> host = new AtomicReference<>("198.51.100.7");
        List<String> seen = new CopyOnWriteArrayList<>();
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 8);
        int port = server.getAddress().getPort();
        server.createContext("/api/v1/status", exchange -> {
            seen.add("status " + exchange.getRequestHeaders().getFirst("Authorization"));
            answer(exchange, "{\"ready\":true,\"listeners\":{\"passport\":\"http://" + host + ":" + port + "\"}}");
        });
        server.createContext("/v1/passport/issue", exchange -> {
            seen.add("issue " + exchange.getRequestHeaders().getFirst("Authorization"));
            answer(exchange, "{\"token\":\"a token\"}");
        });
        server.start();
        try {
            Said elsewhere = ron("token", "issue", "--key", "secret", "--url", "http://127.0.0.1:" + port);
            assertThat(elsewhere.code()).isEqualTo(ExitCode.NO.code());
            assertThat(elsewhere.err()).contains("listens on 198.51.100.7", "--passport-url URL");
            assertThat(seen).containsExactly("status null");
            seen.clear();
            host.set("0.0.0.0");
            Said said = ron("token", "issue", "--key", "secret", "--url", "http://127.0.0.1:" + port);
            assertThat(said.out()).as(said.err()).isEqualToIgnoringNewLines("a token");
            Path file = Files.writeString(folder.resolve("client.key"), "kept\n");
            ron("token", "issue", "--key-file", file.toString(), "--url", "http://127.0.0.1:" + port);
            assertThat(seen).containsExactly("status null", "issue Bearer secret", "status null", "issue Bearer kept");
            Said none = ron("registry", "log", "--url", "http://127.0.0.1:" + port);
            assertThat(none.code()).isEqualTo(ExitCode.NO.code());
            assertThat(none.err()).contains("has no registry", "passport", "--registry-url URL");
        } finally {
            server.stop(0);
        }
    }

    // what stands in the arguments everybody on the machine can read: a file says it as well
    @Test
    void theOperatorsCredentialMayStandInAFile() throws IOException {
        List<String> seen = new CopyOnWriteArrayList<>();
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 8);
        server.createContext("/", exchange -> {
            seen.add(exchange.getRequestHeaders().getFirst("Authorization"));
            answer(exchange, "{}");
        });
        server.start();
        try {
            String url = "http://127.0.0.1:" + server.getAddress().getPort();
            Path file = Files.writeString(folder.resolve("operator"), "kept\n");
            ron("drain", "--url", url, "--token-file", file.toString());
            ron("drain", "--url", url, "--token", "shown", "--token-file", file.toString());
            assertThat(seen).containsExactly("Bearer kept", "Bearer shown");
            Said none = ron(
                    "drain",
                    "--url",
                    url,
                    "--token-file",
                    folder.resolve("none").toString());
            assertThat(none.code()).isEqualTo(ExitCode.NO.code());
            assertThat(none.err())
                    .contains("no operator credential", folder.resolve("none").toString());
        } finally {
            server.stop(0);
        }
    }

    private static void answer(HttpExchange exchange, String json) {
        try (exchange) {
            byte[] body = json.getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void whoAsksForTlsIsNotLedToPlainHttp() {
        URI named = URI.create("https://node.example:8085");
        assertThat(NodeTarget.there(named, "https://0.0.0.0:8082", "passport", "--passport-url"))
                .isEqualTo("https://node.example:8082");
        assertThatThrownBy(() -> NodeTarget.there(named, "http://0.0.0.0:8082", "passport", "--passport-url"))
                .isInstanceOfSatisfying(
                        Stop.class,
                        stop -> assertThat(stop.lines()).contains("the passport at node.example speaks no TLS"));
        assertThat(NodeTarget.there(URI.create("http://[::1]:1"), "http://127.0.0.1:2", "registry", "--registry-url"))
                .as("what listens on 127.0.0.1 does not on ::1")
                .isEqualTo("http://127.0.0.1:2");
        URI here = URI.create("http://127.0.0.1:1");
        assertThat(NodeTarget.there(here, "http://[::1]:2", "registry", "--registry-url"))
                .isEqualTo("http://[::1]:2");
        assertThat(NodeTarget.there(here, "http://[::]:2", "registry", "--registry-url"))
                .isEqualTo("http://127.0.0.1:2");
        assertThatThrownBy(() -> NodeTarget.there(here, "http://node.example:2", "registry", "--registry-url"))
                .as("names are not looked up")
                .hasMessageContaining("--registry-url URL");
    }

    @Test
    void anAddressThatIsNoneIsAUsageError() {
        for (String address : List.of("localhost:8085", "ftp://x", "http://", "http://a b")) {
            Said said = ron("status", "--url", address);
            assertThat(said.code()).as(address).isEqualTo(ExitCode.USAGE.code());
            assertThat(said.err()).as(address).contains("--url: " + address, "http://127.0.0.1:8085");
        }
    }
}
