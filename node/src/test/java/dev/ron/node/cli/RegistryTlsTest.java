package dev.ron.node.cli;

import static dev.ron.node.cli.Ron.ron;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.kernel.testkit.Eventually;
import dev.ron.node.RunningNode;
import dev.ron.node.cert.DevCertificates;
import dev.ron.node.cli.Ron.Said;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A registry that speaks TLS is still found by the commands and by the services of its own process. */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class RegistryTlsTest {
    @TempDir
    Path folder;

    @Test
    void commandsAndServicesFollowARegistryToTls() throws Exception {
        DevCertificates files = new DevCertificates(folder.resolve("tls"), Instant.now());
        files.server(List.of("localhost", "127.0.0.1"));
        try (RunningNode node = RunningNode.up(
                folder,
                "--set",
                "registry.tls.enabled=true",
                "--set",
                "registry.tls.cert_path=" + files.certificate(),
                "--set",
                "registry.tls.key_path=" + files.key())) {
            String url = "https://localhost:" + node.port("registry");
            assertThat(registry(node, url, "log").err())
                    .as("a certificate that nobody vouches for")
                    .isNotEmpty();
            Said log = registry(node, url, "log", "--ca", files.authority().toString());
            assertThat(log.out()).as(log.err()).contains("genesis", "pending");
            Eventually.await(
                    "the office has read its policy over TLS, and the registry has heard of the office",
                    () -> registry(
                                            node,
                                            url,
                                            "propose",
                                            "--put",
                                            "svc.x",
                                            "--body",
                                            "{\"url\":\"http://x\"}",
                                            "--ca",
                                            files.authority().toString())
                                    .code()
                            == 0);
            Said watched = registry(
                    node,
                    url,
                    "watch",
                    "--since",
                    "0",
                    "--count",
                    "1",
                    "--ca",
                    files.authority().toString());
            assertThat(watched.out()).as(watched.err()).contains("\"version\":1");
            assertThat(throughGateway(node)).contains("\"version\":1");
        }
    }

    private Said registry(RunningNode node, String url, String... args) {
        List<String> all = new ArrayList<>(List.of("registry"));
        all.addAll(List.of(args));
        all.addAll(List.of(
                "--registry-url",
                url,
                "--passport-url",
                "http://127.0.0.1:" + node.port("passport"),
                "--data",
                folder.resolve("data").toString()));
        return ron(all.toArray(String[]::new));
    }

    private static String get(String url) throws IOException, InterruptedException {
        try (HttpClient client = HttpClient.newHttpClient()) {
            return client.send(HttpRequest.newBuilder(URI.create(url)).build(), HttpResponse.BodyHandlers.ofString())
                    .body();
        }
    }

    private static String throughGateway(RunningNode node) throws IOException, InterruptedException {
        return get("http://127.0.0.1:" + node.port("gateway") + "/registry/head");
    }
}
