package dev.ron.passport;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.ron.kernel.testkit.Crew;
import dev.ron.kernel.testkit.Eventually;
import dev.ron.kernel.testkit.MovableClock;
import dev.ron.kernel.time.Clock;
import dev.ron.passport.OfficeProcess.Answer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A verifier that got the keys once, and then does not get them any more, still hears what is revoked. */
@Timeout(120)
class LostKeysTest {
    private static final String KEYS = "/.well-known/jwks.json";

    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final AtomicInteger askedForKeys = new AtomicInteger();
    private final AtomicInteger askedForAll = new AtomicInteger();
    private final AtomicInteger refusals = new AtomicInteger();
    private final Ahead clock = new Ahead();
    private OfficeProcess office;
    private HttpServer door;

    /** A monotonic clock that a test can move, beside a wall clock that stays right. */
    private static final class Ahead extends MovableClock {
        private final AtomicLong nanos = new AtomicLong();

        void moveMonotonic(Duration by) {
            nanos.addAndGet(by.toNanos());
        }

        @Override
        public long nanos() {
            return super.nanos() + nanos.get();
        }

        @Override
        public void park(Object blocker, long untilNanos) {
            super.park(blocker, untilNanos == Long.MAX_VALUE ? untilNanos : untilNanos - nanos.get());
        }
    }

    @BeforeEach
    void listen() throws Exception {
        office = OfficeProcess.inMemory();
        door = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 16);
        door.setExecutor(threads);
        door.createContext("/", this::pass);
        door.start();
    }

    @AfterEach
    void stop() {
        door.stop(0);
        threads.shutdownNow();
        office.close();
    }

    private void pass(HttpExchange exchange) throws IOException {
        try (exchange) {
            String asked = exchange.getRequestURI().toString();
            boolean keys = asked.equals(KEYS);
            if (asked.contains("full=true")) {
                askedForAll.incrementAndGet();
            }
            if (!keys && refusals.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
                exchange.sendResponseHeaders(429, -1);
                return;
            }
            if (keys && askedForKeys.incrementAndGet() > 1) {
                exchange.sendResponseHeaders(429, -1);
                return;
            }
            Answer answer = keys
                    ? office.get(asked)
                    : office.get(
                            asked, "Authorization", exchange.getRequestHeaders().getFirst("Authorization"));
            byte[] body = answer.raw().body();
            exchange.sendResponseHeaders(answer.status(), body.length);
            exchange.getResponseBody().write(body);
        }
    }

    // the keys of a minute ago are due and do not come | a token is revoked  ->  it is heard, and the state stays fresh
    @Test
    void keysThatAreRefusedDoNotStopTheFeed() {
        try (RemoteVerifier verifier = new RemoteVerifier(
                office.service().issuer(),
                "http://127.0.0.1:" + door.getAddress().getPort(),
                office.service().ownKey().reveal(),
                clock)) {
            String token = office.issue();
            Eventually.await(
                    "the first state",
                    () -> verifier.verdict(token, "PUT", now()).equals("allow"));
            clock.moveMonotonic(Duration.ofSeconds(61));
            Eventually.await("a fetch that fails", () -> askedForKeys.get() > 1 && verifier.failures() > 0);
            office.post("/v1/passport/revoke", "{\"token\":\"" + token + "\"}");
            Eventually.await(
                    "the revocation",
                    () -> verifier.verdict(token, "PUT", now()).equals("revoked"));
            assertThat(verifier.ageSeconds()).isLessThan(30);
        }
    }

    // a verifier knows all | its next questions find no place  ->  it hears what comes after, and asks for all no more
    @Test
    void anOfficeThatIsFullIsNotAskedForAllAgain() {
        try (RemoteVerifier verifier = new RemoteVerifier(
                office.service().issuer(),
                "http://127.0.0.1:" + door.getAddress().getPort(),
                office.service().ownKey().reveal(),
                clock)) {
            String token = office.issue();
            Eventually.await(
                    "the first state",
                    () -> verifier.verdict(token, "PUT", now()).equals("allow"));
            refusals.set(2);
            office.post("/v1/passport/revoke", "{\"token\":\"" + token + "\"}");
            Eventually.await(
                    "the revocation",
                    () -> verifier.verdict(token, "PUT", now()).equals("revoked"));
            Eventually.await("the refusals", () -> refusals.get() == 0 && verifier.failures() >= 2);
            office.post("/v1/passport/revoke", "{\"jti\":\"another\"}");
            Eventually.await("an answer after them", () -> verifier.ageSeconds() < 5);
            assertThat(askedForAll).hasValue(1);
        }
    }

    // every place of the office is taken | a verifier asks for the keys  ->  it gets them
    @Test
    void anOfficeThatIsFullStillTellsItsKeys() throws Exception {
        CountDownLatch held = new CountDownLatch(1);
        try (OfficeProcess full = OfficeProcess.inMemory("passport.limits.inflight=32");
                Crew crew = new Crew()) {
            full.whileWriterIsHeld(held, () -> {
                for (int i = 0; i < 32; i++) {
                    String body = "{\"jti\":\"x" + i + "\"}";
                    crew.addVirtual(() -> full.post("/v1/passport/revoke", body));
                }
                crew.go();
                Eventually.await("a full office", () -> full.service().inflight() == 32);
                assertThat(full.get("/v1/passport/epoch").status()).isEqualTo(429);
                assertThat(full.get(KEYS).status()).isEqualTo(200);
                held.countDown();
            });
            crew.finish();
        }
    }

    private static long now() {
        return Clock.system().now().getEpochSecond();
    }
}
