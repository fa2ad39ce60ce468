package dev.ron.http.ws;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.http.server.HostConfig;
import dev.ron.http.testing.NoBufferLeaks;
import dev.ron.http.testing.RawClient;
import dev.ron.http.testing.TestHost;
import dev.ron.kernel.testkit.NoLeaks;
import dev.ron.kernel.time.Clock;
import dev.ron.kernel.time.Deadline;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith({NoLeaks.class, NoBufferLeaks.class})
class WebSocketsTest {
    private static final String HANDSHAKE =
            "GET /ws HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                    + "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n";
    private static final int TEXT = 1;
    private static final int CLOSE = 8;
    private static final int PING = 9;
    private static final int PONG = 10;

    private final AtomicReference<WsSession> session = new AtomicReference<>();
    private final AtomicInteger closedWith = new AtomicInteger();

    private final class Echo implements WsListener {
        @Override
        public void opened(WsSession opened) {
            session.set(opened);
        }

        @Override
        public void text(WsSession from, String message) {
            from.send("echo " + message);
        }

        @Override
        public void closed(WsSession from, int status) {
            closedWith.set(status);
        }
    }

    private TestHost host(WsOptions options) {
        return TestHost.with(
                HostConfig.DEFAULTS, routes -> routes.get("/ws", WebSockets.handler(options, exchange -> new Echo())));
    }

    private static RawClient open(TestHost host) {
        RawClient client = host.client();
        client.send(HANDSHAKE + "\r\n");
        RawClient.Answer answer = client.read();
        assertThat(answer.status()).isEqualTo(101);
        assertThat(answer.header("Sec-WebSocket-Accept")).contains("s3pPLMBiTxaQ9kYGzzhZRbK+xOo=");
        return client;
    }

