package dev.ron.edge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.http.testing.RawClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A page that may not read a refusal takes it for a broken connection. */
@Timeout(60)
class CorsTest {
    private static final String SMALL = "GET /edge/assets/small.txt HTTP/1.1\r\nHost: x\r\n";
    private static final Map<Integer, String> REFUSED = Map.of(
            400, SMALL + "Host: y\r\n\r\n",
            404, "GET /edge/assets/none HTTP/1.1\r\nHost: x\r\n\r\n",
            405, "DELETE /edge/assets/small.txt HTTP/1.1\r\nHost: x\r\n\r\n",
            412, SMALL + "If-Match: \"another\"\r\n\r\n",
            413, SMALL + "Content-Length: 2000000\r\n\r\n",
            414, "GET /" + "a".repeat(20_000) + " HTTP/1.1\r\nHost: x\r\n\r\n",
            416, SMALL + "Range: bytes=9-\r\n\r\n",
            431, SMALL + "X-Much: y\r\n".repeat(5_000) + "\r\n");

    @TempDir
    Path folder;

    private TestEdge edge(String more) throws Exception {
        Files.writeString(folder.resolve("small.txt"), "small");
        return new TestEdge(
                "[edge]\nassets_dir = \"%s\"\n[edge.ingress]\n%s\n".formatted(folder, more), Optional.empty());
    }

    @Test
    void everyPageMayReadEveryRefusal() throws Exception {
        try (TestEdge edge = edge("")) {
            REFUSED.forEach((status, request) -> {
                try (RawClient client = edge.client()) {
                    assertReadable(client.send(request).read(), status);
                }
            });
        }
    }

    @Test
    void alsoThatTooMuchWasAsked() throws Exception {
        try (TestEdge edge = edge("rps_limit = 1");
                RawClient client = edge.client()) {
            client.get("/edge/assets/small.txt").read();
            assertReadable(client.get("/edge/assets/small.txt").read(), 429);
        }
    }

    // as many connections as there may be, each with a request under way | one more  ->  503, which says that it may be
    // read
    @Test
    void alsoThatThereIsNoPlaceForAConnection() throws Exception {
        List<RawClient> all = new ArrayList<>();
        try (TestEdge edge = edge("max_conns = 4")) {
            for (int i = 0; i < 2; i++) { // one address has half of the places
                all.add(edge.client().send(SMALL)); // half a head is no idle connection
                all.getLast().send("X: y\r\n");
            }
            try (RawClient more = edge.client()) {
                assertReadable(more.read(), 503);
            }
            all.forEach(RawClient::close);
        }
    }

    private static void assertReadable(RawClient.Answer answer, int status) {
        assertThat(answer.status()).isEqualTo(status);
        assertThat(answer.header("Access-Control-Allow-Origin"))
                .as("of a " + status)
                .hasValue("*");
    }
}
