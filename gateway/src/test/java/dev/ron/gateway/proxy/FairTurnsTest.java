package dev.ron.gateway.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.gateway.TestGateway;
import dev.ron.http.testing.NoBufferLeaks;
import dev.ron.http.testing.RawClient;
import dev.ron.http.testing.RawServer;
import dev.ron.kernel.testkit.Eventually;
import dev.ron.kernel.testkit.NoLeaks;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** One tenant floods an upstream of two places in every way there is; the other must still get its turn. */
@ExtendWith({NoLeaks.class, NoBufferLeaks.class})
class FairTurnsTest {
    private static final Pattern SMALL_WAITS = Pattern.compile("gateway_drr_queue_depth\\{[^}]*small[^}]*} 1");

    private static final String OK = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";

    private final AtomicInteger atUpstream = new AtomicInteger();
    private final AtomicInteger most = new AtomicInteger();
    private final Semaphore finish = new Semaphore(0); // each permit lets one request of /held end
    private final List<RawClient> flood = new ArrayList<>();

    @AfterEach
    void end() {
        finish.release(10_000);
        floodLeaves();
    }

    /** A gateway that stops would wait for them. */
    private void floodLeaves() {
        flood.forEach(RawClient::leave);
        flood.clear();
    }

    private RawServer upstream() {
        return new RawServer((peer, number) -> {
            for (String request = peer.readRequest(); !request.isEmpty(); request = peer.readRequest()) {
                most.accumulateAndGet(atUpstream.incrementAndGet(), Math::max);
                boolean over = false;
                try {
                    if (request.startsWith("GET /held")) {
                        finish.acquire();
                    }
                    if (request.startsWith("GET /large")) {
                        peer.write("HTTP/1.1 200 OK\r\nContent-Length: 20000000\r\n\r\n");
                        for (int i = 0; i < 200; i++) {
                            peer.write(new byte[100_000]);
                        }
                    } else if (request.startsWith("GET /events")) {
                        peer.write("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n"
                                + "Transfer-Encoding: chunked\r\n\r\n8\r\ndata: 1\n\r\n");
                        peer.readRequest();
                    } else {
                        over = true; // with the last byte the place is the next one's, who may be here before we go on
                        atUpstream.decrementAndGet();
                        peer.write(OK);
                    }
                } finally {
                    if (!over) {
                        atUpstream.decrementAndGet();
                    }
                }
            }
        });
    }

    private static TestGateway gateway(RawServer server, String more) {
        return gateway(server.port(), more);
    }

    private static TestGateway gateway(int port, String more) {
        return new TestGateway(more + """
                [gateway.proxy]
                trusted_cidrs = ["127.0.0.0/8"]
                [gateway.routes.all]
                path = "/**"
                methods = ["GET", "POST"]
                upstream = "one"
                auth = "none"
                tenant = "header:X-Customer"
                [gateway.upstreams.one]
                max_inflight = 2
                connect_timeout = "3s"
                max_streams_per_tenant = 3
                [[gateway.upstreams.one.targets]]
                url = "http://127.0.0.1:%d"
                """.formatted(port));
    }

    private RawClient flooding(TestGateway gateway, String request) {
        RawClient client = gateway.client();
        flood.add(client);
        return client.send(request);
    }

    private static String request(String tenant, String line, String fields) {
        return line + " HTTP/1.1\r\nHost: h\r\nX-Customer: " + tenant + "\r\n" + fields + "\r\n";
    }

    private static int ask(TestGateway gateway, String tenant) {
        try (RawClient client = gateway.client()) {
            return client.send(request(tenant, "GET /", "")).read().status();
        }
    }

    @Test
    void whoWaitsIsServedInTurnAndTheLimitIsNeverExceeded() {
        try (RawServer server = upstream();
                TestGateway gateway = gateway(
                        server, "[gateway.drr]\nmax_queue_wait = \"60s\"\n[gateway]\nrequest_timeout = \"60s\"\n")) {
            for (int i = 0; i < 40; i++) {
                flooding(gateway, request("flood", "GET /held", ""));
            }
            Eventually.await("both places are taken", () -> atUpstream.get() == 2);
            Eventually.await(
                    "the others wait",
                    () -> gateway.metrics().contains("queue_depth{queue=\"work\",service=\"gateway\"} 38"));
            try (RawClient small = gateway.client()) {
                small.send(request("small", "GET /", ""));
                Eventually.await(
                        "it waits too",
                        () -> gateway.metrics().contains("queue_depth{queue=\"work\",service=\"gateway\"} 39"));
                finish.release(1); // one of the flood ends: the next turn is not the flood's
                assertThat(small.read().status()).isEqualTo(200);
            }
            finish.release(100);
            flood.forEach(client -> assertThat(client.read().status()).isEqualTo(200));
            assertThat(most).hasValue(2);
        }
    }

    @Test
    void bodiesThatComeSlowlyTakeNobodysPlace() {
        try (RawServer server = upstream();
                TestGateway gateway = gateway(server, "")) {
            for (int i = 0; i < 20; i++) {
                flooding(gateway, request("flood", "POST /", "Content-Length: 1000\r\n") + "x");
            }
            assertThat(ask(gateway, "small")).isEqualTo(200);
            assertThat(atUpstream).hasValue(0);
            floodLeaves();
        }
    }

