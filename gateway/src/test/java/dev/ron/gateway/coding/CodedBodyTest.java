package dev.ron.gateway.coding;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.luben.zstd.Zstd;
import dev.ron.gateway.TestGateway;
import dev.ron.http.testing.NoBufferLeaks;
import dev.ron.http.testing.RawClient;
import dev.ron.http.testing.RawServer;
import dev.ron.kernel.testkit.Eventually;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A compressed request body reaches an upstream as it came, or not at all when it would grow too much there. */
@ExtendWith(NoBufferLeaks.class)
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class CodedBodyTest {
    private final AtomicReference<String> seen = new AtomicReference<>("");
    private final AtomicInteger whole = new AtomicInteger();

    private RawServer upstream() {
        return new RawServer((peer, number) -> {
            for (String request = peer.readRequest(); !request.isEmpty(); request = peer.readRequest()) {
                seen.set(request);
                int at = request.toLowerCase(java.util.Locale.ROOT).indexOf("content-length: ") + 16;
                int length = Integer.parseInt(request.substring(at, request.indexOf('\r', at)));
                if (request.length() - request.indexOf("\r\n\r\n") - 4 == length) {
                    whole.incrementAndGet();
                    peer.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
                }
            }
        });
    }

    private static byte[] coded(String coding, byte[] plain) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        switch (coding) {
            case "gzip" -> {
                try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
                    gzip.write(plain);
                }
            }
            case "deflate" -> {
                try (DeflaterOutputStream deflate = new DeflaterOutputStream(out)) {
                    deflate.write(plain);
                }
            }
            default -> out.write(Zstd.compress(plain));
        }
        return out.toByteArray();
    }

    private static RawClient.Answer post(RawClient client, String coding, byte[] body) {
        client.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Encoding: " + coding + "\r\nContent-Length: " + body.length
                + "\r\n\r\n");
        return client.sendIfOpen(body).read();
    }

    @ParameterizedTest
    @ValueSource(strings = {"gzip", "deflate", "zstd"})
    void aBombIsRefusedBeforeItsUpstreamHearsOfIt(String coding) throws IOException {
        try (RawServer server = upstream();
                TestGateway gateway = TestGateway.to("", server.port());
                RawClient client = gateway.client();
                RawClient next = gateway.client()) {
            RawClient.Answer answer = post(client, coding, coded(coding, new byte[12 << 20]));
            assertThat(answer.status()).isEqualTo(413);
            assertThat(answer.body()).contains("\"reason\":\"decoded_");
            assertThat(server.accepted()).isZero();
            byte[] good = coded(coding, "a harmless body".getBytes(StandardCharsets.US_ASCII));
            assertThat(post(next, coding, good).status()).isEqualTo(200);
            assertThat(seen.get()).endsWith(new String(good, StandardCharsets.ISO_8859_1));
            assertThat(seen.get()).containsIgnoringCase("content-encoding: " + coding);
        }
    }

    @Test
    void aLargeBodyPassesByteForByte() throws IOException {
        byte[] noise = new byte[700_000];
        new Random(7).nextBytes(noise);
        byte[] body = coded("gzip", noise);
        try (RawServer server = upstream();
                TestGateway gateway = TestGateway.to("", server.port());
                RawClient client = gateway.client()) {
            for (int i = 0; i < 3; i++) {
                assertThat(post(client, "gzip", body).status()).isEqualTo(200);
                assertThat(seen.get()).endsWith(new String(body, StandardCharsets.ISO_8859_1));
            }
        }
    }

    // a body that is harmless at first | a bomb behind it  ->  cut: the upstream never takes it for whole
    @Test
    void aBombBehindAHarmlessBeginningIsCut() throws IOException {
        byte[] noise = new byte[200_000];
        new Random(7).nextBytes(noise);
        ByteArrayOutputStream plain = new ByteArrayOutputStream();
        plain.writeBytes(noise);
        plain.writeBytes(new byte[20 << 20]);
        try (RawServer server = upstream();
                TestGateway gateway = TestGateway.to("", server.port());
                RawClient client = gateway.client()) {
            RawClient.Answer answer = post(client, "gzip", coded("gzip", plain.toByteArray()));
            assertThat(answer.status()).isEqualTo(413);
            Eventually.await("the upstream is rid of it", () -> server.open() == 0);
            assertThat(whole).hasValue(0);
            Eventually.await("nothing is in hand", () -> gateway.service().inflight() == 0);
        }
    }

    @Test
    void whatIsNotWhatItSaysIsRefused() throws IOException {
        try (RawServer server = upstream();
                TestGateway gateway = TestGateway.to("", server.port());
                RawClient garbage = gateway.client();
                RawClient cut = gateway.client();
                RawClient unknown = gateway.client()) {
            assertThat(post(garbage, "gzip", "no gzip at all".getBytes(StandardCharsets.US_ASCII))
                            .status())
                    .isEqualTo(400);
            byte[] good = coded("gzip", "a harmless body".getBytes(StandardCharsets.US_ASCII));
            assertThat(post(cut, "gzip", java.util.Arrays.copyOf(good, good.length - 4))
                            .status())
                    .isEqualTo(400);
            assertThat(post(unknown, "compress", good).status()).isEqualTo(415);
            assertThat(server.accepted()).isZero();
        }
    }
}
