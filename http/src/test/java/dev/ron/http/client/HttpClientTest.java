package dev.ron.http.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ron.http.testing.NoBufferLeaks;
import dev.ron.http.testing.RawServer;
import dev.ron.kernel.call.CallContext;
import dev.ron.kernel.error.Code;
import dev.ron.kernel.error.RonException;
import dev.ron.kernel.sync.Blocking;
import dev.ron.kernel.testkit.Eventually;
import dev.ron.kernel.testkit.NoLeaks;
import dev.ron.kernel.time.Clock;
import dev.ron.kernel.time.Deadline;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a call is and what comes back. */
@ExtendWith({NoLeaks.class, NoBufferLeaks.class})
class HttpClientTest extends ClientFixture {
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
