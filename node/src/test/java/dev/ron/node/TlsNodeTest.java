package dev.ron.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.http.testing.TlsClient;
import dev.ron.kernel.testkit.Eventually;
import dev.ron.node.cert.DevCertificates;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A node whose edge and console speak TLS says so, and its own gateway finds the edge. */
@Timeout(120)
final class TlsNodeTest {
    private static final String TILE = "/edge/tiles/world/0/0/0.mvt";

    @TempDir
    Path folder;

    @Test
    void theTableNamesHttpsAndTheGatewayFollowsTheEdgeToTls() throws Exception {
        DevCertificates files = new DevCertificates(folder.resolve("tls"), Instant.now());
        files.server(List.of("localhost", "127.0.0.1"));
        List<String> flags = new ArrayList<>();
        for (String service : List.of("edge", "admin")) {
            flags.addAll(List.of("--set", service + ".tls.enabled=true"));
            flags.addAll(List.of("--set", service + ".tls.cert_path=" + files.certificate()));
            flags.addAll(List.of("--set", service + ".tls.key_path=" + files.key()));
        }
        try (NodeProcess node = NodeProcess.up(folder, flags.toArray(String[]::new))) {
            String edge = "https://127.0.0.1:" + node.port("edge");
            String console = "https://127.0.0.1:" + node.port("admin");
            Eventually.await("it has said all", () -> node.out().contains("Ctrl-C"));
            assertThat(node.out())
                    .contains(console + "/  the console", edge + "/edge/  the demo world")
                    .contains("curl -s --cacert " + files.certificate() + " " + edge + TILE)
                    .contains("http://127.0.0.1:" + node.port("gateway"))
                    .doesNotContain("http://127.0.0.1:" + node.port("edge"), "http://127.0.0.1:" + node.port("admin"));
            Eventually.await(
                    "the gateway reaches the edge over TLS, and the map is mounted",
                    () -> node.get("gateway", TILE).startsWith("HTTP/1.1 200"));
            TlsClient client = new TlsClient(files.authority());
            assertThat(client.get(node.port("edge"), "localhost", TILE)).startsWith("HTTP/1.1 200");
            assertThat(client.get(node.port("admin"), "localhost", "/api/me")).startsWith("HTTP/1.1 200");
        }
    }
}
