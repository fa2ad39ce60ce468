package dev.ron.http.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.http.message.Headers;
import dev.ron.http.message.Response;
import dev.ron.http.testing.H2Client;
import dev.ron.http.testing.NoBufferLeaks;
import dev.ron.http.testing.RawClient;
import dev.ron.http.testing.TestHost;
import dev.ron.kernel.testkit.NoLeaks;
import dev.ron.kernel.time.VirtualClock;
import io.netty.buffer.Unpooled;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.IntPredicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Floods and slow callers in HTTP/2; time is virtual, so every frame of a flood falls into one window. */
@ExtendWith({NoLeaks.class, NoBufferLeaks.class})
class Http2AbuseTest {
    private static final int ENHANCE_YOUR_CALM = 11;
    private static final int MANY = 100_000;
    private static final byte[] NOTHING = new byte[0];

    private static final int PIECE = 16 << 10;

    private final AtomicInteger written = new AtomicInteger();
    private final VirtualClock clock = new VirtualClock();
    private final TestHost host = TestHost.with(
            HostConfig.DEFAULTS.withFront(HostConfig.Front.DEFAULTS.withPriorKnowledge()),
            clock,
            routes -> routes.get("/", (StreamHandler) exchange -> exchange.respond(Response.text("quick")))
                    .get("/greedy", (StreamHandler) exchange -> {
                        ResponseStream out = exchange.start(200, Headers.NONE);
                        while (out.writable() && written.get() < 1000) {
                            out.write(Unpooled.wrappedBuffer(new byte[PIECE]));
                            written.incrementAndGet();
                        }
                        out.end(Headers.NONE);
                    })
                    .get("/long", (StreamHandler) exchange -> {
                        ResponseStream out = exchange.start(200, Headers.NONE);
                        Runnable more = () -> {
                            while (written.get() < 64 && out.writable()) {
                                boolean last = written.incrementAndGet() == 64;
                                out.write(Unpooled.wrappedBuffer(new byte[PIECE]));
                                if (last) {
                                    out.end(Headers.NONE);
                                }
                            }
                        };
                        out.onWritable(more);
                        more.run();
                    })
                    .get("/never", (StreamHandler) exchange -> {})
                    .get("/held", (StreamHandler) exchange -> {
                        ResponseStream out = exchange.start(200, Headers.NONE);
                        Runnable once = () -> {
                            if (out.writable()) {
                                out.end(Headers.NONE);
                            }
                        };
                        out.onWritable(once);
                        once.run();
                    })
                    .post("/whole", (BlockingHandler) request -> Response.text("got it"))
                    .get("/large", (StreamHandler)
                            exchange -> exchange.respond(Response.bytes(200, "text/plain", new byte[1 << 20]))),
            builder -> builder);

    @AfterEach
    void close() {
        Thread mover = Thread.ofVirtual().start(() -> {
            while (!Thread.currentThread().isInterrupted()) {
                clock.advance(Duration.ofMillis(10));
                LockSupport.parkNanos(100_000); // leaves its carrier to those that stop
            }
        });
        host.close();
        mover.interrupt();
    }

    /** Sends until the peer has closed; says with which error. */
    private static int flood(H2Client client, IntPredicate frame) {
        for (int i = 0; i < MANY; i++) {
            if (!frame.test(i)) {
                break;
            }
        }
        return client.farewell();
    }

    private void aNeighbourIsServed() {
        try (RawClient other = host.client()) {
            assertThat(other.get("/").read().body()).isEqualTo("quick");
        }
    }

    private void settle() {
        for (int i = 0; i < 4; i++) {
            aNeighbourIsServed();
        }
    }

    /** Lets time pass, and the loops look at it, until something has come of it. */
    private void until(BooleanSupplier condition) {
        TestHost.await(() -> {
            settle();
            clock.advance(Duration.ofMillis(5_100));
            return condition.getAsBoolean();
        });
    }

    @Test
    void rapidResetEndsTheConnection() {
        try (H2Client client = new H2Client(host.port())) {
            byte[] head = client.block(H2Client.head("GET", "/never"));
            int error = flood(client, i -> {
                int stream = 2 * i + 1;
                int flags = H2Client.END_HEADERS | H2Client.END_STREAM;
                return client.sendIfOpen(H2Client.HEADERS, flags, stream, head)
                        && client.sendIfOpen(H2Client.RST_STREAM, 0, stream, H2Client.increment(8));
            });
            assertThat(error).isIn(ENHANCE_YOUR_CALM, -1);
        }
        TestHost.await(() -> host.host().inflight() == 0);
        aNeighbourIsServed();
    }

