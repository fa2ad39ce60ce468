package dev.ron.edge.fill;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.edge.TestEdge;
import dev.ron.http.testing.TestCa;
import dev.ron.kernel.task.Backoff;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.http.HttpResponse;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
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
                    .contains("edge_cas_writes_total{service=\"edge\",status=\"error\"} 0")
                    .contains("edge_bytes_in_total{host=\"" + FillEdge.HOST + "\",service=\"edge\"} 6");
        }
    }

    // an origin whose queue of connections is full | a fill  ->  it is over before it is connected, and counted so
    @Test
    void whoCannotConnectInTimeIsCountedApart() throws Exception {
        TestCa ca = new TestCa(Files.createDirectories(folder.resolve("ca")));
        List<SocketChannel> first = new ArrayList<>();
        try (Origin origin = new Origin(ca, FillEdge.HOST, (head, out) -> out.write(Origin.ok("one")));
                ServerSocket deaf = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                TestEdge edge = FillEdge.start(
                        origin,
                        ca,
                        Optional.of(folder.resolve("data")),
                        "",
                        "timeout_secs = 60",
                        "timeout_secs = 60\nconnect_ms = 200\n[edge.retry.live_fill]\nmax_retries = 0",
                        Backoff.Policy.DEFAULT,
                        (host, port, deadline) ->
                                List.of(new InetSocketAddress(deaf.getInetAddress(), deaf.getLocalPort())))) {
            for (int i = 0; i < 8; i++) { // two have a place, the others and we do not
                SocketChannel channel = SocketChannel.open();
                channel.configureBlocking(i < 2);
                channel.connect(deaf.getLocalSocketAddress());
                first.add(channel);
            }
            HttpResponse<byte[]> answer = edge.get("/edge/assets/o/a");
            assertThat(answer.statusCode()).isEqualTo(504);
            assertThat(edge.metrics())
                    .contains("io_timeouts_total{op=\"connect\",service=\"edge\"} 1")
                    .contains("io_timeouts_total{op=\"fill\",service=\"edge\"} 0");
        } finally {
            for (SocketChannel channel : first) {
                channel.close();
            }
        }
    }
}
