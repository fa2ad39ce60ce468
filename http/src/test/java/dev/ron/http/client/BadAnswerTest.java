package dev.ron.http.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ron.http.testing.NoBufferLeaks;
import dev.ron.http.testing.RawServer;
import dev.ron.kernel.call.CallContext;
import dev.ron.kernel.error.Code;
import dev.ron.kernel.error.RonException;
import dev.ron.kernel.testkit.NoLeaks;
import dev.ron.kernel.time.Clock;
import dev.ron.kernel.time.Deadline;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Answers that are malformed, too large, too late or missing are typed failures, and cost a connection each. */
@ExtendWith({NoLeaks.class, NoBufferLeaks.class})
class BadAnswerTest extends ClientFixture {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "garbage\r\n\r\n",
                "SSH-2.0-OpenSSH_9\r\n\r\n",
                "HTTP/1.1 abc OK\r\n\r\n",
                "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\nokk",
                "HTTP/1.1 200 OK\r\nContent-Length: -2\r\n\r\nok",
                "HTTP/1.1 200 OK\r\nContent-Length: +2\r\n\r\nok",
                "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nok\r\n0\r\n\r\n",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nokXX0\r\n\r\n",
                "HTTP/1.1 200 OK\r\nBad Header\u0000: x\r\nContent-Length: 2\r\n\r\nok",
                "HTTP/1.1 200 OK\r\nA : x\r\nContent-Length: 2\r\n\r\nok",
                "HTTP/1.1 200 OK\r\nA: x\r\n y\r\nContent-Length: 2\r\n\r\nok",
                "HTTP/1.1 200 OK\r\n A: x\r\nContent-Length: 2\r\n\r\nok",
                "HTTP/1.1 200 OK\nContent-Length: 2\n\nok",
                "HTTP/1.1 200 OK\r\nA: x\rB: y\r\nContent-Length: 2\r\n\r\nok",
                "HTTP/1.1 200 OK\r\nA: \u0000\r\nContent-Length: 2\r\n\r\nok",
                "HTTP/1.1 200 OK\r\nNo colon\r\nContent-Length: 2\r\n\r\nok",
                "HTTP/1.1 200 OK\r\nNocolon\r\nContent-Length: 2\r\n\r\nok",
                "\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok",
                "HTTP/1.1 103 Hints\r\n\r\nHTTP/1.1 200 OK\r\nA : x\r\nContent-Length: 2\r\n\r\nok",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n",
                "HTTP/2.0 200 OK\r\nContent-Length: 2\r\n\r\nok",
                "ICY 200 OK\r\nContent-Length: 2\r\n\r\nok",
            })
    void garbageIsAParseError(String response) {
        try (RawServer server = answering(response)) {
            assertFails(client(PATIENT), ClientRequest.get(server.url("/")), Code.UPSTREAM_PARSE, "upstream_parse");
        }
    }

    @Test
    void endlessHeadersAreCut() {
        try (RawServer line = new RawServer((peer, number) -> {
                    peer.readRequest();
                    peer.write("HTTP/1.1 200 OK\r\nX: ");
                    while (true) {
                        peer.write("x".repeat(1000));
                    }
                });
                RawServer fields = new RawServer((peer, number) -> {
                    peer.readRequest();
                    peer.write("HTTP/1.1 200 OK\r\n");
                    while (true) {
                        peer.write("A: b\r\n".repeat(100));
                    }
                });
                RawServer many =
                        answering("HTTP/1.1 200 OK\r\n" + "A: b\r\n".repeat(101) + "Content-Length: 0\r\n\r\n")) {
            for (RawServer server : List.of(line, fields, many)) {
                assertFails(client(PATIENT), ClientRequest.get(server.url("/")), Code.UPSTREAM_PARSE, "upstream_parse");
            }
        }
    }

    @Test
    void endlessAndOversizedBodiesAreCut() {
        try (RawServer chunked = new RawServer((peer, number) -> {
                    peer.readRequest();
                    peer.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
                    while (true) {
                        peer.write("3e8\r\n" + "x".repeat(1000) + "\r\n");
                    }
                });
                RawServer endless = new RawServer((peer, number) -> {
                    peer.readRequest();
                    peer.write("HTTP/1.1 200 OK\r\n\r\n");
                    while (true) {
                        peer.write("x".repeat(1000));
                    }
                });
                RawServer declared = answering("HTTP/1.1 200 OK\r\nContent-Length: 1000001\r\n\r\n")) {
            for (RawServer server : List.of(chunked, endless, declared)) {
                ClientRequest request = ClientRequest.get(server.url("/")).maxBodyBytes(1_000_000);
                assertFails(client(PATIENT), request, Code.UPSTREAM_PARSE, "upstream_too_large");
            }
        }
    }

    @Test
    void theCapHoldsToTheByte() {
        String length = "HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n" + "x".repeat(1000);
        String chunked =
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3e8\r\n" + "x".repeat(1000) + "\r\n0\r\n\r\n";
        for (String response : List.of(length, chunked)) {
            try (RawServer server = answering(response)) {
                ClientRequest request = ClientRequest.get(server.url("/"));
                assertThat(client(PATIENT.withMaxBodyBytes(1000)).send(request).body())
                        .hasSize(1000);
                HttpClient smaller = client(PATIENT.withMaxBodyBytes(999));
                assertFails(smaller, request, Code.UPSTREAM_PARSE, "upstream_too_large");
            }
        }
    }

    @Test
    void aTruncatedBodyIsNotAResponse() {
        try (RawServer lying = new RawServer((peer, number) -> {
                    peer.readRequest();
                    peer.write("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nshort");
                });
                RawServer chunk = new RawServer((peer, number) -> {
                    peer.readRequest();
                    peer.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nshort\r\n");
                });
                RawServer head = new RawServer((peer, number) -> {
                    peer.readRequest();
                    peer.write("HTTP/1.1 200 OK\r\nContent-Le");
                })) {
            assertFails(client(PATIENT), ClientRequest.get(lying.url("/")), Code.UPSTREAM_PARSE, "upstream_truncated");
            assertFails(client(PATIENT), ClientRequest.get(chunk.url("/")), Code.UPSTREAM_PARSE, "upstream_truncated");
            assertThatThrownBy(() -> client(PATIENT).send(ClientRequest.get(head.url("/"))))
                    .isInstanceOf(RonException.class);
        }
    }

    @Test
    void theDeadlineCoversTheBodyAlsoWhenItTrickles() {
        CountDownLatch never = new CountDownLatch(1);
        try (RawServer silent = new RawServer((peer, number) -> peer.awaitClose());
                RawServer trickling = new RawServer((peer, number) -> {
                    peer.readRequest();
                    peer.write("HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n");
                    while (!never.await(5, TimeUnit.MILLISECONDS)) { // slow on purpose
                        peer.write("x");
                    }
                })) {
            for (RawServer server : List.of(silent, trickling)) {
                HttpClient client = client(ClientOptions.defaults().withTotalLimit(SHORT));
                long before = System.nanoTime();
                assertFails(client, ClientRequest.get(server.url("/")), Code.UPSTREAM_TIMEOUT, "upstream_timeout");
                assertThat(System.nanoTime() - before).isGreaterThanOrEqualTo(SHORT.toNanos());
            }
        }
    }

    @Test
    void theCallersDeadlineIsKeptWhenItIsSooner() throws Exception {
        try (RawServer silent = new RawServer((peer, number) -> peer.awaitClose())) {
            CallContext context = CallContext.of(Deadline.after(Clock.system(), SHORT), "c");
            HttpClient client = client(PATIENT);
            context.run(() ->
                    assertFails(client, ClientRequest.get(silent.url("/")), Code.UPSTREAM_TIMEOUT, "upstream_timeout"));
        }
    }

    @Test
    void refusedConnectsAndUnknownHostsAreTyped() throws Exception {
        int port;
        try (ServerSocket socket = new ServerSocket(0, 1, loopback())) {
            port = socket.getLocalPort();
        }
        ClientRequest request = ClientRequest.get("http://127.0.0.1:" + port + "/");
        assertFails(client(PATIENT), request, Code.UPSTREAM_CONNECT, "upstream_connect");
        assertFails(client(PATIENT, (h, p, d) -> List.of()), request, Code.UPSTREAM_CONNECT, "upstream_dns");
    }

    @Test
    void connectingHasItsOwnShorterLimit() throws Exception {
        // A listener whose backlog is full answers no further SYN.
        try (ServerSocket full = new ServerSocket(0, 1, loopback())) {
            List<java.nio.channels.SocketChannel> fillers = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                var filler = java.nio.channels.SocketChannel.open();
                filler.configureBlocking(false);
                filler.connect(full.getLocalSocketAddress());
                fillers.add(filler);
            }
            HttpClient client = client(PATIENT.withConnectLimit(SHORT));
            ClientRequest request = ClientRequest.get("http://127.0.0.1:" + full.getLocalPort() + "/");
            assertFails(client, request, Code.UPSTREAM_TIMEOUT, "upstream_timeout");
            for (var filler : fillers) {
                filler.close();
            }
        }
    }

    @Test
    void theNextAddressIsTriedWhenOneRefuses() throws Exception {
        int dead;
        try (ServerSocket socket = new ServerSocket(0, 1, loopback())) {
            dead = socket.getLocalPort();
        }
        try (RawServer server = answering(OK)) {
            Addresses two = (host, port, deadline) ->
                    List.of(new InetSocketAddress(loopback(), dead), new InetSocketAddress(loopback(), server.port()));
            assertThat(client(PATIENT, two)
                            .send(ClientRequest.get("http://name.test/"))
                            .status())
                    .isEqualTo(200);
        }
    }

    @Test
    void aResetIsTyped() {
        try (RawServer server = new RawServer((peer, number) -> {
            peer.readRequest();
            peer.reset();
        })) {
            assertFails(client(PATIENT), ClientRequest.get(server.url("/")), Code.UPSTREAM_CONNECT, "upstream_reset");
            assertThat(server.accepted())
                    .as("a fresh connection is not tried again")
                    .isEqualTo(1);
        }
    }
}
