package dev.ron.edge.fill;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.edge.TestEdge;
import dev.ron.http.testing.TestCa;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class FillMeterTest {
    @TempDir
    Path folder;

    @Test
    void whatTheStoreWasGivenIsCountedByWhatBecameOfIt() throws Exception {
        TestCa ca = new TestCa(Files.createDirectories(folder.resolve("ca")));
        byte[] same = "HTTP/1.1 304 Same\r\nETag: \"v1\"\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
        try (Origin origin = new Origin(
                        ca,
                        FillEdge.HOST,
                        (head, out) -> out.write(head.contains("If-None-Match") ? same : Origin.ok("one")));
                TestEdge edge = FillEdge.start(
                        origin, ca, folder.resolve("data"), "", "default_ttl_secs = 0\nmin_ttl_secs = 0")) {
            edge.get("/edge/assets/o/a");
            edge.get("/edge/assets/o/b"); // the same bytes under another name
            edge.get("/edge/assets/o/a"); // not modified: nothing is written
            assertThat(origin.requests()).isEqualTo(3);
            assertThat(edge.metrics())
                    .contains("edge_cas_writes_total{service=\"edge\",status=\"ok\"} 1")
                    .contains("edge_cas_writes_total{service=\"edge\",status=\"dedup\"} 1")
                    .contains("edge_cas_writes_total{service=\"edge\",status=\"error\"} 0");
        }
    }
}
