package dev.ron.http.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ron.http.loop.EventLoops;
import dev.ron.http.testing.NoBufferLeaks;
import dev.ron.http.testing.RawServer;
import dev.ron.http.testing.TestCa;
import dev.ron.http.tls.ClientTls;
import dev.ron.http.tls.TlsOptions;
import dev.ron.kernel.call.CallContext;
import dev.ron.kernel.error.Code;
import dev.ron.kernel.error.RonException;
import dev.ron.kernel.meter.Meter;
import dev.ron.kernel.sync.Blocking;
import dev.ron.kernel.testkit.Eventually;
import dev.ron.kernel.testkit.NoLeaks;
import dev.ron.kernel.time.Clock;
import dev.ron.kernel.time.Deadline;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@ExtendWith({NoLeaks.class, NoBufferLeaks.class})
class HttpClientTest {
    private static final TlsOptions OPTIONS = TlsOptions.defaults().withHandshakeLimit(Duration.ofSeconds(30));
    private static final String OK = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
    private static final Duration SHORT = Duration.ofMillis(300);
    private static final ClientOptions PATIENT =
            ClientOptions.defaults().withTotalLimit(Duration.ofSeconds(60)).withConnectLimit(Duration.ofSeconds(30));

    @TempDir
    Path folder;

    private EventLoops loops;
    private ClientTls tls;
    private final List<HttpClient> clients = new ArrayList<>();

    @BeforeEach
    void start() {
        loops = new EventLoops("client-test", 2);
        tls = ClientTls.trusting(new TestCa(folder).roots, OPTIONS);
    }

    @AfterEach
    void stop() {
        clients.forEach(HttpClient::close);
        loops.close();
        tls.close();
    }

    private HttpClient client(ClientOptions options) {
        return client(options, (host, port, deadline) -> List.of(new InetSocketAddress(loopback(), port)));
    }

    private HttpClient client(ClientOptions options, Addresses addresses) {
        HttpClient client = new HttpClient(loops, addresses, tls, options, Meter.none());
        clients.add(client);
        return client;
    }

    private static InetAddress loopback() {
        return InetAddress.getLoopbackAddress();
    }

    /** Answers every request of a connection with the same text. */
    private static RawServer answering(String response) {
        return new RawServer((peer, number) -> {
            while (!peer.readRequest().isEmpty()) {
                peer.write(response);
            }
        });
    }

    private static void assertFails(HttpClient client, ClientRequest request, Code code, String reason) {
        assertThatExceptionOfType(RonException.class)
                .isThrownBy(() -> client.send(request))
                .satisfies(e -> {
                    assertThat(e.code()).isEqualTo(code);
                    assertThat(e.reason()).isEqualTo(reason);
                });
        Eventually.await("the connection is closed", () -> client.connections() == 0);
    }

    @Test
    void sendsTheRequestWithItsContextAndReturnsTheWholeResponse() throws Exception {
        AtomicReference<String> seen = new AtomicReference<>("");
        try (RawServer server = new RawServer((peer, number) -> {
            seen.set(peer.readRequest());
            peer.write(
                    "HTTP/1.1 201 Created\r\nX-A: 1\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n");
            peer.awaitClose();
        })) {
            Deadline deadline = Deadline.after(Clock.system(), Duration.ofSeconds(20));
            String trace = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
            CallContext context = new CallContext(deadline, "corr-1234567890", trace, null, null);
            ClientRequest request = ClientRequest.post(
                            server.url("/a%20b?x=1&y"), "text/plain", "hello".getBytes(UTF_8))
                    .header("x-b", "2");
            ClientResponse response = context.call(() -> client(PATIENT).send(request));
            assertThat(response.status()).isEqualTo(201);
            assertThat(response.header("x-a")).contains("1");
            assertThat(response.body()).asString(UTF_8).isEqualTo("abcde");
            assertThat(seen.get())
                    .startsWith("POST /a%20b?x=1&y HTTP/1.1\r\n")
                    .contains("host: 127.0.0.1:" + server.port())
                    .contains("content-length: 5")
                    .contains("x-corr-id: corr-1234567890")
                    .contains("traceparent: " + trace)
                    .contains("x-b: 2")
                    .containsPattern("request-timeout: 1?[0-9]{1,4}ms")
                    .endsWith("\r\n\r\nhello");
        }
    }

