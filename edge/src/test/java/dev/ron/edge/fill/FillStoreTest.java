package dev.ron.edge.fill;

import static dev.ron.edge.fill.FillEdge.HOST;
import static dev.ron.edge.fill.FillEdge.text;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.edge.TestEdge;
import dev.ron.http.testing.TestCa;
import dev.ron.kernel.task.Backoff;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What was fetched and the store: what it has lost, what it keeps, and what is said of the same bytes twice. */
@Timeout(120)
class FillStoreTest {
    @TempDir
    Path folder;

    private TestCa ca() throws Exception {
        return new TestCa(Files.createDirectories(folder.resolve("ca")));
    }

    private TestEdge edge(TestCa ca, Origin origin, String edge, String fill) {
        return FillEdge.start(
                origin,
                ca,
                Optional.of(folder.resolve("data")),
                edge,
                "timeout_secs = 60",
                fill,
                Backoff.Policy.DEFAULT);
    }

    private List<Path> blobs() throws IOException {
        try (Stream<Path> files = Files.walk(folder.resolve("data/cas/b3"))) {
            return files.filter(Files::isRegularFile).toList();
        }
    }

    // a fresh object that the store has lost | a request that may not fetch it  ->  it is told so at once
    @Test
    void aRequestThatMayNotFetchWhatWasLostIsRefused() throws Exception {
        TestCa ca = ca();
        try (Origin origin = new Origin(ca, HOST, (head, out) -> out.write(Origin.ok("one")))) {
            try (TestEdge edge = edge(ca, origin, "", "")) {
                assertThat(text(edge.get("/edge/assets/o/a"))).isEqualTo("one");
            }
            try (TestEdge edge = edge(ca, origin, "", "")) { // now it is not in memory
                Files.delete(blobs().getFirst());
                HttpResponse<byte[]> refused = edge.get("/edge/assets/o/a", "CDN-Loop", "ron-edge");
                assertThat(refused.statusCode()).isEqualTo(508);
                assertThat(text(edge.get("/edge/assets/o/a"))).isEqualTo("one");
                assertThat(origin.requests()).isEqualTo(2);
            }
        }
    }
}
