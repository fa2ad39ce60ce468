package dev.ron.http.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ron.http.testing.NoBufferLeaks;
import dev.ron.http.testing.RawServer;
import dev.ron.kernel.call.CallContext;
import dev.ron.kernel.error.Code;
import dev.ron.kernel.error.RonException;
import dev.ron.kernel.testkit.Eventually;
import dev.ron.kernel.testkit.NoLeaks;
import dev.ron.kernel.time.Clock;
import dev.ron.kernel.time.Deadline;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** When a connection is used again, when it is given up, and how many there are. */
@ExtendWith({NoLeaks.class, NoBufferLeaks.class})
class ConnectionUseTest extends ClientFixture {
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
        CyclicBarrier four = new CyclicBarrier(4); // nobody is answered before four are at work
        try (RawServer server = new RawServer((peer, number) -> {
            while (!peer.readRequest().isEmpty()) {
                most.accumulateAndGet(now.incrementAndGet(), Math::max);
                four.await(30, TimeUnit.SECONDS);
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
            assertThat(most.get()).isEqualTo(4);
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
}