    // The caller breaks a rule of its stream, so that the server does the resetting.
    @Test
    void madeYouResetEndsTheConnection() {
        try (H2Client client = new H2Client(host.port())) {
            byte[] head = client.block(H2Client.head("GET", "/never"));
            int error = flood(client, i -> {
                int stream = 2 * i + 1;
                int flags = H2Client.END_HEADERS | H2Client.END_STREAM;
                return client.sendIfOpen(H2Client.HEADERS, flags, stream, head)
                        && client.sendIfOpen(H2Client.WINDOW_UPDATE, 0, stream, H2Client.increment(0));
            });
            assertThat(error).isIn(ENHANCE_YOUR_CALM, -1);
        }
        TestHost.await(() -> host.host().inflight() == 0);
        aNeighbourIsServed();
    }

    @Test
    void aHeadOfContinuationsWithoutEndEndsTheConnection() {
        try (H2Client client = new H2Client(host.port())) {
            client.send(H2Client.HEADERS, H2Client.END_STREAM, 1, client.block(H2Client.head("GET", "/")));
            assertThat(flood(client, i -> client.sendIfOpen(H2Client.CONTINUATION, 0, 1, NOTHING)))
                    .isIn(ENHANCE_YOUR_CALM, -1);
        }
        aNeighbourIsServed();
    }

    @Test
    void settingsPingsPrioritiesAndEmptyDataAreCounted() {
        int[] types = {H2Client.SETTINGS, H2Client.PING, H2Client.PRIORITY, H2Client.WINDOW_UPDATE};
        byte[][] payloads = {NOTHING, new byte[8], new byte[] {0, 0, 0, 0, 1}, H2Client.increment(1)};
        int[] streams = {0, 0, 3, 0};
        for (int kind = 0; kind < types.length; kind++) {
            int type = types[kind];
            byte[] payload = payloads[kind];
            int stream = streams[kind];
            try (H2Client client = new H2Client(host.port())) {
                assertThat(flood(client, i -> client.sendIfOpen(type, 0, stream, payload)))
                        .as("type " + type)
                        .isIn(ENHANCE_YOUR_CALM, -1);
            }
        }
        TestHost.await(() -> host.counted().of("rejected_total", "h2_flood") >= types.length);
        aNeighbourIsServed();
    }

    @Test
    void aHeadThatIsTooLargeIs431AndAFieldBombIsNotUnpacked() {
        try (H2Client client = new H2Client(host.port())) {
            int stream = client.request(H2Client.head("GET", "/").add("x", "y".repeat(17 << 10)), true);
            assertThat(client.answer(stream).status()).isEqualTo(431);
        }
        aNeighbourIsServed();
    }

    @Test
    void halfAHeadMustBeWholeFiveSecondsLater() {
        try (H2Client client = new H2Client(host.port())) {
            assertThat(client.answer(client.get("/")).body()).isEqualTo("quick");
            client.send(H2Client.HEADERS, H2Client.END_STREAM, 3, client.block(H2Client.head("GET", "/")));
            settle();
            clock.advance(Duration.ofMillis(5_100));
            assertThat(client.closedByPeer()).isTrue();
        }
    }

    @Test
    void aBodyThatStopsIs408AndTheConnectionGoesOn() {
        try (H2Client client = new H2Client(host.port())) {
            int stream = client.request(H2Client.head("POST", "/whole"), false);
            client.data(stream, "some", false);
            assertThat(client.answer(client.get("/")).body()).isEqualTo("quick");
            settle();
            clock.advance(Duration.ofMillis(5_100));
            assertThat(client.answer(stream).status()).isEqualTo(408);
            assertThat(client.answer(client.get("/")).body()).isEqualTo("quick");
        }
    }

    @Test
    void anAnswerThatIsNotTakenIsResetAndTheConnectionGoesOn() {
        try (H2Client client = new H2Client(host.port())) {
            int stream = client.get("/large");
            assertThat(client.next(f -> f.type() == H2Client.DATA).stream()).isEqualTo(stream);
            // What was taken at first counts as progress: the second look, or the one after it, ends it.
            until(() -> host.counted().of("io_timeouts_total", "write") > 0);
            assertThat(client.next(f -> f.type() == H2Client.RST_STREAM).error())
                    .isEqualTo(8);
            client.send(H2Client.WINDOW_UPDATE, 0, 0, H2Client.increment(1 << 20));
            assertThat(client.answer(client.get("/")).body()).isEqualTo("quick");
            assertThat(host.counted().of("io_timeouts_total", "write")).isEqualTo(1);
        }
    }

