package dev.ron.gateway.coding;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.gateway.TestGateway;
import dev.ron.http.message.Headers;
import dev.ron.http.testing.NoBufferLeaks;
import dev.ron.http.testing.RawClient;
import dev.ron.http.testing.RawServer;
import dev.ron.kernel.testkit.Eventually;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which answers are compressed on their way, and that they stay what they were. */
@ExtendWith(NoBufferLeaks.class)
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class CompressionTest {
    private static final String ON = "[gateway.compress]\nenabled = true\n";
    private static final String ASK = "GET / HTTP/1.1\r\nHost: x\r\nAccept-Encoding: br, gzip;q=0.8\r\n\r\n";
    private static final String TEXT = "all work and no play makes a dull page. ".repeat(10_000);

    private static RawServer answering(String head, String body) {
        return new RawServer((peer, number) -> {
            while (!peer.readRequest().isEmpty()) {
                peer.write("HTTP/1.1 " + head + "Content-Length: " + body.length() + "\r\n\r\n" + body);
            }
        });
    }

    private static String unzip(String latin1) throws IOException {
        byte[] bytes = latin1.getBytes(StandardCharsets.ISO_8859_1);
        return new String(
                new GZIPInputStream(new ByteArrayInputStream(bytes)).readAllBytes(), StandardCharsets.ISO_8859_1);
    }

    @Test
    void aTextIsCompressedForWhoAsksAndIsAnotherRepresentation() throws IOException {
        String head = "200 OK\r\nContent-Type: text/html; charset=utf-8\r\nETag: \"one\"\r\nVary: Origin\r\n"
                + "Accept-Ranges: bytes\r\nContent-MD5: x\r\n";
        try (RawServer server = answering(head, TEXT);
                TestGateway gateway = TestGateway.to(ON, server.port());
                RawClient client = gateway.client()) {
            for (int i = 0; i < 3; i++) {
                RawClient.Answer answer = client.send(ASK).read();
                assertThat(answer.status()).isEqualTo(200);
                assertThat(answer.header("Content-Encoding")).contains("gzip");
                assertThat(answer.header("ETag")).contains("W/\"one\"");
                assertThat(answer.header("Vary")).contains("Origin, accept-encoding");
                assertThat(answer.header("Content-Length")).isEmpty();
                assertThat(answer.header("Accept-Ranges")).isEmpty();
                assertThat(answer.header("Content-MD5")).isEmpty();
                assertThat(answer.body().length()).isLessThan(TEXT.length() / 20);
                assertThat(unzip(answer.body())).isEqualTo(TEXT);
            }
            RawClient.Answer plain = client.get("/").read();
            assertThat(plain.body()).isEqualTo(TEXT);
            assertThat(plain.header("ETag")).contains("\"one\"");
            assertThat(plain.header("Vary"))
                    .as("caches must know of the other form")
                    .contains("Origin, accept-encoding");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "200 OK\r\nContent-Type: image/png\r\n",
                "200 OK\r\n",
                "200 OK\r\nContent-Type: text/html\r\nContent-Encoding: br\r\n",
                "200 OK\r\nContent-Type: text/html\r\nCache-Control: public, no-transform\r\n",
                "200 OK\r\nContent-Type: text/event-stream\r\n",
                "206 Partial Content\r\nContent-Type: text/html\r\nContent-Range: bytes 0-1/4\r\n"
            })
    void whatWouldNotGainOrMustNotChangeIsLeftAsItIs(String head) {
        try (RawServer server = answering(head, TEXT);
                TestGateway gateway = TestGateway.to(ON, server.port());
                RawClient client = gateway.client()) {
            RawClient.Answer answer = client.send(ASK).read();
            assertThat(answer.header("Content-Encoding").filter("gzip"::equals)).isEmpty();
            assertThat(answer.body()).isEqualTo(TEXT);
        }
    }

    @Test
    void aSmallAnswerAndAGatewayThatWasNotToldToAreLeftAlone() {
        String head = "200 OK\r\nContent-Type: text/html\r\n";
        try (RawServer small = answering(head, "x".repeat(1000));
                RawServer large = answering(head, TEXT);
                TestGateway on = TestGateway.to(ON, small.port());
                TestGateway off = TestGateway.to("", large.port());
                RawClient first = on.client();
                RawClient second = off.client()) {
            assertThat(first.send(ASK).read().header("Content-Encoding")).isEmpty();
            RawClient.Answer plain = second.send(ASK).read();
            assertThat(plain.header("Content-Encoding")).isEmpty();
            assertThat(plain.header("Vary")).isEmpty();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "gzip, true",
        "'GZIP;q=0.5, identity;q=0.1', true",
        "*, true",
        "'gzip;q=0, *', false",
        "'gzip;q=0.2, identity', false",
        "br, false",
        "'', false",
        "gzip;q=x, false"
    })
    void aCallerGetsWhatItAsksFor(String asked, boolean gzip) {
        assertThat(AcceptEncoding.gzip(Headers.of("Accept-Encoding", asked))).isEqualTo(gzip);
    }

    // pieces that trickle | a reader that waits for each  ->  none is kept back until more comes
    @Test
    void whatHasComeIsNotKeptBack() throws IOException {
        try (RawServer server = new RawServer((peer, number) -> {
                    peer.readRequest();
                    peer.write("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nTransfer-Encoding: chunked\r\n\r\n"
                            + "6\r\nfirst \r\n");
                    peer.awaitClose();
                });
                TestGateway gateway = TestGateway.to(ON, server.port());
                RawClient client = gateway.client()) {
            client.send(ASK);
            assertThat(client.readHead().header("Content-Encoding")).contains("gzip");
            int size = Integer.parseInt(client.line(), 16);
            byte[] chunk = client.in().readNBytes(size);
            byte[] read = new byte[6];
            assertThat(new GZIPInputStream(new ByteArrayInputStream(chunk)).readNBytes(read, 0, 6))
                    .isEqualTo(6);
            assertThat(new String(read, StandardCharsets.US_ASCII)).isEqualTo("first ");
            client.leave();
        }
    }

    // an endless answer that does not shrink | a reader that stops  ->  the upstream is slowed down, memory is bounded
    @Test
    void aReaderThatStopsStopsTheUpstreamToo() {
        AtomicLong sent = new AtomicLong();
        byte[] noise = new byte[64 << 10];
        new Random(1).nextBytes(noise);
        try (RawServer server = new RawServer((peer, number) -> {
                    peer.readRequest();
                    peer.write("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n");
                    while (true) {
                        peer.write(noise);
                        sent.addAndGet(noise.length);
                    }
                });
                TestGateway gateway = TestGateway.to(
                        "[gateway]\nwrite_timeout = \"1s\"\n[gateway.limits]\nslot_rate = \"0B\"\n" + ON,
                        server.port());
                RawClient client = gateway.client()) {
            client.send(ASK);
            Eventually.await("it is cut in the end", () -> gateway.service().inflight() == 0 && sent.get() > 0);
            assertThat(sent.get()).isLessThan(64L << 20);
        }
    }

    @Test
    void aCallerThatLeavesLeavesNothingBehind() {
        try (RawServer server = answering("200 OK\r\nContent-Type: text/html\r\n", TEXT.repeat(20));
                TestGateway gateway = TestGateway.to(ON, server.port())) {
            for (int i = 0; i < 20; i++) {
                try (RawClient client = gateway.client()) {
                    client.send(ASK).readHead();
                }
            }
            Eventually.await("nothing is in hand", () -> gateway.service().inflight() == 0);
            Eventually.await(
                    "nothing is left at the upstream",
                    () -> gateway.service()
                            .views()
                            .orElseThrow()
                            .upstreams()
                            .toString()
                            .contains("inflight=0, waiting=0"));
        }
    }
}
