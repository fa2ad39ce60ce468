package dev.ron.gateway.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ron.gateway.TestGateway;
import dev.ron.http.testing.NoBufferLeaks;
import dev.ron.http.testing.RawClient;
import dev.ron.http.testing.RawServer;
import dev.ron.kernel.testkit.Eventually;
import dev.ron.kernel.testkit.NoLeaks;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever an upstream does, the caller gets a typed answer or a cut connection, and the next caller is served. */
@ExtendWith({NoLeaks.class, NoBufferLeaks.class})
class HostileUpstreamTest {
    private static final String OK = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
    private static final String ONE_TRY = "[gateway.retry]\ntries = 1\n";

    /** Does this to its first connection, and answers on the others. */
    private static RawServer first(RawServer.Script script) {
        return new RawServer((peer, number) -> {
            if (number == 1) {
                script.run(peer, number);
                return;
            }
            while (!peer.readRequest().isEmpty()) {
                peer.write(OK);
            }
        });
    }

    private static void assertAnswers(RawServer.Script script, String more, int status, String reason) {
        try (RawServer server = first(script);
                TestGateway gateway = TestGateway.to(more, server.port());
                RawClient client = gateway.client()) {
            RawClient.Answer answer = client.get("/").read();
            assertThat(answer.status()).isEqualTo(status);
            assertThat(answer.body()).contains("\"reason\":\"" + reason + "\"");
            assertThat(client.get("/").read().body())
                    .as("the same caller is served next")
                    .isEqualTo("ok");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "garbage\r\n\r\n",
                "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
                "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 2\r\n\r\nok",
                "HTTP/1.1 200 OK\r\nX: 1\r\n folded\r\n\r\n",
                "HTTP/1.1 101 Switching Protocols\r\n\r\n"
            })
    void garbageIsABadGateway(String response) {
        assertAnswers(
                (peer, number) -> {
                    peer.readRequest();
                    peer.write(response);
                },
                ONE_TRY,
                502,
                "upstream_protocol");
    }

    @Test
    void aFloodOfFieldsOrInterimAnswersIsABadGateway() {
        for (String flood : List.of(
                "HTTP/1.1 200 OK\r\n" + "X: y\r\n".repeat(100_000), "HTTP/1.1 100 Continue\r\n\r\n".repeat(11))) {
            assertAnswers(
                    (peer, number) -> {
                        peer.readRequest();
                        peer.write(flood);
                    },
                    ONE_TRY,
                    502,
                    "upstream_protocol");
        }
    }

    @Test
    void aResetIsABadGateway() {
        assertAnswers(
                (peer, number) -> {
                    peer.readRequest();
                    peer.reset();
                },
                ONE_TRY,
                502,
                "upstream_unavailable");
    }

    @Test
    void silenceIsAGatewayTimeout() {
        assertAnswers(
                (peer, number) -> {
                    peer.readRequest();
                    peer.awaitClose();
                },
                "[gateway]\nrequest_timeout = \"400ms\"\n",
                504,
                "upstream_timeout");
    }

    @Test
    void nobodyThereIsABadGateway() throws IOException {
        int nobody;
        try (ServerSocket socket = new ServerSocket(0)) {
            nobody = socket.getLocalPort();
        }
        try (TestGateway gateway = TestGateway.to(ONE_TRY, nobody);
                RawClient client = gateway.client()) {
            RawClient.Answer answer = client.get("/").read();
            assertThat(answer.status()).isEqualTo(502);
            assertThat(answer.body()).contains("\"reason\":\"upstream_unavailable\"");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\nok",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\nzz\r\n"
            })
    void anAnswerThatBreaksOffIsCutAndNeverLooksWhole(String response) {
        try (RawServer server = first((peer, number) -> {
                    peer.readRequest();
                    peer.write(response);
                });
                TestGateway gateway = TestGateway.to("", server.port());
                RawClient client = gateway.client();
                RawClient next = gateway.client()) {
            client.get("/");
            assertThatThrownBy(() -> {
                        RawClient.Answer answer = client.read();
                        if (answer.header("Content-Length").isPresent()
                                && answer.body().length() < 99) {
                            throw new UncheckedIOException(new IOException("cut"));
                        }
                    })
                    .isInstanceOfAny(UncheckedIOException.class, NumberFormatException.class);
            assertThat(next.get("/").read().body()).isEqualTo("ok");
        }
    }

