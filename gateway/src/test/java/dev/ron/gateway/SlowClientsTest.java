package dev.ron.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.ron.http.testing.RawClient;
import dev.ron.http.testing.RawServer;
import dev.ron.kernel.testkit.Eventually;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Hundreds of slow clients made by slowhttptest, beside callers that are as quick as ever. */
@Timeout(value = 90, unit = TimeUnit.SECONDS)
class SlowClientsTest {
    private static final Path TOOL = Path.of("/usr/bin/slowhttptest");
    private static final int SLOW = 300;
    private static final Pattern OPEN = Pattern.compile("gateway_connections\\{[^}]*} ([0-9.E]+)");

    @TempDir
    private Path folder;

    private static RawServer upstream() {
        String large = "z".repeat(200_000);
        return new RawServer((peer, number) -> {
            for (String request = peer.readRequest(); !request.isEmpty(); request = peer.readRequest()) {
                String body = request.startsWith("GET /large") ? large : "ok";
                peer.write("HTTP/1.1 200 OK\r\nContent-Length: " + body.length() + "\r\n\r\n" + body);
            }
        });
    }

    // slow heads, slow bodies or slow readers | requests of others  ->  not one of these fails
    @ParameterizedTest
    @CsvSource({"-H, /", "-B, /", "-X, /large"})
    void whoIsSlowHoldsNobodyUp(String kind, String path) throws IOException, InterruptedException {
        assumeTrue(Files.isExecutable(TOOL), "slowhttptest is not installed: slow clients were not tried");
        try (RawServer server = upstream();
                TestGateway gateway = TestGateway.to("", server.port())) {
            Process slow = start(kind, "http://127.0.0.1:" + gateway.port() + path);
            try {
                Eventually.await("the slow ones are there", () -> !slow.isAlive() || connections(gateway) > SLOW / 2);
                int asked = 0;
                try (RawClient client = gateway.client()) {
                    while (slow.isAlive() && asked < 20_000) {
                        RawClient.Answer answer = client.get("/quick").read();
                        assertThat(answer.status()).isEqualTo(200);
                        asked++;
                    }
                }
                assertThat(asked).isGreaterThan(100);
            } finally {
                slow.destroyForcibly().waitFor();
            }
            Eventually.await("the slow ones are gone", () -> connections(gateway) == 0);
            Eventually.await("nothing is in hand", () -> gateway.service().inflight() == 0);
        }
    }

    private static int connections(TestGateway gateway) {
        Matcher open = OPEN.matcher(gateway.metrics());
        return open.find() ? (int) Double.parseDouble(open.group(1)) : -1;
    }

    private Process start(String kind, String url) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                TOOL.toString(),
                kind,
                "-c",
                Integer.toString(SLOW),
                "-r",
                "300",
                "-i",
                "1",
                "-x",
                "20",
                "-p",
                "2",
                "-l",
                "4",
                "-u",
                url));
        if (kind.equals("-X")) {
            command.addAll(List.of("-w", "10", "-y", "20", "-n", "1", "-z", "5"));
        }
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("slow.txt").toFile())
                .start();
    }
}
