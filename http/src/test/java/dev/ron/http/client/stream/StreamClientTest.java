package dev.ron.http.client.stream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.http.client.Target;
import dev.ron.http.client.stream.UpstreamFailure.Kind;
import dev.ron.http.loop.EventLoops;
import dev.ron.http.message.Headers;
import dev.ron.http.testing.NoBufferLeaks;
import dev.ron.http.testing.RawServer;
import dev.ron.kernel.testkit.Eventually;
import dev.ron.kernel.testkit.NoLeaks;
import io.netty.buffer.Unpooled;
import io.netty.channel.EventLoop;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@ExtendWith({NoLeaks.class, NoBufferLeaks.class})
class StreamClientTest {
    private static final Duration LONG = Duration.ofSeconds(60);
    private static final Duration SHORT = Duration.ofMillis(300);
    private static final String OK = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
    private static final StreamOptions OPTIONS = new StreamOptions(8, 8, Duration.ofSeconds(30), LONG);

    private EventLoops loops;
    private StreamClient client;
    private final List<Endpoint> endpoints = new ArrayList<>();

    @BeforeEach
    void start() {
        loops = new EventLoops("stream-test", 2);
        client = new StreamClient(loops, Optional.empty());
    }

    @AfterEach
    void stop() {
        endpoints.forEach(Endpoint::close);
        loops.close();
    }

    private Endpoint endpoint(int port, StreamOptions options) {
        Endpoint made = client.endpoint(
                new Target(false, "upstream.test", port),
                new InetSocketAddress(InetAddress.getLoopbackAddress(), port),
                options);
        endpoints.add(made);
        return made;
    }

    private Endpoint endpoint(RawServer server) {
        return endpoint(server.port(), OPTIONS);
    }

    private EventLoop loop() {
        return loops.group().next();
    }

    private StreamRequest get() {
        return request("GET", StreamRequest.NO_BODY, LONG, LONG);
    }

    private StreamRequest request(String method, long length, Duration limit, Duration idle) {
        long deadline = loops.clock().nanos() + limit.toNanos();
        return new StreamRequest(method, "/a?b", Headers.of("Host", "h"), length, deadline, idle, false);
    }

    private static RawServer answering(String response) {
        return new RawServer((peer, number) -> {
            while (!peer.readRequest().isEmpty()) {
                peer.write(response);
            }
        });
    }

    private static RawServer thenClosing(String response) {
        return new RawServer((peer, number) -> {
            peer.readRequest();
            peer.write(response);
        });
    }

    @Test
    void oneConnectionServesManyCallsOfALoop() {
        AtomicInteger connections = new AtomicInteger();
        try (RawServer server = new RawServer((peer, number) -> {
            connections.set(number);
            for (String seen = peer.readRequest(); !seen.isEmpty(); seen = peer.readRequest()) {
                assertThat(seen).isEqualTo("GET /a?b HTTP/1.1\r\nHost: h\r\n\r\n");
                peer.write("HTTP/1.1 200 OK\r\nX: 1\r\nTransfer-Encoding: chunked\r\n\r\n"
                        + "3;x=y\r\nabc\r\n02\r\nde\r\n0\r\nT: 1\r\n\r\n");
            }
        })) {
            Endpoint endpoint = endpoint(server);
            EventLoop loop = loop();
            for (int i = 0; i < 20; i++) {
                Taken taken = Taken.send(endpoint, loop, get());
                assertThat(taken.body()).isEqualTo("abcde");
                assertThat(taken.head.join().headers().first("x")).contains("1");
            }
            assertThat(connections).hasValue(1);
            assertThat(endpoint.connectionCount()).isEqualTo(1);
        }
    }

