package dev.ron.http.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.http.message.Headers;
import dev.ron.http.message.Response;
import dev.ron.http.testing.NoBufferLeaks;
import dev.ron.http.testing.RawClient;
import dev.ron.http.testing.TestHost;
import dev.ron.kernel.error.RonException;
import dev.ron.kernel.testkit.NoLeaks;
import dev.ron.kernel.time.VirtualClock;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Time is virtual: the limits are met exactly, and no test waits for them. */
@ExtendWith({NoLeaks.class, NoBufferLeaks.class})
class SlowCallerTest {
    private final VirtualClock clock = new VirtualClock();
    private final AtomicReference<String> broken = new AtomicReference<>("");
    private final AtomicInteger pieces = new AtomicInteger();
    private final AtomicReference<Exchange> late = new AtomicReference<>();
    private final TestHost host = TestHost.with(
            HostConfig.DEFAULTS,
            clock,
            routes -> routes.get("/", (StreamHandler) exchange -> exchange.respond(Response.text("quick")))
                    .post("/whole", (BlockingHandler) request -> Response.text("got it"))
                    .add(
                            List.of("POST"),
                            "/stream",
                            routes.with((StreamHandler) this::swallow).timeout(Duration.ofHours(1)))
                    .get("/large", (BlockingHandler) request -> Response.bytes(200, "text/plain", new byte[32 << 20]))
                    .get("/piece", (StreamHandler) exchange -> {
                        pieces.incrementAndGet();
                        exchange.respond(Response.bytes(200, "text/plain", new byte[64 << 10]));
                    })
                    .get("/late", (StreamHandler) late::set)
                    .get("/never", (StreamHandler) exchange -> {}),
            builder -> builder);

    private void swallow(Exchange exchange) {
        exchange.receive(new BodySink() {
            @Override
            public void piece(ByteBuf piece) {
                piece.release();
            }

            @Override
            public void end() {
                exchange.respond(Response.text("all of it"));
            }

            @Override
            public void broken(RonException why) {
                broken.set(why.reason());
            }
        });
    }

    @AfterEach
    void close() {
        // The host's own waits run on the virtual clock too.
        Thread mover = Thread.ofVirtual().start(() -> {
            while (!Thread.currentThread().isInterrupted()) {
                clock.advance(Duration.ofMillis(10));
                LockSupport.parkNanos(100_000); // leaves its carrier to those that stop
            }
        });
        host.close();
        mover.interrupt();
    }

    /** The server has seen all that was sent: a later request on another connection of the same loop is answered. */
    private void settle() {
        TestHost.await(() -> host.host().connections() > 0);
        for (int i = 0; i < 4; i++) { // both loops, twice
            try (RawClient other = host.client()) {
                assertThat(other.get("/").read().body()).isEqualTo("quick");
            }
        }
    }

    @Test
    void aHeadMustBeCompleteFiveSecondsAfterItsFirstByte() {
        try (RawClient client = host.client()) {
            client.send("GET / HTTP/1.1\r\n");
            settle();
            clock.advance(Duration.ofSeconds(4));
            client.send("Host: x\r\n"); // progress does not help
            settle();
            clock.advance(Duration.ofMillis(1_100));
            RawClient.Answer answer = client.read();
            assertThat(answer.status()).isEqualTo(408);
            assertThat(answer.body()).contains("slow_headers");
            assertThat(host.counted().of("rejected_total", "slow_headers")).isEqualTo(1);
        }
    }

