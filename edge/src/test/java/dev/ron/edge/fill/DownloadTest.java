package dev.ron.edge.fill;

import static dev.ron.edge.fill.FillEdge.HOST;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.edge.TestEdge;
import dev.ron.http.testing.RawClient;
import dev.ron.http.testing.TestCa;
import dev.ron.kernel.testkit.Eventually;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class DownloadTest {
    private static final int PIECES = 512;

    @TempDir
    Path folder;

    // an origin that sends a byte at a time, each a piece in memory  ->  they are handed on long before they are a
    // chunk
    @Test
    void piecesOfAByteAreNotHeapedUp() throws Exception {
        TestCa ca = new TestCa(Files.createDirectories(folder.resolve("ca")));
        CountDownLatch release = new CountDownLatch(1);
        try (Origin origin = new Origin(ca, HOST, (head, out) -> {
                    out.write(ascii("HTTP/1.1 200 OK\r\nETag: \"1\"\r\nTransfer-Encoding: chunked\r\n\r\n"));
                    out.write(ascii("1\r\nx\r\n".repeat(PIECES)));
                    out.flush();
                    assertThat(release.await(30, TimeUnit.SECONDS)).isTrue();
                    out.write(ascii("0\r\n\r\n"));
                });
                TestEdge edge = FillEdge.start(origin, ca, folder.resolve("data"), "", "timeout_secs = 60");
                RawClient waits = edge.client().get("/edge/assets/o/a")) {
            Eventually.await(
                    "all of them are handed on",
                    () -> edge.metrics()
                            .contains("edge_bytes_in_total{host=\"" + HOST + "\",service=\"edge\"} " + PIECES + ".0"));
            release.countDown();
            assertThat(waits.read().body()).isEqualTo("x".repeat(PIECES));
        }
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
