package dev.ron.gateway.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.gateway.TestGateway;
import dev.ron.http.testing.NoBufferLeaks;
import dev.ron.http.testing.RawClient;
import dev.ron.http.testing.RawServer;
import dev.ron.kernel.testkit.Eventually;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** The classes of request smuggling that were found in proxies in 2025 and 2026, each by its name. */
@ExtendWith(NoBufferLeaks.class)
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class NamedAttacksTest {
    private static final String SMUGGLED = "GET /admin HTTP/1.1\r\nHost: internal\r\n\r\n";

    private final List<String> seen = new CopyOnWriteArrayList<>();

    private RawServer upstream() {
        return new RawServer((peer, number) -> {
            for (String request = peer.readRequest(); !request.isEmpty(); request = peer.readRequest()) {
                seen.add(request);
                peer.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
            }
        });
    }

    private static TestGateway gateway(RawServer server) {
        return new TestGateway("""
                [gateway.routes.open]
                path = "/open/**"
                upstream = "one"
                auth = "none"
                methods = ["GET", "POST"]
                [[gateway.upstreams.one.targets]]
                url = "http://127.0.0.1:%d"
                """.formatted(server.port()));
    }

    /** Sends what is missing of the body: the next answer is that of the next request, or there is none. */
    private static void assertTheRestIsOfTheBody(RawClient client, RawClient.Answer answer) {
        client.sendIfOpen(SMUGGLED.getBytes(StandardCharsets.US_ASCII));
        if (answer.closes()) {
            assertThat(client.readRest()).as("one request, one answer").isEmpty();
        } else {
            RawClient.Answer next =
                    client.send("BREW /open/next HTTP/1.1\r\nHost: x\r\n\r\n").read();
            assertThat(next.status()).as("the answer to the next request").isIn(405, 501);
        }
    }

    private void assertNothingWasSmuggled(RawServer server, RawClient client) {
        client.close();
        Eventually.await("the upstream is at rest", () -> seen.size() <= 1 || server.open() == 0);
        assertThat(seen).noneMatch(request -> request.startsWith("GET /admin"));
    }

    // An answer that needs no body (there: a cache hit; here: a refusal) | a body that was not read
    //   ->  what is left of the body is never the next request of its connection
    @Test
    void answerWithoutDrainingTheBody() {
        try (RawServer server = upstream();
                TestGateway gateway = gateway(server)) {
            for (String target : List.of("/nowhere", "/open/x\u0000")) {
                RawClient client = gateway.client();
                client.send(
                        "POST " + target + " HTTP/1.1\r\nHost: x\r\nContent-Length: " + SMUGGLED.length() + "\r\n\r\n");
                RawClient.Answer answer = client.read();
                assertThat(answer.status()).isBetween(400, 499);
                assertTheRestIsOfTheBody(client, answer);
                assertNothingWasSmuggled(server, client);
            }
        }
    }

    // An upstream that answers before it has the body | the rest of the body  ->  neither side takes it for a request
    @Test
    void answerBeforeTheBodyHasCome() {
        try (RawServer server = new RawServer((peer, number) -> {
                    StringBuilder head = new StringBuilder();
                    while (head.indexOf("\r\n\r\n") < 0) {
                        head.append((char) peer.socket().getInputStream().read());
                    }
                    seen.add(head.toString());
                    peer.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
                    String next = peer.readRequest();
                    if (!next.isEmpty()) {
                        seen.add(next);
                    }
                });
                TestGateway gateway = gateway(server)) {
            RawClient client = gateway.client();
            int length = 100_000 + SMUGGLED.length();
            client.send(
                    "POST /open/x HTTP/1.1\r\nHost: x\r\nContent-Length: " + length + "\r\n\r\n" + "x".repeat(100_000));
            RawClient.Answer answer = client.read();
            assertThat(answer.status()).isEqualTo(200);
            assertTheRestIsOfTheBody(client, answer);
            assertNothingWasSmuggled(server, client);
        }
    }

    // A wish to change the protocol that is not granted | bytes of that protocol  ->  the answer is the last one
    @Test
    void bytesAfterARefusedUpgrade() {
        try (RawServer server = upstream();
                TestGateway gateway = gateway(server)) {
            RawClient client = gateway.client();
            client.send(
                    "GET /open/x HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n" + SMUGGLED);
            RawClient.Answer answer = client.read();
            assertThat(answer.status()).isEqualTo(200);
            assertThat(answer.closes()).isTrue();
            assertThat(client.readRest()).isEmpty();
            assertNothingWasSmuggled(server, client);
            assertThat(seen).hasSize(1);
        }
    }

    // Content-Length with Transfer-Encoding, in either order  ->  refused whole
    @Test
    void lengthBesideTransferCoding() {
        try (RawServer server = upstream();
                TestGateway gateway = gateway(server)) {
            for (String fields : List.of(
                    "Content-Length: 6\r\nTransfer-Encoding: chunked\r\n",
                    "Transfer-Encoding: chunked\r\nContent-Length: 6\r\n",
                    "Transfer-Encoding: chunked, identity\r\n",
                    "Transfer-Encoding: xchunked\r\n")) {
                RawClient client = gateway.client();
                client.sendIfOpen(("POST /open/x HTTP/1.1\r\nHost: x\r\n" + fields + "\r\n0\r\n\r\n" + SMUGGLED)
                        .getBytes(StandardCharsets.US_ASCII));
                RawClient.Answer answer = client.read();
                assertThat(answer.status()).isIn(400, 501);
                assertThat(answer.closes()).isTrue();
                assertThat(client.readRest()).isEmpty();
                assertNothingWasSmuggled(server, client);
            }
            assertThat(seen).isEmpty();
        }
    }

    // A request of HTTP/1.0 whose body would end with the connection  ->  it has none, and nothing follows it
    @Test
    void oldRequestWhoseBodyEndsWithTheConnection() {
        try (RawServer server = upstream();
                TestGateway gateway = gateway(server)) {
            RawClient client = gateway.client();
            client.send("POST /open/x HTTP/1.0\r\nHost: x\r\nConnection: keep-alive\r\n\r\n" + SMUGGLED);
            assertThat(client.read().status()).isEqualTo(200);
            assertThat(client.readRest()).isEmpty();
            assertNothingWasSmuggled(server, client);
            assertThat(seen)
                    .hasSize(1)
                    .allSatisfy(request -> assertThat(request).contains("content-length: 0"));
        }
    }
}