    @Test
    void keepsAConnectionAliveAcrossCalls() {
        try (RawServer server = answering(OK)) {
            HttpClient client = client(PATIENT);
            for (int i = 0; i < 20; i++) {
                assertThat(client.send(ClientRequest.get(server.url("/"))).status())
                        .isEqualTo(200);
            }
            assertThat(server.accepted()).isEqualTo(1);
            assertThat(client.connections()).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nok",
                "HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nok",
                "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nokEXTRA",
                "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nokHTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\npoison",
            })
    void doesNotReuseAConnectionThatIsNotCleanlyAtItsEnd(String response) {
        try (RawServer server = new RawServer((peer, number) -> {
            peer.readRequest();
            peer.write(response);
            peer.awaitClose();
        })) {
            HttpClient client = client(PATIENT);
            for (int i = 1; i <= 3; i++) {
                assertThat(client.send(ClientRequest.get(server.url("/"))).body())
                        .asString(UTF_8)
                        .isEqualTo("ok");
                Eventually.await("closed", () -> client.connections() == 0);
                assertThat(server.accepted()).isEqualTo(i);
            }
        }
    }

    @Test
    void bytesThatComeWhileIdleEndTheConnection() {
        CountDownLatch poison = new CountDownLatch(1);
        try (RawServer server = new RawServer((peer, number) -> {
            peer.readRequest();
            peer.write(OK);
            if (number == 1) {
                poison.await();
                peer.write("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\npoison");
            }
            peer.awaitClose();
        })) {
            HttpClient client = client(PATIENT);
            client.send(ClientRequest.get(server.url("/")));
            poison.countDown();
            Eventually.await("closed", () -> client.connections() == 0);
            assertThat(client.send(ClientRequest.get(server.url("/"))).body())
                    .asString(UTF_8)
                    .isEqualTo("ok");
        }
    }

    @Test
    void aResponseWithoutLengthEndsWithTheConnection() {
        try (RawServer server = new RawServer((peer, number) -> {
            peer.readRequest();
            peer.write("HTTP/1.1 200 OK\r\n\r\nuntil the end");
        })) {
            assertThat(client(PATIENT).send(ClientRequest.get(server.url("/"))).body())
                    .asString(UTF_8)
                    .isEqualTo("until the end");
        }
    }

    @Test
    void headAndBodylessStatusesHaveNoBodyAndKeepTheConnection() {
        try (RawServer server = new RawServer((peer, number) -> {
            for (String request = peer.readRequest(); !request.isEmpty(); request = peer.readRequest()) {
                peer.write(
                        request.startsWith("HEAD")
                                ? "HTTP/1.1 200 OK\r\nContent-Length: 99999999\r\n\r\n"
                                : "HTTP/1.1 204 No Content\r\n\r\n");
            }
        })) {
            HttpClient client = client(PATIENT);
            assertThat(client.send(ClientRequest.of("HEAD", server.url("/"))).body())
                    .isEmpty();
            assertThat(client.send(ClientRequest.of("DELETE", server.url("/"))).status())
                    .isEqualTo(204);
            assertThat(client.send(ClientRequest.of("HEAD", server.url("/"))).status())
                    .isEqualTo(200);
            assertThat(server.accepted()).isEqualTo(1);
        }
    }

    @Test
    void redirectsAreAnswers() {
        AtomicInteger asked = new AtomicInteger();
        try (RawServer server = new RawServer((peer, number) -> {
            while (!peer.readRequest().isEmpty()) {
                asked.incrementAndGet();
                peer.write("HTTP/1.1 302 Found\r\nLocation: /other\r\nContent-Length: 0\r\n\r\n");
            }
        })) {
            ClientResponse response = client(PATIENT).send(ClientRequest.get(server.url("/")));
            assertThat(response.status()).isEqualTo(302);
            assertThat(response.header("location")).contains("/other");
            assertThat(asked).hasValue(1);
        }
    }