    // a window of nothing, so that the handler keeps its answer back | the time for a write  ->  reset
    @Test
    void aCallerThatNeverOpensItsWindowIsReset() {
        try (H2Client client = new H2Client(host.port())) {
            client.send(H2Client.SETTINGS, 0, 0, new byte[] {0, 4, 0, 0, 0, 0});
            int stream = client.get("/held");
            assertThat(client.next(f -> f.type() == H2Client.HEADERS).stream()).isEqualTo(stream);
            until(() -> host.counted().of("io_timeouts_total", "write") > 0);
            assertThat(client.next(f -> f.type() == H2Client.RST_STREAM).stream())
                    .isEqualTo(stream);
        }
        TestHost.await(() -> host.host().inflight() == 0);
    }

    // a connection's window full of another's long answer | time, in which the caller takes it  ->  the one that
    // waits is answered in its turn
    @Test
    void aStreamThatOnlyWaitsBehindAnotherIsNotReset() {
        try (H2Client client = new H2Client(host.port())) {
            client.send(H2Client.SETTINGS, 0, 0, new byte[] {0, 4, 0x7f, -1, -1, -1});
            int large = client.get("/large");
            take(client, large, 65_535);
            int waiting = client.get("/held");
            assertThat(client.next(f -> f.type() == H2Client.HEADERS).stream()).isEqualTo(waiting);
            for (int i = 0; i < 6; i++) {
                settle();
                clock.advance(Duration.ofSeconds(4));
                settle();
                client.send(H2Client.WINDOW_UPDATE, 0, 0, H2Client.increment(32 << 10));
                take(client, large, 32 << 10);
            }
            assertThat(host.counted().of("io_timeouts_total", "write")).isZero();
            client.send(H2Client.WINDOW_UPDATE, 0, 0, H2Client.increment(4 << 20));
            client.next(f -> f.stream() == waiting && f.ends());
        }
    }

    @Test
    void howeverWideTheWindowsNoMoreIsWrittenThanASocketWouldTake() {
        try (H2Client client = new H2Client(host.port())) {
            client.send(H2Client.SETTINGS, 0, 0, new byte[] {0, 4, 0x7f, -1, -1, -1});
            client.send(H2Client.WINDOW_UPDATE, 0, 0, H2Client.increment(Integer.MAX_VALUE - 65_535));
            assertThat(client.answer(client.get("/greedy")).status()).isEqualTo(200);
            assertThat(written.get() * PIECE).isBetween(PIECE, 64 << 10);
        }
    }

    // an answer whose own window is closed, and most of it waiting | another one  ->  comes whole
    @Test
    void aNeighbourThatIsNotTakenHoldsUpNobody() {
        try (H2Client client = new H2Client(host.port())) {
            client.send(H2Client.WINDOW_UPDATE, 0, 0, H2Client.increment(Integer.MAX_VALUE - 65_535));
            take(client, client.get("/large"), 65_535);
            int other = client.get("/long");
            client.send(H2Client.WINDOW_UPDATE, 0, other, H2Client.increment(4 << 20));
            client.next(f -> f.stream() == other && f.ends());
            assertThat(written).hasValue(64);
        }
    }

    private static void take(H2Client client, int stream, int bytes) {
        for (int taken = 0; taken < bytes; ) {
            taken += client.next(f -> f.type() == H2Client.DATA && f.stream() == stream)
                    .payload()
                    .length;
        }
    }

    // windows as wide as can be, and a socket that nobody reads | the time in which a slow caller would have  ->  cut
    @Test
    void aCallerThatStopsReadingItsSocketIsCut() throws Exception {
        try (Socket socket = new Socket()) {
            socket.setReceiveBufferSize(4 << 10);
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), host.port()));
            H2Client client = new H2Client(socket);
            client.send(H2Client.SETTINGS, 0, 0, new byte[] {0, 4, 0x7f, -1, -1, -1});
            client.send(H2Client.WINDOW_UPDATE, 0, 0, H2Client.increment(Integer.MAX_VALUE - 65_535));
            for (int i = 0; i < 40; i++) {
                client.get("/large");
            }
            TestHost.await(() -> host.host().connections() == 1);
            until(() -> {
                LockSupport.parkNanos(1_000_000); // the neighbours that looked are gone, too
                return host.host().connections() == 0;
            });
            assertThat(host.counted().of("io_timeouts_total", "write"))
                    .as("each stream once, and the socket")
                    .isLessThan(100);
        }
        TestHost.await(() -> host.host().inflight() == 0);
    }

    @Test
    void anIdleConnectionIsToldAndClosed() {
        try (H2Client client = new H2Client(host.port())) {
            assertThat(client.answer(client.get("/")).body()).isEqualTo("quick");
            settle();
            clock.advance(Duration.ofSeconds(61));
            assertThat(client.farewell()).isZero();
            assertThat(client.closedByPeer()).isTrue();
        }
    }
}
