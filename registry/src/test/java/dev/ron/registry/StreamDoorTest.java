package dev.ron.registry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.kernel.testkit.Eventually;
import dev.ron.registry.book.Signers;
import dev.ron.registry.disk.FaultyDisk;
import dev.ron.registry.store.SegmentStore;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Who is refused at the stream's door takes no reader's place. */
@Timeout(60)
class StreamDoorTest {
    private static final String SOCKET = "Connection: Upgrade\r\nUpgrade: websocket\r\n";
    private static final String HANDSHAKE =
            SOCKET + "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n";

    @TempDir
    Path outside;

    // room for one reader | many that are refused  ->  the one still finds room, and leaves it free again
    @Test
    void aRequestThatIsRefusedTakesNoPlace() throws Exception {
        FaultyDisk disk = new FaultyDisk();
        Signers council = new Signers(1, 1);
        council.logKeys.write(disk);
        try (SegmentStore store = SegmentStore.open(disk, 1 << 20)) {
            council.create(store);
        }
        try (ServedLog log = new ServedLog(disk, outside.resolve("head"), "registry.stream.max_clients=1")) {
            for (int i = 0; i < 3; i++) {
                assertThat(answer(log, "?x=%zz", "")).contains(" 400 ");
                assertThat(answer(log, "?x=%zz", HANDSHAKE)).contains(" 400 ");
                assertThat(answer(log, "", SOCKET)).contains(" 400 ");
            }
            assertThat(log.metrics()).containsPattern("stream_clients(\\{[^}]*\\})? 0");
            for (String form : new String[] {"", HANDSHAKE}) {
                try (Socket reader = ask(log, "?since=0", form)) {
                    assertThat(firstLine(reader)).contains(form.isEmpty() ? " 200 " : " 101 ");
                    assertThat(answer(log, "", "")).as("there is one place").contains(" 503 ");
                }
                Eventually.await(
                        "its place is free", () -> log.metrics().matches("(?s).*stream_clients(\\{[^}]*\\})? 0.*"));
            }
        }
    }

    private static String answer(ServedLog log, String query, String headers) throws IOException {
        try (Socket socket = ask(log, query, headers)) {
            return firstLine(socket);
        }
    }

    private static Socket ask(ServedLog log, String query, String headers) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), log.service.port());
        socket.setSoTimeout(30_000);
        socket.getOutputStream()
                .write(("GET /registry/stream" + query + " HTTP/1.1\r\nHost: x\r\n" + headers + "\r\n")
                        .getBytes(StandardCharsets.US_ASCII));
        return socket;
    }

    private static String firstLine(Socket socket) throws IOException {
        return String.valueOf(
                new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII))
                        .readLine());
    }
}