    @Test
    void interimResponsesAreSkippedUpToTen() {
        String hint = "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n";
        try (RawServer polite = answering(hint.repeat(10) + OK);
                RawServer endless = answering(hint.repeat(11) + OK);
                RawServer switching = answering("HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n")) {
            assertThat(client(PATIENT).send(ClientRequest.get(polite.url("/"))).status())
                    .isEqualTo(200);
            assertFails(client(PATIENT), ClientRequest.get(endless.url("/")), Code.UPSTREAM_PARSE, "upstream_parse");
            assertFails(client(PATIENT), ClientRequest.get(switching.url("/")), Code.UPSTREAM_PARSE, "upstream_parse");
        }
    }

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
        try (RawServer silent = new RawServer((peer, number) -> peer.awaitClose());
                RawServer trickling = new RawServer((peer, number) -> {
                    peer.readRequest();
                    peer.write("HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n");
                    while (true) {
                        peer.write("x");
                        Thread.sleep(5); // the far side of the network: slow on purpose
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

    /** Serves one request per connection, then closes or resets when the second comes. */
    private static RawServer forgetful(AtomicInteger requests) {
        return new RawServer((peer, number) -> {
            if (!peer.readRequest().isEmpty()) {
                requests.incrementAndGet();
                peer.write(OK);
            }
            if (!peer.readRequest().isEmpty()) {
                requests.incrementAndGet();
                peer.reset();
            }
        });
    }

    @Test
    void aStaleConnectionIsTriedAgainOnceForAnIdempotentRequest() {
        AtomicInteger requests = new AtomicInteger();
        try (RawServer server = forgetful(requests)) {
            HttpClient client = client(PATIENT);
            assertThat(client.send(ClientRequest.get(server.url("/"))).status()).isEqualTo(200);
            assertThat(client.send(ClientRequest.get(server.url("/"))).status()).isEqualTo(200);
            assertThat(requests).hasValue(3);
            assertThat(server.accepted()).isEqualTo(2);
        }
    }

    @Test
    void aPostThatMayHaveArrivedIsNotSentAgain() {
        AtomicInteger requests = new AtomicInteger();
        try (RawServer server = forgetful(requests)) {
            HttpClient client = client(PATIENT);
            client.send(ClientRequest.get(server.url("/")));
            ClientRequest post = ClientRequest.post(server.url("/"), "text/plain", "x".getBytes(UTF_8));
            assertFails(client, post, Code.UPSTREAM_CONNECT, "upstream_reset");
            assertThat(requests).hasValue(2);
        }
    }

    @Test
    void connectionsPerTargetAreBoundedAndWaitersServed() throws Exception {
        AtomicInteger now = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        try (RawServer server = new RawServer((peer, number) -> {
            while (!peer.readRequest().isEmpty()) {
                most.accumulateAndGet(now.incrementAndGet(), Math::max);
                Thread.sleep(2); // the far side takes its time
                now.decrementAndGet();
                peer.write(OK);
            }
        })) {
            HttpClient client = client(PATIENT.withMaxPerTarget(4));
            List<CompletableFuture<Integer>> calls = new ArrayList<>();
            AtomicInteger mostOpen = new AtomicInteger();
            for (int i = 0; i < 60; i++) {
                CompletableFuture<Integer> call = new CompletableFuture<>();
                calls.add(call);
                Thread.ofVirtual().start(() -> {
                    try {
                        int status =
                                client.send(ClientRequest.get(server.url("/"))).status();
                        mostOpen.accumulateAndGet(client.connections(), Math::max);
                        call.complete(status);
                    } catch (RuntimeException e) {
                        call.completeExceptionally(e);
                    }
                });
            }
            for (CompletableFuture<Integer> call : calls) {
                assertThat(call.get(30, TimeUnit.SECONDS)).isEqualTo(200);
            }
            assertThat(most.get()).isBetween(1, 4);
            assertThat(mostOpen.get()).isLessThanOrEqualTo(4);
            assertThat(server.accepted()).isLessThanOrEqualTo(4);
        }
    }

    @Test
    void aCallThatFindsNoFreeConnectionTimesOut() throws Exception {
        CountDownLatch arrived = new CountDownLatch(1);
        try (RawServer server = new RawServer((peer, number) -> {
            peer.readRequest();
            arrived.countDown();
            peer.awaitClose();
        })) {
            HttpClient client = client(PATIENT.withMaxPerTarget(1));
            Thread holder = Thread.ofVirtual().start(() -> {
                try {
                    client.send(ClientRequest.get(server.url("/")));
                } catch (RonException e) {
                    // ends when the client is closed
                }
            });
            arrived.await();
            CallContext.of(Deadline.after(Clock.system(), SHORT), "c")
                    .run(() -> assertThatThrownBy(() -> client.send(ClientRequest.get(server.url("/"))))
                            .isInstanceOf(RonException.class)
                            .hasMessageContaining("all 1 connections were in use"));
            client.close();
            holder.join();
        }
    }

    @Test
    void anInterruptedCallEndsItsConnection() throws Exception {
        CountDownLatch arrived = new CountDownLatch(1);
        AtomicReference<Code> code = new AtomicReference<>();
        try (RawServer server = new RawServer((peer, number) -> {
            peer.readRequest();
            arrived.countDown();
            peer.awaitClose();
        })) {
            HttpClient client = client(PATIENT);
            Thread caller = Thread.ofVirtual().start(() -> {
                try {
                    client.send(ClientRequest.get(server.url("/")));
                } catch (RonException e) {
                    code.set(e.code());
                }
            });
            arrived.await();
            caller.interrupt();
            caller.join();
            assertThat(code.get()).isEqualTo(Code.CANCELED);
            Eventually.await("closed", () -> client.connections() == 0 && server.open() == 0);
        }
    }

    @Test
    void idleConnectionsAreClosedAndNothingIsKept() {
        try (RawServer server = answering(OK)) {
            HttpClient client = client(PATIENT.withIdleLimit(Duration.ofMillis(50)));
            client.send(ClientRequest.get(server.url("/")));
            Eventually.await("closed", () -> client.connections() == 0 && server.open() == 0);
            assertThat(client.send(ClientRequest.get(server.url("/"))).status()).isEqualTo(200);
            Eventually.await("pool forgotten", () -> client.targets() == 0);
        }
    }

    @Test
    void anEventLoopMustNotCall() throws Exception {
        HttpClient client = client(PATIENT);
        loops.group()
                .next()
                .submit(() -> assertThatThrownBy(() -> client.send(ClientRequest.get("http://127.0.0.1:1/")))
                        .isInstanceOf(Blocking.Refused.class))
                .get(30, TimeUnit.SECONDS);
    }

    @Test
    void aClosedClientRefuses() {
        try (RawServer server = answering(OK)) {
            HttpClient client = client(PATIENT);
            client.send(ClientRequest.get(server.url("/")));
            client.close();
            Eventually.await("closed", () -> client.connections() == 0);
            assertThatThrownBy(() -> client.send(ClientRequest.get(server.url("/"))))
                    .isInstanceOf(RonException.class)
                    .hasMessageContaining("closed");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ftp://x/",
                "http://u:p@x/",
                "http:///x",
                "/x",
                "x",
                "http://x/#f",
                "http://x:99999/",
                "http://a b/"
            })
    void otherUrlsAreRefused(String url) {
        assertThatThrownBy(() -> ClientRequest.get(url)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void headersThatWouldBreakTheMessageAreRefused() {
        ClientRequest request = ClientRequest.get("http://x/");
        assertThatThrownBy(() -> request.header("a", "b\r\nc: d")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> request.header("a b", "c")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> request.header("Host", "y")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> request.header("Content-Length", "1")).isInstanceOf(IllegalArgumentException.class);
    }
}