    @Test
    void whatComesBehindAnAnswerReachesNobody() {
        try (RawServer server = new RawServer((peer, number) -> {
                    while (!peer.readRequest().isEmpty()) {
                        peer.write(OK + "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil");
                    }
                });
                TestGateway gateway = TestGateway.to("", server.port());
                RawClient client = gateway.client()) {
            for (int i = 0; i < 5; i++) {
                assertThat(client.get("/").read().body()).isEqualTo("ok");
            }
        }
    }

    @Test
    void aSafeRequestIsTriedAgainAndOthersAreNot() {
        AtomicInteger posts = new AtomicInteger();
        try (RawServer server = new RawServer((peer, number) -> {
                    String request = peer.readRequest();
                    if (request.startsWith("POST")) {
                        posts.incrementAndGet();
                        peer.reset();
                    } else if (number < 3) {
                        peer.reset();
                    } else {
                        peer.write(OK);
                    }
                });
                TestGateway gateway = TestGateway.to("", server.port());
                RawClient client = gateway.client()) {
            assertThat(client.get("/").read().body()).isEqualTo("ok");
            assertThat(server.accepted()).isEqualTo(3);
            assertThat(gateway.metrics()).contains("backoff_retries_total{op=\"one\",service=\"gateway\"} 2.0");
            assertThat(client.post("/", "x").read().status()).isEqualTo(502);
            assertThat(posts).hasValue(1);
        }
    }

    @Test
    void unavailableIsTriedAgainAndPassedOnInTheEnd() {
        try (RawServer server = new RawServer((peer, number) -> {
                    peer.readRequest();
                    peer.write("HTTP/1.1 503 Service Unavailable\r\nRetry-After: 7\r\nContent-Length: 4\r\n\r\nbusy");
                });
                TestGateway gateway = TestGateway.to("", server.port());
                RawClient client = gateway.client()) {
            RawClient.Answer answer = client.get("/").read();
            assertThat(answer.status()).isEqualTo(503);
            assertThat(answer.header("Retry-After")).contains("7");
            assertThat(answer.body()).isEqualTo("busy");
            assertThat(server.accepted()).isEqualTo(3);
        }
    }

    @Test
    void aTargetThatKeepsFailingIsLeftAlone() {
        try (RawServer server = new RawServer((peer, number) -> {
                    peer.readRequest();
                    peer.reset();
                });
                TestGateway gateway = TestGateway.to(
                        "[gateway.retry]\ntries = 1\n[gateway.breaker]\nmin_calls = 5\nopen = \"60s\"\nmax_open = \"60s\"\n",
                        server.port());
                RawClient client = gateway.client()) {
            for (int i = 0; i < 5; i++) {
                assertThat(client.get("/").read().status()).isEqualTo(502);
            }
            RawClient.Answer open = client.get("/").read();
            assertThat(open.status()).isEqualTo(503);
            assertThat(open.body()).contains("\"reason\":\"circuit_open\"");
            assertThat(server.accepted()).isEqualTo(5);
        }
    }

    @Test
    void aDeadTargetIsPassedOverForALivingOne() throws IOException {
        int nobody;
        try (ServerSocket socket = new ServerSocket(0)) {
            nobody = socket.getLocalPort();
        }
        try (RawServer server = new RawServer((peer, number) -> {
                    while (!peer.readRequest().isEmpty()) {
                        peer.write(OK);
                    }
                });
                TestGateway gateway = TestGateway.to("", nobody, server.port());
                RawClient client = gateway.client()) {
            for (int i = 0; i < 40; i++) {
                assertThat(client.get("/").read().body()).isEqualTo("ok");
            }
        }
    }

    // a caller that leaves | an upstream that works on its request  ->  the upstream's connection is closed
    @Test
    void aCallerThatLeavesFreesTheUpstream() {
        try (RawServer server = new RawServer((peer, number) -> {
                    peer.readRequest();
                    peer.awaitClose();
                });
                TestGateway gateway = TestGateway.to("", server.port())) {
            RawClient client = gateway.client();
            client.get("/");
            Eventually.await("it is at the upstream", () -> server.open() == 1);
            client.leave();
            Eventually.await("the upstream is free", () -> server.open() == 0);
            Eventually.await("nothing is in hand", () -> gateway.service().inflight() == 0);
        }
    }
}
