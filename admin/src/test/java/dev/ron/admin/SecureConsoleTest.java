package dev.ron.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.http.testing.TestCa;
import dev.ron.http.testing.TlsClient;
import java.io.ByteArrayInputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The console over TLS, and what it sends in fewer bytes. */
class SecureConsoleTest {
    @TempDir
    Path folder;

    @Test
    void speaksTlsAndTellsBrowsersToStayWithIt() throws Exception {
        TestCa ca = new TestCa(folder);
        TestCa.Pair pair = ca.issue("localhost");
        try (ConsoleProcess console = ConsoleProcess.with(
                "admin.tls.enabled=true",
                "admin.tls.cert_path=" + pair.certificates(),
                "admin.tls.key_path=" + pair.key())) {
            String answer = new TlsClient(ca.roots).get(console.port(), "localhost", "/api/me");
            assertThat(answer)
                    .startsWith("HTTP/1.1 200 ")
                    .containsIgnoringCase("Strict-Transport-Security: max-age=31536000");
        }
    }

    @Test
    void longDocumentsAreCompressedForThoseWhoTakeThat() throws Exception {
        try (ConsoleProcess console = ConsoleProcess.with();
                HttpClient client = HttpClient.newHttpClient()) {
            URI uri = URI.create("http://127.0.0.1:" + console.port() + "/api/openapi.json");
            HttpResponse<byte[]> plain = get(client, HttpRequest.newBuilder(uri));
            HttpResponse<byte[]> small = get(client, HttpRequest.newBuilder(uri).header("Accept-Encoding", "br, gzip"));
            HttpResponse<byte[]> no = get(client, HttpRequest.newBuilder(uri).header("Accept-Encoding", "gzip;q=0"));
            assertThat(plain.headers().firstValue("Content-Encoding")).isEmpty();
            assertThat(no.headers().firstValue("Content-Encoding")).isEmpty();
            assertThat(small.headers().firstValue("Content-Encoding")).contains("gzip");
            assertThat(small.headers().firstValue("Vary")).contains("Accept-Encoding");
            assertThat(small.body().length).isLessThan(plain.body().length / 3);
            try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(small.body()))) {
                assertThat(new String(in.readAllBytes(), StandardCharsets.UTF_8))
                        .isEqualTo(new String(plain.body(), StandardCharsets.UTF_8));
            }
        }
    }

    private static HttpResponse<byte[]> get(HttpClient client, HttpRequest.Builder request) throws Exception {
        return client.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
    }
}
