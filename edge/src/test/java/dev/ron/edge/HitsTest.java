package dev.ron.edge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.http.testing.RawClient;
import dev.ron.kernel.testkit.Eventually;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class HitsTest {
    private static final int MANY = 100;

    @TempDir
    Path folder;

    // a hundred hits that nobody reads | one permit for what is not a hit  ->  all are answered, and so is the rest
    @Test
    void slowReadersOfWhatIsHereHoldNoPermit() throws Exception {
        byte[] large = new byte[8 << 20];
        new Random(1).nextBytes(large);
        Path assets = Files.createDirectories(folder.resolve("assets"));
        Files.write(assets.resolve("large.bin"), large);
        Files.writeString(assets.resolve("cold.txt"), "cold");
        List<Socket> readers = new ArrayList<>();
        try (TestEdge edge = new TestEdge("""
                [edge]
                assets_dir = "%s"
                [edge.ingress]
                rps_limit = 1000000
                max_inflight = 1
                """.formatted(assets), Optional.of(folder.resolve("data")))) {
            for (int i = 0; i < 3; i++) { // the first answers make it warm
                assertThat(edge.get("/edge/assets/large.bin").body()).isEqualTo(large);
            }
            for (int i = 0; i < MANY; i++) {
                readers.add(slowReader(edge.port(), "/edge/assets/large.bin"));
            }
            for (Socket reader : readers) {
                assertThat(statusLine(reader)).isEqualTo("HTTP/1.1 200");
            }
            assertThat(edge.service().inflight()).isEqualTo(MANY);
            try (RawClient other = edge.client()) {
                assertThat(other.get("/edge/assets/cold.txt").read().body()).isEqualTo("cold");
            }
            assertThat(readers.getFirst().getInputStream().readNBytes(1 << 20)).hasSize(1 << 20); // and it goes on
            for (Socket reader : readers) {
                reader.close(); // before the end of the edge, which would let them finish
            }
        }
    }

    // readers of one object each, which they do not take | the next objects  ->  bounded memory, 429, and hits go on
    @Test
    void slowReadersOfManyObjectsLeaveMemoryForHits() throws Exception {
        int size = 8 << 20; // more than the system takes from the edge for a reader
        int objects = 8;
        Path assets = Files.createDirectories(folder.resolve("assets"));
        for (int i = 0; i < objects; i++) {
            Files.write(assets.resolve(i + ".bin"), new byte[size]);
        }
        Files.writeString(assets.resolve("small.txt"), "small");
        List<Socket> readers = new ArrayList<>();
        try (TestEdge edge = new TestEdge("""
                [edge]
                assets_dir = "%s"
                cache_bytes = "1MiB"
                max_cached_bytes = "8MiB"
                [edge.ingress]
                rps_limit = 1000000
                """.formatted(assets), Optional.of(folder.resolve("data")))) {
            assertThat(edge.get("/edge/assets/small.txt").statusCode()).isEqualTo(200);
            long before = held();
            List<String> answers = new ArrayList<>();
            for (int i = 0; i < objects; i++) {
                Socket reader = slowReader(edge.port(), "/edge/assets/" + i + ".bin");
                readers.add(reader);
                answers.add(statusLine(reader));
            }
            assertThat(answers).contains("HTTP/1.1 200", "HTTP/1.1 429");
            assertThat(held() - before).isLessThan(objects * (long) size / 2);
            HttpResponse<byte[]> refused = edge.get("/edge/assets/0.bin");
            assertThat(refused.statusCode()).isEqualTo(429);
            assertThat(refused.headers().firstValue("Retry-After")).isPresent();
            assertThat(edge.get("/edge/assets/small.txt").statusCode()).isEqualTo(200);
            for (Socket reader : readers) {
                reader.close();
            }
            Eventually.await(
                    "their room is free", () -> edge.get("/edge/assets/7.bin").statusCode() == 200);
        }
    }

    private static long held() {
        return UnpooledByteBufAllocator.DEFAULT.metric().usedDirectMemory();
    }

    private static Socket slowReader(int port, String path) throws IOException {
        Socket socket = new Socket();
        socket.setReceiveBufferSize(4096);
        socket.setSoTimeout(30_000);
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        socket.getOutputStream()
                .write(("GET " + path + " HTTP/1.1\r\nHost: x\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
        return socket;
    }

    private static String statusLine(Socket socket) throws IOException {
        return new String(socket.getInputStream().readNBytes("HTTP/1.1 200".length()), StandardCharsets.US_ASCII);
    }
}
