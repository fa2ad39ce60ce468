package dev.ron.http.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.http.guard.Networks;
import dev.ron.http.message.Response;
import dev.ron.http.testing.NoBufferLeaks;
import dev.ron.http.testing.RawClient;
import dev.ron.http.testing.TestHost;
import dev.ron.kernel.testkit.NoLeaks;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Who may connect, for whom, and who has to go when it gets crowded. */
@ExtendWith({NoLeaks.class, NoBufferLeaks.class})
class FrontTest {
    private static final Networks LOOPBACK = Networks.of(List.of("127.0.0.0/8"));

    private static TestHost host(HostConfig config) {
        return TestHost.with(
                config, routes -> routes.get("/", (BlockingHandler) request -> Response.text("" + request.peer())));
    }

    private static HostConfig front(Networks proxies, Networks allow, Networks deny) {
        return HostConfig.DEFAULTS.withFront(new HostConfig.Front(false, 1 << 20, proxies, allow, deny));
    }

    private static final String ASK = "GET / HTTP/1.1\r\nHost: x\r\n\r\n";

    @Test
    void aTrustedPeerSaysInTextWhoseConnectionItIs() {
        try (TestHost host = host(front(LOOPBACK, Networks.NONE, Networks.NONE));
                RawClient client = host.client();
                RawClient six = host.client();
                RawClient unknown = host.client()) {
            client.send("PROXY TCP4 192.0.2.7 192.0.2.8 5000 443\r\n" + ASK + ASK);
            assertThat(client.read().body()).isEqualTo("/192.0.2.7:5000");
            assertThat(client.read().body()).isEqualTo("/192.0.2.7:5000");
            six.send("PROXY TCP6 2001:db8::7 2001:db8::8 5001 443\r\n" + ASK);
            assertThat(six.read().body()).isEqualTo("/[2001:db8:0:0:0:0:0:7]:5001");
            unknown.send("PROXY UNKNOWN\r\n" + ASK);
            assertThat(unknown.read().body()).startsWith("/127.0.0.1:");
        }
    }

    @Test
    void aTrustedPeerSaysInBytesWhoseConnectionItIs() {
        ByteArrayOutputStream header = new ByteArrayOutputStream();
        header.writeBytes(new byte[] {'\r', '\n', '\r', '\n', 0, '\r', '\n', 'Q', 'U', 'I', 'T', '\n'});
        header.writeBytes(new byte[] {0x21, 0x11, 0, 15});
        header.writeBytes(new byte[] {(byte) 198, 51, 100, 9, 10, 0, 0, 1, 0x13, (byte) 0x88, 1, (byte) 0xBB});
        header.writeBytes(new byte[] {4, 0, 0}); // something more it wanted to tell
        header.writeBytes(ASK.getBytes(StandardCharsets.US_ASCII));
        try (TestHost host = host(front(LOOPBACK, Networks.NONE, Networks.NONE));
                RawClient client = host.client();
                RawClient slow = host.client()) {
            client.send(header.toByteArray());
            assertThat(client.read().body()).isEqualTo("/198.51.100.9:5000");
            for (byte one : header.toByteArray()) {
                slow.send(new byte[] {one});
            }
            assertThat(slow.read().body()).isEqualTo("/198.51.100.9:5000");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                ASK,
                "PROXY TCP4 192.0.2.7 192.0.2.8 99999 443\r\n",
                "PROXY TCP4 2001:db8::7 192.0.2.8 1 443\r\n",
                "PROXY TCP4 192.0.2.7\r\n",
                "PROXY TCP4 192.0.2.7 192.0.2.8 5000 443\n",
                "\r\n\r\n\0\r\nQUIT\nxxxxxxxxxxxxxxxxxxxxxxxxxxx",
            })
    void aTrustedPeerThatSaysNothingOrNonsenseIsTurnedAway(String bytes) {
        try (TestHost host = host(front(LOOPBACK, Networks.NONE, Networks.NONE));
                RawClient client = host.client()) {
            client.send(bytes);
            assertThat(client.closedByPeer()).isTrue();
            TestHost.await(() -> host.counted().of("rejected_total", "proxy_protocol") == 1);
        }
    }

    @Test
    void fromAnyoneElseThatLineIsNoRequest() {
        try (TestHost host = host(HostConfig.DEFAULTS);
                RawClient client = host.client()) {
            client.send("PROXY TCP4 192.0.2.7 192.0.2.8 5000 443\r\n" + ASK);
            assertThat(client.read().status()).isEqualTo(400);
        }
    }

    @Test
    void whoIsDeniedOrNotAllowedIsClosedAlsoBehindAProxy() {
        try (TestHost denied = host(front(Networks.NONE, Networks.NONE, LOOPBACK));
                RawClient client = denied.client()) {
            assertThat(client.closedByPeer()).isTrue();
        }
        Networks some = Networks.of(List.of("192.0.2.0/25"));
        try (TestHost host = host(front(LOOPBACK, some, Networks.NONE));
                RawClient inside = host.client();
                RawClient outside = host.client()) {
            inside.send("PROXY TCP4 192.0.2.7 192.0.2.8 5000 443\r\n" + ASK);
            assertThat(inside.read().status()).isEqualTo(200);
            outside.send("PROXY TCP4 192.0.2.128 192.0.2.8 5000 443\r\n" + ASK);
            assertThat(outside.closedByPeer()).isTrue();
            TestHost.await(() -> host.counted().of("rejected_total", "network") == 1);
        }
    }

    @Test
    void whoOnlyHoldsConnectionsMakesRoomForWhoComes() {
        try (TestHost host = host(HostConfig.DEFAULTS.withConns(8, 8))) {
            List<RawClient> idle = new ArrayList<>();
            for (int i = 0; i < 7; i++) {
                RawClient one = host.client();
                assertThat(one.get("/").read().status()).isEqualTo(200);
                idle.add(one);
            }
            for (int i = 0; i < 10; i++) {
                TestHost.await(() -> host.host().connections() <= 7);
                RawClient next = host.client();
                idle.add(next);
                assertThat(next.get("/").read().status()).as("newcomer " + i).isEqualTo(200);
            }
            assertThat(idle.getFirst().closedByPeer()).isTrue();
            assertThat(host.counted().of("rejected_total", "conns")).isZero();
            idle.forEach(RawClient::close);
        }
    }

    // its share used up, and much room left | comes again and again  ->  refused, and nobody has to go for it
    @Test
    void whoHasItsShareMakesNobodyGo() {
        try (TestHost host = host(HostConfig.DEFAULTS.withConns(100, 2));
                RawClient one = host.client();
                RawClient other = host.client()) {
            assertThat(one.get("/").read().status()).isEqualTo(200);
            assertThat(other.get("/").read().status()).isEqualTo(200);
            for (int i = 0; i < 20; i++) {
                try (RawClient refused = host.client()) {
                    assertThat(refused.read().status()).isEqualTo(503);
                }
            }
            assertThat(one.get("/").read().status()).isEqualTo(200);
            assertThat(other.get("/").read().status()).isEqualTo(200);
        }
    }
}
