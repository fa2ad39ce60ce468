package dev.ron.http.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.http.message.Response;
import dev.ron.http.problem.Problem;
import dev.ron.http.server.MalformedRequests.Case;
import dev.ron.http.testing.NoBufferLeaks;
import dev.ron.http.testing.RawClient;
import dev.ron.http.testing.TestHost;
import dev.ron.kernel.testkit.NoLeaks;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith({NoLeaks.class, NoBufferLeaks.class})
class FramingTest {
    private static final Set<String> SPLIT = Set.of(
            "folded value",
            "length and coding",
            "two Hosts",
            "bare LF everywhere",
            "chunk longer than its size",
            "folded trailer",
            "HTTP/1.2");

    private final AtomicInteger handled = new AtomicInteger();
    private TestHost host = open();

    private TestHost open() {
        return TestHost.with(routes -> routes.add(List.of("GET", "POST"), "/echo", (BlockingHandler) request -> {
            handled.incrementAndGet();
            return Response.bytes(200, "text/plain", request.body());
        }));
    }

    @BeforeEach
    void reset() {
        handled.set(0);
    }

    @AfterEach
    void close() {
        host.close();
    }

    private void refused(Case bad, RawClient client) {
        RawClient.Answer answer = client.read();
        assertThat(answer.status()).as(bad.name()).isEqualTo(bad.status());
        assertThat(answer.closes()).as(bad.name() + " closes").isTrue();
        assertThat(answer.header("X-Corr-ID")).as(bad.name()).isPresent();
        Problem problem = Problem.parse(answer.body().getBytes(StandardCharsets.UTF_8));
        assertThat(problem.status()).isEqualTo(bad.status());
        assertThat(client.closedByPeer()).as(bad.name() + " is closed").isTrue();
    }

    @Test
    void everyMalformedRequestIsRefusedAndTheConnectionEnds() {
        List<Case> cases = MalformedRequests.all();
        assertThat(cases).hasSizeGreaterThan(100);
        for (Case bad : cases) {
            try (RawClient client = host.client()) {
                // What follows must never be taken for a request of its own.
                client.sendIfOpen(
                        (bad.bytes() + "GET /echo HTTP/1.1\r\nHost: x\r\n\r\n").getBytes(StandardCharsets.ISO_8859_1));
                refused(bad, client);
            }
        }
        assertThat(handled).hasValue(0);
        long counted = host.counted().all("rejected_total");
        assertThat(counted).as("each refusal is counted once").isEqualTo(cases.size());
    }

    @Test
    void theyAreRefusedWhereverTheBytesAreSplit() {
        for (Case bad : MalformedRequests.all()) {
            if (SPLIT.contains(bad.name())) {
                byte[] bytes = bad.bytes().getBytes(StandardCharsets.ISO_8859_1);
                for (int at = 1; at < bytes.length; at++) {
                    splitAt(bad, bytes, at);
                }
                byteByByte(bad, bytes);
            }
        }
        assertThat(handled).hasValue(0);
    }

    private void splitAt(Case bad, byte[] bytes, int at) {
        try (RawClient client = host.client()) {
            client.sendIfOpen(java.util.Arrays.copyOf(bytes, at));
            client.sendIfOpen(java.util.Arrays.copyOfRange(bytes, at, bytes.length));
            refused(bad, client);
        }
    }

    private void byteByByte(Case bad, byte[] bytes) {
        try (RawClient client = host.client()) {
            for (byte b : bytes) {
                client.sendIfOpen(new byte[] {b});
            }
            refused(bad, client);
        }
    }

    @Test
    void goodRequestsPassWhereverTheBytesAreSplit() {
        String chunked = "POST /echo?a=1 HTTP/1.1\r\nHost: x:80\r\nTransfer-Encoding: chunked\r\nX-A:\t  v \r\n\r\n"
                + "5;e=1\r\nhello\r\n0\r\nX-T: 1\r\n\r\n";
        String plain = "POST http://x:80/echo HTTP/1.1\r\nhost: X:80\r\nContent-Length: 5\r\n\r\nhello";
        for (String good : List.of(chunked, plain, "\r\n" + plain)) {
            byte[] bytes = good.getBytes(StandardCharsets.ISO_8859_1);
            try (RawClient client = host.client()) {
                for (int at = 1; at < bytes.length; at++) {
                    client.send(java.util.Arrays.copyOf(bytes, at));
                    client.send(java.util.Arrays.copyOfRange(bytes, at, bytes.length));
                    assertThat(client.read().body()).isEqualTo("hello");
                }
                for (byte b : bytes) {
                    client.send(new byte[] {b});
                }
                assertThat(client.read().body()).isEqualTo("hello");
            }
        }
    }

    @Test
    void limitsOfTheHeadAreExact() {
        int line = HostConfig.DEFAULTS.head().maxLineBytes() - "GET /? HTTP/1.1".length();
        for (int more : new int[] {-1, 0, 1}) {
            try (RawClient client = host.client()) {
                client.send("GET /?" + "a".repeat(line + more) + " HTTP/1.1\r\nHost: x\r\n\r\n");
                assertThat(client.read().status()).isEqualTo(more <= 0 ? 404 : 414);
            }
            try (RawClient client = host.client()) {
                client.send("GET / HTTP/1.1\r\nHost: x\r\n" + "X-A: 1\r\n".repeat(99 + more) + "\r\n");
                assertThat(client.read().status()).isEqualTo(more <= 0 ? 404 : 431);
            }
            try (RawClient client = host.client()) {
                String start = "GET / HTTP/1.1\r\nHost: x\r\nX-A: ";
                int rest = HostConfig.DEFAULTS.head().maxHeadBytes() - start.length() - 4;
                client.send(start + "a".repeat(rest + more) + "\r\n\r\n");
                assertThat(client.read().status()).isEqualTo(more <= 0 ? 404 : 431);
            }
        }
    }
}
