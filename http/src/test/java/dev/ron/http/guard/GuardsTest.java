package dev.ron.http.guard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.http.message.Response;
import dev.ron.http.server.BlockingHandler;
import dev.ron.http.server.HostConfig;
import dev.ron.http.server.StreamHandler;
import dev.ron.http.testing.NoBufferLeaks;
import dev.ron.http.testing.RawClient;
import dev.ron.http.testing.TestHost;
import dev.ron.kernel.flow.TokenBucket;
import dev.ron.kernel.sync.Permits;
import dev.ron.kernel.testkit.NoLeaks;
import dev.ron.kernel.time.VirtualClock;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Each bound at one below, at, and one above. */
@ExtendWith({NoLeaks.class, NoBufferLeaks.class})
class GuardsTest {
    private static final StreamHandler OK = exchange -> exchange.respond(Response.text("ok"));

    @Test
    void inflightRefusesTheOneBeyondAndProbesStillAnswer() throws Exception {
        CountDownLatch running = new CountDownLatch(3);
        CountDownLatch letGo = new CountDownLatch(1);
        Permits permits = new Permits("slow", 3);
        try (TestHost host = TestHost.with(routes -> routes.add(
                        List.of("GET"),
                        "/slow",
                        routes.with((BlockingHandler) request -> {
                                    running.countDown();
                                    letGo.await();
                                    return Response.text("done");
                                })
                                .guards(new InflightGuard(permits)))
                .add(List.of("GET"), "/probe", routes.with(OK).guards()))) {
            List<RawClient> clients = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                clients.add(host.client().get("/slow"));
            }
            running.await();
            assertThat(permits.inUse()).isEqualTo(3);
            try (RawClient fourth = host.client()) {
                RawClient.Answer busy = fourth.get("/slow").read();
                assertThat(busy.status()).isEqualTo(429);
                assertThat(busy.body()).contains("\"code\":\"busy\"");
                assertThat(busy.header("Retry-After")).contains("1");
                assertThat(fourth.get("/probe").read().body())
                        .as("same connection")
                        .isEqualTo("ok");
            }
            assertThat(host.counted().of("busy_rejections_total", "/slow")).isEqualTo(1);
            letGo.countDown();
            for (RawClient client : clients) {
                assertThat(client.read().body()).isEqualTo("done");
                client.close();
            }
            TestHost.await(() -> permits.inUse() == 0);
        }
    }

    // the answer of one request | the next one, sent ahead  ->  the permit is back before it is asked for again
    @Test
    void aRequestSentAheadIsNotRefusedForTheOneBeforeIt() {
        Permits one = new Permits("one", 1);
        try (TestHost host = TestHost.with(routes -> routes.add(
                        List.of("GET"),
                        "/",
                        routes.with((BlockingHandler) request -> Response.text("ok"))
                                .guards(new InflightGuard(one))));
                RawClient client = host.client()) {
            client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n".repeat(100));
            for (int i = 0; i < 100; i++) {
                assertThat(client.read().status()).isEqualTo(200);
            }
        }
    }

    @Test
    void theRateIsExactAndNamesTheKeyToChange() {
        VirtualClock clock = new VirtualClock();
        TokenBucket bucket = new TokenBucket(clock, 2, 3);
        try (TestHost host = TestHost.with(routes ->
                        routes.add(List.of("GET"), "/", routes.with(OK).guard(new RateGuard(bucket, "demo.rps"))));
                RawClient client = host.client()) {
            for (int i = 0; i < 3; i++) {
                assertThat(client.get("/").read().status()).isEqualTo(200);
            }
            RawClient.Answer limited = client.get("/").read();
            assertThat(limited.status()).isEqualTo(429);
            assertThat(limited.body()).contains("demo.rps", "\"reason\":\"rate_limit\"", "\"retry_after\":1");
            clock.advance(Duration.ofMillis(500));
            assertThat(client.get("/").read().status()).isEqualTo(200);
            assertThat(client.get("/").read().status()).isEqualTo(429);
            assertThat(host.counted().of("rejected_total", "rate_limit")).isEqualTo(2);
        }
    }

    @Test
    void theFirstGuardThatRefusesAnswersAndThoseBeforeItLetGo() {
        Permits permits = new Permits("p", 1);
        AtomicInteger asked = new AtomicInteger();
        TokenBucket empty = new TokenBucket(new VirtualClock(), 0.001, 1);
        empty.tryTake();
        Guard last = request -> {
            asked.incrementAndGet();
            return Verdict.PASS;
        };
        try (TestHost host = TestHost.with(routes -> routes.add(
                        List.of("GET"),
                        "/",
                        routes.with(OK).guards(new InflightGuard(permits), new RateGuard(empty, "k"), last)));
                RawClient client = host.client()) {
            for (int i = 0; i < 3; i++) {
                assertThat(client.get("/").read().body()).contains("rate_limit");
            }
            assertThat(permits.inUse()).isZero();
            assertThat(asked).hasValue(0);
        }
    }

    @Test
    void connectionsAreCappedInAllAndPerSource() throws Exception {
        ConnectionCap cap = new ConnectionCap(3, 2);
        InetAddress one = InetAddress.getByName("192.0.2.1");
        InetAddress two = InetAddress.getByName("192.0.2.2");
        assertThat(cap.tryEnter(one)).isTrue();
        assertThat(cap.tryEnter(one)).isTrue();
        assertThat(cap.tryEnter(one)).as("its share is used up").isFalse();
        assertThat(cap.open()).isEqualTo(2);
        assertThat(cap.tryEnter(two)).isTrue();
        assertThat(cap.tryEnter(two)).as("all are used up").isFalse();
        cap.leave(one);
        assertThat(cap.tryEnter(two)).isTrue();
        cap.leave(one);
        cap.leave(two);
        cap.leave(two);
        assertThat(cap.open()).isZero();
    }

    @Test
    void aNetworkOfIpv6IsOneAddress() throws Exception {
        ConnectionCap cap = new ConnectionCap(4, 2);
        assertThat(cap.tryEnter(InetAddress.getByName("2001:db8::1"))).isTrue();
        assertThat(cap.tryEnter(InetAddress.getByName("2001:db8::2"))).isTrue();
        assertThat(cap.tryEnter(InetAddress.getByName("2001:db8::3"))).isFalse();
        assertThat(cap.tryEnter(InetAddress.getByName("2001:db8:0:1::1"))).isTrue();
        cap.leave(InetAddress.getByName("2001:db8::9"));
        assertThat(cap.tryEnter(InetAddress.getByName("2001:db8::3"))).isTrue();
    }

    @Test
    void theConnectionBeyondTheCapIsToldAndClosed() throws Exception {
        HostConfig config = HostConfig.DEFAULTS.withConns(2, 2);
        AtomicInteger running = new AtomicInteger();
        CountDownLatch letGo = new CountDownLatch(1);
        try (TestHost host = TestHost.with(
                        config,
                        routes -> routes.get("/", (BlockingHandler) request -> {
                            running.incrementAndGet();
                            letGo.await();
                            return Response.text("ok");
                        }));
                RawClient one = host.client().get("/")) {
            // Each is at work before the next one comes: an idle one would have to make room.
            TestHost.await(() -> running.get() == 1);
            try (RawClient two = host.client().get("/")) {
                TestHost.await(() -> running.get() == 2);
                try (RawClient three = host.client()) {
                    RawClient.Answer full = three.read();
                    assertThat(full.status()).isEqualTo(503);
                    assertThat(full.closes()).isTrue();
                    assertThat(three.closedByPeer()).isTrue();
                }
                assertThat(host.counted().of("rejected_total", "conns")).isEqualTo(1);
                letGo.countDown();
                assertThat(one.read().status()).isEqualTo(200);
                assertThat(two.read().status()).isEqualTo(200);
            }
            TestHost.await(() -> host.host().connections() == 1);
            try (RawClient again = host.client()) {
                assertThat(again.get("/").read().status()).isEqualTo(200);
            }
        }
    }

    @Test
    void onlyNamedHostsAreServed() {
        HostConfig config = HostConfig.DEFAULTS.withHosts(Set.of("good.example"));
        try (TestHost host = TestHost.with(config, routes -> routes.get("/", OK));
                RawClient client = host.client()) {
            client.send("GET / HTTP/1.1\r\nHost: GOOD.example:8080\r\n\r\n");
            assertThat(client.read().status()).isEqualTo(200);
            client.send("GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n");
            RawClient.Answer refused = client.read();
            assertThat(refused.status()).isEqualTo(421);
            assertThat(host.counted().of("rejected_total", "host")).isEqualTo(1);
        }
    }
}