    @Test
    void aBodyGoesOutWithItsLengthOrInChunks() {
        List<String> seen = new ArrayList<>();
        try (RawServer server = new RawServer((peer, number) -> {
            seen.add(peer.readRequest());
            if (number == 2) {
                seen.add(peer.readRequest()); // up to the empty line behind the last chunk
            }
            peer.write(OK);
        })) {
            Endpoint endpoint = endpoint(server);
            for (long length : new long[] {5, StreamRequest.CHUNKED}) {
                Taken taken = new Taken() {
                    @Override
                    public void ready() {
                        call().write(Unpooled.copiedBuffer("hel", StandardCharsets.US_ASCII));
                        call().write(Unpooled.copiedBuffer("lo", StandardCharsets.US_ASCII));
                        call().end();
                    }
                };
                taken.start(
                        endpoint, loop(), request("POST", length, LONG, LONG).onFreshConnection());
                assertThat(taken.body()).isEqualTo("ok");
            }
        }
        assertThat(seen)
                .containsExactly(
                        "POST /a?b HTTP/1.1\r\nHost: h\r\ncontent-length: 5\r\n\r\nhello",
                        "POST /a?b HTTP/1.1\r\nHost: h\r\ntransfer-encoding: chunked\r\n\r\n",
                        "3\r\nhel\r\n2\r\nlo\r\n0\r\n\r\n");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "garbage\r\n\r\n",
                "HTTP/2.0 200 OK\r\n\r\n",
                "HTTP/1.1 2000 OK\r\n\r\n",
                "HTTP/1.1 99 Odd\r\n\r\n",
                "HTTP/1.1 600 Odd\r\nContent-Length: 0\r\n\r\n",
                "HTTP/1.1  200 OK\r\n\r\n",
                "HTTP/1.1 200 OK\nContent-Length: 0\n\n",
                "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
                "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 2\r\n\r\nok",
                "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\nok",
                "HTTP/1.1 200 OK\r\nContent-Length: +2\r\n\r\nok",
                "HTTP/1.1 200 OK\r\nContent-Length: 2, 2\r\n\r\nok",
                "HTTP/1.1 200 OK\r\nContent-Length: \r\n\r\nok",
                "HTTP/1.1 200 OK\r\nContent-Length: 9999999999999999999\r\n\r\nok",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: xchunked\r\n\r\n0\r\n\r\n",
                "HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
                "HTTP/1.1 200 OK\r\nX: 1\r\n folded\r\nContent-Length: 0\r\n\r\n",
                "HTTP/1.1 200 OK\r\nX : 1\r\nContent-Length: 0\r\n\r\n",
                "HTTP/1.1 200 OK\r\n: 1\r\nContent-Length: 0\r\n\r\n",
                "HTTP/1.1 200 OK\r\nX: a\0b\r\nContent-Length: 0\r\n\r\n",
                "HTTP/1.1 200 OK\r\nX: a\rb\r\nContent-Length: 0\r\n\r\n",
                "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n"
            })
    void aResponseThatIsNotStrictIsRefused(String response) {
        try (RawServer server = thenClosing(response)) {
            Endpoint endpoint = endpoint(server);
            Taken taken = Taken.send(endpoint, loop(), get());
            assertThat(taken.failure()).isEqualTo(Kind.PROTOCOL);
            Eventually.await("the connection is gone", () -> endpoint.connectionCount() == 0);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nok",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nok",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nokX\r\n0\r\n\r\n",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\nok\r\n0\r\n\r\n",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n-2\r\nok\r\n0\r\n\r\n",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n000000002\r\nok\r\n0\r\n\r\n",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2 \r\nok\r\n0\r\n\r\n",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\nbad trailer\r\n\r\n"
            })
    void aBodyThatBreaksOffIsNeverTakenForWhole(String response) {
        try (RawServer server = thenClosing(response)) {
            Taken taken = Taken.send(endpoint(server), loop(), get());
            assertThat(taken.head.join().status()).isEqualTo(200);
            assertThat(taken.failure()).isEqualTo(Kind.BROKEN_BODY);
        }
    }

    @Test
    void headsAreBoundedInBytesAndFields() {
        for (String flood : List.of("X: " + "y".repeat(70_000) + "\r\n", "X: y\r\n".repeat(201))) {
            try (RawServer server = thenClosing("HTTP/1.1 200 OK\r\n" + flood + "\r\n")) {
                assertThat(Taken.send(endpoint(server), loop(), get()).failure())
                        .isEqualTo(Kind.PROTOCOL);
            }
        }
        String large = "X: " + "y".repeat(300) + "\r\n";
        try (RawServer server = answering("HTTP/1.1 200 OK\r\n" + large.repeat(199) + "Content-Length: 0\r\n\r\n")) {
            Taken taken = Taken.send(endpoint(server), loop(), get());
            assertThat(taken.body()).isEmpty();
            assertThat(taken.head.join().headers().size()).isEqualTo(200);
        }
    }

    @Test
    void interimAnswersArePassedOverButNotForever() {
        String interim = "HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n";
        try (RawServer server = answering(interim.repeat(10) + OK)) {
            assertThat(Taken.send(endpoint(server), loop(), get()).body()).isEqualTo("ok");
        }
        try (RawServer server = answering(interim.repeat(11) + OK)) {
            assertThat(Taken.send(endpoint(server), loop(), get()).failure()).isEqualTo(Kind.PROTOCOL);
        }
    }

    @Test
    void whatComesBehindTheDeclaredLengthIsCutAndTheConnectionEnds() {
        try (RawServer server = answering(OK + "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil")) {
            Endpoint endpoint = endpoint(server);
            EventLoop loop = loop();
            for (int i = 0; i < 3; i++) {
                assertThat(Taken.send(endpoint, loop, get()).body()).isEqualTo("ok");
            }
            Eventually.await("no connection is kept", () -> endpoint.connectionCount() == 0);
        }
    }

    @Test
    void responsesWithoutBodyKeepTheirLengthAndTheConnection() {
        try (RawServer server = answering("HTTP/1.1 200 OK\r\nContent-Length: 77\r\n\r\n")) {
            Endpoint endpoint = endpoint(server);
            EventLoop loop = loop();
            for (int i = 0; i < 3; i++) {
                Taken taken = Taken.send(endpoint, loop, request("HEAD", StreamRequest.NO_BODY, LONG, LONG));
                assertThat(taken.body()).isEmpty();
                assertThat(taken.head.join().length()).isEqualTo(77);
            }
            assertThat(endpoint.idleCount()).isEqualTo(1);
        }
        for (String status : List.of("204 No Content", "304 Not Modified")) {
            try (RawServer server = answering("HTTP/1.1 " + status + "\r\n\r\n")) {
                Endpoint endpoint = endpoint(server);
                assertThat(Taken.send(endpoint, loop(), get()).body()).isEmpty();
                assertThat(endpoint.idleCount()).isEqualTo(1);
            }
        }
    }

    @Test
    void aBodyWithoutLengthEndsWithTheConnection() {
        try (RawServer server = thenClosing("HTTP/1.0 200 OK\r\n\r\nall of it")) {
            assertThat(Taken.send(endpoint(server), loop(), get()).body()).isEqualTo("all of it");
        }
    }

    @Test
    void silenceBeforeTheHeadAndInsideTheBodyHasAnEnd() {
        for (String start : List.of("", "HTTP/1.1 200", "HTTP/1.1 200 OK\r\nX: 1\r\n")) {
            try (RawServer server = new RawServer((peer, number) -> {
                peer.readRequest();
                peer.write(start);
                peer.awaitClose();
            })) {
                Duration withTheDial = Duration.ofSeconds(1);
                Taken taken =
                        Taken.send(endpoint(server), loop(), request("GET", StreamRequest.NO_BODY, withTheDial, LONG));
                assertThat(taken.failure()).isEqualTo(Kind.TIMEOUT);
            }
        }
        try (RawServer server = new RawServer((peer, number) -> {
            peer.readRequest();
            peer.write("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nok");
            peer.awaitClose();
        })) {
            Taken taken = Taken.send(endpoint(server), loop(), request("GET", StreamRequest.NO_BODY, LONG, SHORT));
            assertThat(taken.failure()).isEqualTo(Kind.STALLED);
        }
    }

    @Test
    void failuresBeforeAnyByteSayWhetherTheConnectionWasFresh() throws Exception {
        try (RawServer server = new RawServer((peer, number) -> {
            peer.readRequest();
            if (number == 1) {
                peer.write(OK);
                peer.readRequest();
            }
        })) {
            Endpoint endpoint = endpoint(server);
            EventLoop loop = loop();
            assertThat(Taken.send(endpoint, loop, get()).body()).isEqualTo("ok");
            assertThat(Taken.send(endpoint, loop, get()).failure()).isEqualTo(Kind.STALE);
            assertThat(Taken.send(endpoint, loop, get()).failure()).isEqualTo(Kind.RESET);
        }
        int nobody;
        try (ServerSocket taken = new ServerSocket(0)) {
            nobody = taken.getLocalPort();
        }
        assertThat(Taken.send(endpoint(nobody, OPTIONS), loop(), get()).failure())
                .isEqualTo(Kind.CONNECT);
    }

    // a full receiver | more of the response | the far side closes  ->  nothing more until resumed, then all of it
    @Test
    void aPausedReceiverGetsTheRestWhenItGoesOn() {
        int size = 3 << 20;
        byte[] bytes = "x".repeat(size).getBytes(StandardCharsets.US_ASCII);
        for (String head :
                List.of("HTTP/1.1 200 OK\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: " + size + "\r\n\r\n")) {
            CountDownLatch written = new CountDownLatch(1);
            try (RawServer server = new RawServer((peer, number) -> {
                peer.readRequest();
                peer.write(head);
                peer.write(bytes);
                written.countDown();
            })) {
                AtomicInteger pausedAt = new AtomicInteger(-1);
                Taken taken = new Taken() {
                    @Override
                    public void piece(io.netty.buffer.ByteBuf piece) {
                        super.piece(piece);
                        if (pausedAt.compareAndSet(-1, received.get())) {
                            call().pause();
                        }
                    }
                };
                taken.start(endpoint(server), loop(), get());
                Eventually.await("it is paused", () -> pausedAt.get() > 0);
                taken.onLoop(() -> {});
                assertThat(taken.received).hasValue(pausedAt.get());
                taken.onLoop(() -> taken.call().resume());
                assertThat(taken.body()).hasSize(size);
                assertThat(written.getCount()).isZero();
            }
        }
    }

    // calls on two loops | a bound of two connections  ->  never a third, and every call is answered
    @Test
    void theBoundHoldsOverAllLoopsAndEveryWaiterIsServed() {
        AtomicInteger open = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        try (RawServer server = new RawServer((peer, number) -> {
            most.accumulateAndGet(open.incrementAndGet(), Math::max);
            try {
                while (!peer.readRequest().isEmpty()) {
                    peer.write(OK);
                }
            } finally {
                open.decrementAndGet();
            }
        })) {
            Endpoint endpoint = endpoint(server.port(), new StreamOptions(2, 1000, Duration.ofSeconds(30), LONG));
            List<Taken> all = new ArrayList<>();
            for (int i = 0; i < 200; i++) {
                all.add(Taken.send(endpoint, loop(), get()));
            }
            all.forEach(taken -> assertThat(taken.body()).isEqualTo("ok"));
            assertThat(endpoint.waitingCount()).isZero();
            assertThat(endpoint.connectionCount()).isLessThanOrEqualTo(2);
        }
        // the far side may see a close later than we make the next connection
        assertThat(most.get()).isLessThanOrEqualTo(6);
    }

    @Test
    void beyondTheBoundAndTheWaitersACallIsRefusedAtOnce() {
        try (RawServer server = new RawServer((peer, number) -> {
            peer.readRequest();
            peer.awaitClose();
        })) {
            Endpoint endpoint = endpoint(server.port(), new StreamOptions(1, 1, Duration.ofSeconds(30), LONG));
            EventLoop loop = loop();
            Taken first = Taken.send(endpoint, loop, get());
            Taken waits =
                    Taken.send(endpoint, loop, request("GET", StreamRequest.NO_BODY, Duration.ofSeconds(1), LONG));
            assertThat(Taken.send(endpoint, loop, get()).failure()).isEqualTo(Kind.BUSY);
            assertThat(waits.failure()).isEqualTo(Kind.BUSY);
            first.onLoop(first.call()::abort);
            Eventually.await("the place is free", () -> endpoint.connectionCount() == 0);
            assertThat(endpoint.waitingCount()).isZero();
            assertThat(first.ends).hasValue(0);
        }
    }

    @Test
    void whatLeavesThePoolMakesRoomAndDoesNotComeBack() {
        Semaphore last = new Semaphore(0);
        try (RawServer server = new RawServer((peer, number) -> {
            for (String asked = peer.readRequest(); !asked.isEmpty(); asked = peer.readRequest()) {
                peer.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
                last.acquire();
                peer.write("0\r\n\r\n");
            }
        })) {
            Endpoint endpoint = endpoint(server.port(), new StreamOptions(1, 0, Duration.ofSeconds(30), LONG));
            EventLoop loop = loop();
            Taken stream = Taken.send(endpoint, loop, get());
            stream.head.join();
            stream.onLoop(stream.call()::leavePool);
            Taken other = Taken.send(endpoint, loop, get());
            other.head.join();
            assertThat(Taken.send(endpoint, loop, get()).failure()).isEqualTo(Kind.BUSY);
            last.release(2);
            assertThat(stream.body()).isEmpty();
            assertThat(other.body()).isEmpty();
            Eventually.await("the stream's connection is closed, the other kept", () -> server.open() == 1);
            assertThat(endpoint.idleCount()).isEqualTo(1);
            assertThat(endpoint.connectionCount()).isEqualTo(1);
        }
    }

    @Test
    void anEarlyAnswerIsDeliveredAndItsConnectionNotUsedAgain() {
        try (RawServer server = new RawServer((peer, number) -> {
            peer.readRequest();
            peer.write("HTTP/1.1 403 Forbidden\r\nContent-Length: 2\r\n\r\nno");
            peer.awaitClose();
        })) {
            Endpoint endpoint = endpoint(server);
            // the body never comes, and so readRequest must not wait for it
            Taken taken = Taken.send(endpoint, loop(), request("POST", StreamRequest.CHUNKED, LONG, LONG));
            assertThat(taken.body()).isEqualTo("no");
            Eventually.await("the connection is gone", () -> endpoint.connectionCount() == 0);
        }
    }
}