    @Test
    void aLongBodyThatStopsComingLosesItsPlace() {
        try (RawServer server = upstream();
                TestGateway gateway = gateway(
                        server,
                        "[gateway.drr]\nmax_queue_wait = \"60s\"\n"
                                + "[gateway]\nread_timeout = \"60s\"\nrequest_timeout = \"2m\"\n")) {
            String first = "x".repeat(70_000);
            for (int i = 0; i < 4; i++) {
                flooding(gateway, request("flood", "POST /", "Content-Length: 200000\r\n") + first);
            }
            assertThat(ask(gateway, "small")).isEqualTo(200);
            // whoever of them was first to have a body worth a place: each gets one, and loses it
            for (RawClient client : flood) {
                RawClient.Answer answer = client.read();
                assertThat(answer.status()).isEqualTo(408);
                assertThat(answer.body()).contains("slow_body");
            }
        }
    }

    /** Its place is lost by the target's slowness, and it is told so. */
    @Test
    void aLongBodyIsNotBlamedForATargetThatDoesNotTakeTheConnection() throws IOException {
        List<Socket> fillers = new ArrayList<>();
        try (ServerSocket deaf = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                TestGateway gateway = gateway(
                        deaf.getLocalPort(), "[gateway]\nread_timeout = \"30s\"\nrequest_timeout = \"30s\"\n")) {
            for (int i = 0; i < 2; i++) { // a backlog of one takes two
                fillers.add(new Socket(deaf.getInetAddress(), deaf.getLocalPort()));
            }
            RawClient.Answer answer = flooding(
                            gateway, request("any", "POST /", "Content-Length: 200000\r\n") + "x".repeat(70_000))
                    .read();
            assertThat(answer.status()).isEqualTo(504);
            assertThat(answer.body()).contains("connect");
        } finally {
            for (Socket filler : fillers) {
                filler.close();
            }
        }
    }

    @Test
    void readersThatDoNotReadLoseTheirPlace() {
        try (RawServer server = upstream();
                TestGateway gateway = gateway(server, "[gateway]\nwrite_timeout = \"30s\"\n")) {
            for (int i = 0; i < 2; i++) {
                flooding(gateway, request("flood", "GET /large", ""));
            }
            Eventually.await("both hold a place", () -> atUpstream.get() == 2);
            Eventually.await("another gets one", () -> ask(gateway, "small") == 200);
            assertThat(gateway.metrics()).contains("io_timeouts_total{op=\"write\",service=\"gateway\"}");
        }
    }

    @Test
    void openStreamsTakeNoPlaceAndAreBoundedForEachTenant() {
        try (RawServer server = upstream();
                TestGateway gateway = gateway(server, "")) {
            for (int i = 0; i < 3; i++) {
                assertThat(flooding(gateway, request("flood", "GET /events", ""))
                                .readHead()
                                .status())
                        .isEqualTo(200);
            }
            assertThat(ask(gateway, "small")).isEqualTo(200);
            RawClient.Answer fourth =
                    flooding(gateway, request("flood", "GET /events", "")).read();
            assertThat(fourth.status()).isEqualTo(503);
            assertThat(fourth.body()).contains("\"reason\":\"streams\"");
            try (RawClient other = gateway.client()) {
                assertThat(other.send(request("small", "GET /events", ""))
                                .readHead()
                                .status())
                        .isEqualTo(200);
            }
        }
    }

    @Test
    void aCallerWhoLeavesTheQueueLeavesNothingBehind() {
        try (RawServer server = upstream();
                TestGateway gateway = gateway(
                        server, "[gateway.drr]\nmax_queue_wait = \"60s\"\n[gateway]\nrequest_timeout = \"60s\"\n")) {
            for (int i = 0; i < 30; i++) {
                flooding(gateway, request("flood", "GET /held", ""));
            }
            Eventually.await(
                    "they wait",
                    () -> gateway.metrics().contains("queue_depth{queue=\"work\",service=\"gateway\"} 28"));
            floodLeaves();
            Eventually.await(
                    "nobody waits",
                    () -> gateway.metrics().contains("queue_depth{queue=\"work\",service=\"gateway\"} 0"));
            finish.release(2);
            assertThat(ask(gateway, "small")).isEqualTo(200);
        }
    }

    @Test
    void aFullQueueMakesRoomForATenantThatHasLess() {
        try (RawServer server = upstream();
                TestGateway gateway = gateway(
                        server, "[gateway.drr]\nmax_queue_wait = \"60s\"\n[gateway]\nrequest_timeout = \"60s\"\n")) {
            for (int i = 0; i < 514; i++) {
                flooding(gateway, request("flood", "GET /held", ""));
            }
            Eventually.await(
                    "the queue is full",
                    () -> gateway.metrics().contains("queue_depth{queue=\"work\",service=\"gateway\"} 512"));
            RawClient.Answer refused =
                    flooding(gateway, request("flood", "GET /held", "")).read();
            assertThat(refused.status()).isEqualTo(429);
            assertThat(refused.header("Retry-After")).contains("1");
            try (RawClient small = gateway.client()) {
                small.send(request("small", "GET /", ""));
                // Not before it waits: a place that falls free earlier is the flood's by right.
                Eventually.await(
                        "it waits", () -> SMALL_WAITS.matcher(gateway.metrics()).find());
                finish.release(1);
                assertThat(small.read().status()).isEqualTo(200);
            }
            floodLeaves();
        }
    }
}