    /** A client's frame, masked, as the protocol demands. */
    private static byte[] frame(boolean last, int opcode, byte[] payload, boolean masked) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write((last ? 0x80 : 0) | opcode);
        int mask = masked ? 0x80 : 0;
        if (payload.length < 126) {
            out.write(mask | payload.length);
        } else if (payload.length < 65536) {
            out.write(mask | 126);
            out.write(payload.length >> 8);
            out.write(payload.length);
        } else {
            out.write(mask | 127);
            for (int shift = 56; shift >= 0; shift -= 8) {
                out.write((int) ((long) payload.length >> shift));
            }
        }
        if (masked) {
            out.writeBytes(new byte[] {1, 2, 3, 4});
        }
        for (int i = 0; i < payload.length; i++) {
            out.write(masked ? payload[i] ^ (i % 4 + 1) : payload[i]);
        }
        return out.toByteArray();
    }

    private static byte[] text(String message) {
        return frame(true, TEXT, message.getBytes(StandardCharsets.UTF_8), true);
    }

    /** A frame from the server; the payload with one character per byte. */
    private record Received(int opcode, String text) {
        int status() {
            return text.charAt(0) << 8 | text.charAt(1);
        }
    }

    private static Received receive(RawClient client) throws IOException {
        InputStream in = client.in();
        int opcode = in.read() & 0x0F;
        int length = in.read();
        if (length == 126) {
            length = in.read() << 8 | in.read();
        }
        return new Received(opcode, new String(in.readNBytes(length), StandardCharsets.ISO_8859_1));
    }

    @Test
    void messagesGoBothWaysAlsoInFragmentsAndFromOtherThreads() throws Exception {
        try (TestHost host = host(WsOptions.DEFAULTS);
                RawClient client = open(host)) {
            client.send(text("one"));
            assertThat(receive(client).text()).isEqualTo("echo one");
            client.send(frame(false, TEXT, new byte[] {'t', 'w'}, true));
            client.send(frame(true, PING, new byte[] {7}, true));
            client.send(frame(true, 0, new byte[] {'o'}, true));
            Received pong = receive(client);
            assertThat(pong.opcode()).isEqualTo(PONG);
            assertThat(pong.text()).isEqualTo("\007");
            assertThat(receive(client).text()).isEqualTo("echo two");
            assertThat(session.get().send("pushed")).isTrue();
            assertThat(receive(client).text()).isEqualTo("pushed");
            client.send(frame(true, CLOSE, new byte[] {0x03, (byte) 0xE8}, true));
            assertThat(receive(client).status()).isEqualTo(1000);
            assertThat(client.closedByPeer()).isTrue();
            TestHost.await(() -> closedWith.get() == 1000);
            TestHost.await(() -> host.host().inflight() == 0);
        }
    }

    @Test
    void framesThatBreakTheProtocolEndTheConnection() throws Exception {
        byte[] large = new byte[WsOptions.DEFAULTS.maxFrameBytes() + 1];
        try (TestHost host = host(WsOptions.DEFAULTS)) {
            for (byte[] bad : List.of(
                    frame(true, TEXT, new byte[] {'x'}, false),
                    frame(true, 3, new byte[0], true),
                    frame(true, TEXT, new byte[] {(byte) 0xC0, (byte) 0x80}, true),
                    frame(true, TEXT, large, true))) {
                try (RawClient client = open(host)) {
                    client.sendIfOpen(bad);
                    Received close = receive(client);
                    assertThat(close.opcode()).isEqualTo(CLOSE);
                    assertThat(close.status()).isBetween(1002, 1009);
                    assertThat(client.closedByPeer()).isTrue();
                }
            }
            TestHost.await(() -> host.host().inflight() == 0);
        }
    }

    @Test
    void aMessageOverItsCapIsRefusedHoweverItIsCut() throws Exception {
        byte[] part = new byte[60 << 10];
        try (TestHost host = host(WsOptions.DEFAULTS);
                RawClient client = open(host)) {
            client.send(frame(false, TEXT, part, true));
            for (int i = 0; i < 4; i++) {
                client.sendIfOpen(frame(false, 0, part, true));
            }
            Received close = receive(client);
            assertThat(close.opcode()).isEqualTo(CLOSE);
            assertThat(close.status()).isEqualTo(1009);
        }
    }

    @Test
    void handshakesThatAreNotOnesAreRefused() {
        try (TestHost host = host(WsOptions.DEFAULTS.withOrigins(List.of("https://good.example")))) {
            for (String bad : List.of(
                    HANDSHAKE.replace("Upgrade: websocket\r\n", ""),
                    HANDSHAKE.replace("Connection: Upgrade\r\n", ""),
                    HANDSHAKE.replace("13", "8"),
                    HANDSHAKE.replace("dGhlIHNhbXBsZSBub25jZQ==", "short"))) {
                try (RawClient client = host.client()) {
                    assertThat(client.send(bad + "\r\n").read().status()).isEqualTo(400);
                }
            }
            try (RawClient client = host.client()) {
                client.send(HANDSHAKE + "Origin: https://evil.example\r\n\r\n");
                assertThat(client.read().status()).isEqualTo(403);
            }
            try (RawClient client = host.client()) {
                client.send(HANDSHAKE + "Origin: https://good.example\r\n\r\n");
                assertThat(client.read().status()).isEqualTo(101);
            }
        }
    }

    @Test
    void aSilentPeerIsPingedAndThenCut() throws Exception {
        WsOptions quick = new WsOptions(1024, 1024, Duration.ofMillis(200), List.of());
        try (TestHost host = host(quick);
                RawClient client = open(host)) {
            assertThat(receive(client).opcode()).isEqualTo(PING);
            assertThat(client.closedByPeer()).isTrue();
        }
    }

    @Test
    void aPeerThatDoesNotReadIsToldNoMore() {
        try (TestHost host = host(WsOptions.DEFAULTS);
                RawClient client = open(host)) {
            TestHost.await(() -> session.get() != null);
            byte[] message = new byte[64 << 10];
            int sent = 0;
            while (session.get().send(message)) {
                sent++;
                assertThat(sent).as("messages taken without anyone reading").isLessThan(10_000);
            }
            assertThat(client.socket().isConnected()).isTrue();
        }
    }

    @Test
    void openConnectionsAreClosedWith1001WhenTheHostStops() throws Exception {
        try (TestHost host = host(WsOptions.DEFAULTS);
                RawClient client = open(host)) {
            TestHost.await(() -> session.get() != null);
            Thread stop = Thread.ofVirtual()
                    .start(() -> host.host().stop(Deadline.after(Clock.system(), Duration.ofSeconds(30))));
            Received close = receive(client);
            assertThat(close.opcode()).isEqualTo(CLOSE);
            assertThat(close.status()).isEqualTo(1001);
            client.send(frame(true, CLOSE, new byte[] {0x03, (byte) 0xE9}, true));
            assertThat(client.closedByPeer()).isTrue();
            stop.join();
        }
    }
}