    @Test
    void manySlowCallersHoldNobodyUpAndAllAreTold() {
        List<RawClient> slow = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            slow.add(host.client().send("GET / HTTP/1.1\r\nHo"));
        }
        settle();
        clock.advance(Duration.ofMillis(5_100));
        for (RawClient client : slow) {
            try (client) {
                assertThat(client.read().status()).isEqualTo(408);
            }
        }
        assertThat(host.counted().of("rejected_total", "slow_headers")).isEqualTo(200);
    }

    @Test
    void aCallerThatSendsAheadWithoutReadingIsAnsweredOnlyAsFarAsItReads() {
        int requests = 1000;
        try (RawClient client = host.client()) {
            client.send("GET /piece HTTP/1.1\r\nHost: x\r\n\r\n".repeat(requests));
            settle();
            assertThat(pieces.get()).isPositive().isLessThan(requests);
            for (int i = 0; i < requests; i++) {
                assertThat(client.read().body()).hasSize(64 << 10);
            }
            assertThat(pieces).hasValue(requests);
        }
    }

    @Test
    void afterItsLastAnswerAConnectionStillReadsForAMoment() {
        try (RawClient client = host.client()) {
            client.send("POST /whole HTTP/1.1\r\nHost: x\r\nContent-Length: 2000000\r\n\r\n");
            assertThat(client.read().status()).isEqualTo(413);
            assertThat(client.closedByPeer()).as("no more will come").isTrue();
            for (int i = 0; i < 16; i++) {
                client.send(new byte[1024]); // a closed connection would reset this one
            }
            settle();
            clock.advance(Duration.ofMillis(600));
            TestHost.await(() -> host.host().connections() == 0);
        }
    }

    @Test
    void anIdleConnectionIsClosedWithoutAWordAfterAMinute() {
        try (RawClient client = host.client()) {
            assertThat(client.get("/").read().body()).isEqualTo("quick");
            settle();
            clock.advance(Duration.ofSeconds(59));
            assertThat(client.get("/").read().body()).isEqualTo("quick");
            settle();
            clock.advance(Duration.ofSeconds(61));
            assertThat(client.closedByPeer()).isTrue();
        }
    }

    // an answer that took longer than a request may wait for one to begin | a minute of silence  ->  closed too
    @Test
    void anIdleConnectionIsClosedAlsoAfterALongAnswer() {
        try (RawClient client = host.client()) {
            client.get("/late");
            TestHost.await(() -> late.get() != null);
            Exchange exchange = late.get();
            ResponseStream answer = CompletableFuture.supplyAsync(
                            () -> exchange.start(200, Headers.NONE, 0), exchange.loop())
                    .join();
            client.readHead();
            clock.advance(Duration.ofSeconds(6)); // the timer has nothing more to wait for
            settle();
            exchange.loop().execute(answer::end);
            settle();
            clock.advance(Duration.ofSeconds(61));
            assertThat(client.closedByPeer()).isTrue();
        }
    }

    @Test
    void aBodyThatStopsIsAnswered408() {
        try (RawClient client = host.client()) {
            client.send("POST /stream HTTP/1.1\r\nHost: x\r\nContent-Length: 9000\r\n\r\nabc");
            settle();
            clock.advance(Duration.ofMillis(5_100));
            RawClient.Answer answer = client.read();
            assertThat(answer.status()).isEqualTo(408);
            assertThat(answer.closes()).isTrue();
            TestHost.await(() -> broken.get().equals("slow_body"));
            assertThat(host.counted().of("io_timeouts_total", "read")).isEqualTo(1);
        }
    }

    @Test
    void aBodyThatTricklesIsAnswered408AndOneThatKeepsThePaceIsNot() {
        try (RawClient slow = host.client();
                RawClient steady = host.client()) {
            String head = "POST /stream HTTP/1.1\r\nHost: x\r\nContent-Length: 16000\r\n\r\n";
            slow.send(head);
            steady.send(head);
            for (int second = 0; second < 8; second++) {
                slow.sendIfOpen(new byte[100]);
                steady.send(new byte[2000]);
                settle();
                clock.advance(Duration.ofSeconds(1));
            }
            assertThat(slow.read().status()).isEqualTo(408);
            assertThat(steady.read().body()).isEqualTo("all of it");
        }
    }

    @Test
    void aWholeBodyMustBeThereByTheDeadline() {
        try (RawClient client = host.client()) {
            client.send("POST /whole HTTP/1.1\r\nHost: x\r\nRequest-Timeout: 2\r\nContent-Length: 9000\r\n\r\nabc");
            settle();
            clock.advance(Duration.ofMillis(2_100));
            assertThat(client.read().status()).isEqualTo(408);
        }
    }

    @Test
    void aHandlerThatNeverAnswersIsAnswered504AtTheDeadline() {
        try (RawClient client = host.client()) {
            client.get("/never");
            settle();
            clock.advance(Duration.ofMillis(4_900));
            settle();
            assertThat(host.host().inflight()).isEqualTo(1);
            clock.advance(Duration.ofMillis(200));
            assertThat(client.read().status()).isEqualTo(504);
            assertThat(client.get("/").read().body()).isEqualTo("quick");
        }
    }

    @Test
    void aCallerThatDoesNotTakeItsAnswerIsCut() {
        try (RawClient client = host.client()) {
            client.get("/large").readHead(); // the answer has begun; the rest of it stays unread
            settle();
            clock.advance(Duration.ofMillis(5_100));
            TestHost.await(() -> host.counted().of("io_timeouts_total", "write") == 1);
        }
    }

    // the request | six seconds until there is a large answer  ->  its reader has the whole write time-out
    @Test
    void aCallerHasItsTimeFromWhenBytesWaitForItNotFromWhenItAsked() {
        int size = 32 << 20;
        try (RawClient client = host.client()) {
            client.get("/late");
            TestHost.await(() -> late.get() != null);
            Exchange exchange = late.get();
            ResponseStream answer = CompletableFuture.supplyAsync(
                            () -> exchange.start(200, Headers.NONE, size), exchange.loop())
                    .join();
            client.readHead();
            clock.advance(Duration.ofSeconds(6));
            settle();
            CompletableFuture.runAsync(() -> answer.write(Unpooled.wrappedBuffer(new byte[size])), exchange.loop())
                    .join();
            clock.advance(Duration.ofMillis(100));
            settle();
            assertThat(host.counted().of("io_timeouts_total", "write")).isZero();
            clock.advance(Duration.ofSeconds(5));
            TestHost.await(() -> host.counted().of("io_timeouts_total", "write") == 1);
        }
    }

    // two requests at once | the first takes six seconds  ->  the second has its five from when its turn comes
    @Test
    void aRequestThatWaitedBehindAnotherHasAllOfItsTime() {
        try (RawClient client = host.client()) {
            client.send("GET /late HTTP/1.1\r\nHost: x\r\n\r\nGET /never HTTP/1.1\r\nHost: x\r\n\r\n");
            TestHost.await(() -> late.get() != null);
            Exchange exchange = late.get();
            ResponseStream answer = CompletableFuture.supplyAsync(
                            () -> exchange.start(200, Headers.NONE, 0), exchange.loop())
                    .join();
            clock.advance(Duration.ofSeconds(6));
            CompletableFuture.runAsync(answer::end, exchange.loop()).join();
            assertThat(client.read().status()).isEqualTo(200);
            clock.advance(Duration.ofMillis(4_900));
            settle();
            assertThat(host.host().inflight()).isEqualTo(1);
            clock.advance(Duration.ofMillis(200));
            assertThat(client.read().status()).isEqualTo(504);
        }
    }
}
