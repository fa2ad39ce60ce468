package dev.ron.http.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.http.message.Response;
import dev.ron.http.testing.NoBufferLeaks;
import dev.ron.http.testing.RawClient;
import dev.ron.http.testing.TestHost;
import dev.ron.kernel.testkit.NoLeaks;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith({NoLeaks.class, NoBufferLeaks.class})
class DecodeTest {

    private static byte[] gzip(byte[] plain) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(bytes)) {
            out.write(plain);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    private static byte[] mixed(int size, int noise) {
        byte[] bytes = new byte[size];
        byte[] random = new byte[noise];
        new Random(1).nextBytes(random);
        System.arraycopy(random, 0, bytes, 0, noise);
        return bytes;
    }

    private static TestHost host() {
        return TestHost.with(routes -> routes.post(
                "/size", (BlockingHandler) request -> Response.text(Integer.toString(request.body().length))));
    }

    private static RawClient.Answer post(RawClient client, String coding, byte[] body) {
        client.send("POST /size HTTP/1.1\r\nHost: x\r\nContent-Encoding: " + coding + "\r\nContent-Length: "
                + body.length + "\r\n\r\n");
        client.sendIfOpen(body);
        return client.read();
    }

    @Test
    void codedBodiesReachTheHandlerDecoded() {
        try (TestHost host = host();
                RawClient client = host.client()) {
            assertThat(post(client, "gzip", gzip(mixed(500_000, 100_000))).body())
                    .isEqualTo("500000");
            assertThat(post(client, "identity", new byte[7]).body()).isEqualTo("7");
            assertThat(post(client, "gzip", gzip("tiny".getBytes(StandardCharsets.UTF_8)))
                            .body())
                    .isEqualTo("4");
        }
    }

    @Test
    void bombsAndUnknownCodingsAreRefusedWithTheirReason() {
        try (TestHost host = host();
                RawClient client = host.client()) {
            RawClient.Answer ratio = post(client, "gzip", gzip(new byte[4 << 20]));
            assertThat(ratio.status()).isEqualTo(413);
            assertThat(ratio.body()).contains("decoded_ratio");
            RawClient.Answer cap = post(client, "gzip", gzip(mixed(9 << 20, 1_000_000)));
            assertThat(cap.status()).isEqualTo(413);
            assertThat(cap.body()).contains("decoded_cap");
            RawClient.Answer stacked = post(client, "gzip, gzip", new byte[10]);
            assertThat(stacked.status()).isEqualTo(415);
            RawClient.Answer broken = post(client, "gzip", new byte[10]);
            assertThat(broken.status()).isEqualTo(400);
            assertThat(host.counted().of("rejected_total", "decoded_ratio")).isEqualTo(1);
            assertThat(host.counted().of("rejected_total", "decoded_cap")).isEqualTo(1);
            assertThat(host.counted().of("rejected_total", "encoding")).isEqualTo(1);
            assertThat(host.counted().of("parse_errors_total", "malformed")).isEqualTo(1);
        }
    }
}
