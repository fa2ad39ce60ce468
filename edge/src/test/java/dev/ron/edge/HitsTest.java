package dev.ron.edge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.http.testing.RawClient;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
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
                readers.add(slowReader(edge.port()));
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

    private static Socket slowReader(int port) throws IOException {
        Socket socket = new Socket();
        socket.setReceiveBufferSize(4096);
        socket.setSoTimeout(30_000);
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        socket.getOutputStream()
                .write("GET /edge/assets/large.bin HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        return socket;
    }

    private static String statusLine(Socket socket) throws IOException {
        return new String(socket.getInputStream().readNBytes("HTTP/1.1 200".length()), StandardCharsets.US_ASCII);
    }
}
