package dev.ron.edge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.http.testing.TestCa;
import io.netty.util.internal.PlatformDependent;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The edge behind TLS: large files in pieces instead of by sendfile, and browsers told to come back that way. */
@Timeout(60)
class TlsTest {
    @TempDir
    Path folder;

    @Test
    void largeFilesComeWholeAndEveryAnswerSaysToComeBackThisWay() throws Exception {
        TestCa ca = new TestCa(Files.createDirectories(folder.resolve("ca")));
        TestCa.Pair pair = ca.issue("localhost");
        Path assets = Files.createDirectories(folder.resolve("assets"));
        byte[] large = new byte[3 << 20];
        new Random(2).nextBytes(large);
        Files.write(assets.resolve("large.bin"), large);
        String toml = """
                [edge]
                assets_dir = "%s"
                [edge.tls]
                enabled = true
                cert_path = "%s"
                key_path = "%s"
                """.formatted(assets, pair.certificates(), pair.key());
        try (TestEdge edge = new TestEdge(toml, Optional.of(folder.resolve("data")));
                HttpClient http =
                        HttpClient.newBuilder().sslContext(trusting(ca.roots)).build();
                HttpClient older = HttpClient.newBuilder()
                        .sslContext(trusting(ca.roots))
                        .version(HttpClient.Version.HTTP_1_1)
                        .build()) {
            for (int i = 0; i < 6; i++) {
                HttpResponse<byte[]> whole = get(i % 2 == 0 ? http : older, edge, "/edge/assets/large.bin");
                assertThat(whole.version())
                        .isEqualTo(i % 2 == 0 ? HttpClient.Version.HTTP_2 : HttpClient.Version.HTTP_1_1);
                assertThat(whole.body()).isEqualTo(large);
                assertThat(whole.headers().firstValue("Strict-Transport-Security"))
                        .hasValue("max-age=31536000");
            }
            HttpResponse<byte[]> missing = get(http, edge, "/edge/assets/none");
            assertThat(missing.statusCode()).isEqualTo(404);
            assertThat(missing.headers().firstValue("Strict-Transport-Security"))
                    .hasValue("max-age=31536000");
            assertThat(missing.headers().firstValue("Access-Control-Allow-Origin"))
                    .hasValue("*");
        }
        try (TestEdge edge = new TestEdge(toml + "[edge.http]\nhsts = false\n", Optional.empty());
                HttpClient http =
                        HttpClient.newBuilder().sslContext(trusting(ca.roots)).build()) {
            assertThat(get(http, edge, "/edge/assets/large.bin").headers().firstValue("Strict-Transport-Security"))
                    .isEmpty();
        }
        try (TestEdge plain = new TestEdge("[edge]\nassets_dir = \"" + assets + "\"\n", Optional.empty())) {
            assertThat(plain.get("/edge/assets/large.bin").headers().firstValue("Strict-Transport-Security"))
                    .isEmpty();
        }
    }

    // one object in memory | many who do not take it  ->  what is encrypted for them is not a copy of it for each
    @Test
    void slowReadersOfWhatIsInMemoryGetItPieceByPiece() throws Exception {
        int size = 8 << 20; // more than the system takes from the edge for a reader
        int many = 8;
        TestCa ca = new TestCa(Files.createDirectories(folder.resolve("ca")));
        TestCa.Pair pair = ca.issue("localhost");
        Path assets = Files.createDirectories(folder.resolve("assets"));
        byte[] hot = new byte[size];
        new Random(3).nextBytes(hot);
        Files.write(assets.resolve("hot.bin"), hot);
        String toml = """
                [edge]
                assets_dir = "%s"
                cache_bytes = "16MiB"
                max_cached_bytes = "8MiB"
                [edge.tls]
                enabled = true
                cert_path = "%s"
                key_path = "%s"
                """.formatted(assets, pair.certificates(), pair.key());
        SSLContext context = trusting(ca.roots);
        List<Socket> readers = new ArrayList<>();
        try (TestEdge edge = new TestEdge(toml, Optional.of(folder.resolve("data")));
                HttpClient http = HttpClient.newBuilder().sslContext(context).build()) {
            for (int i = 0; i < 2; i++) {
                assertThat(get(http, edge, "/edge/assets/hot.bin").body()).isEqualTo(hot);
            }
            long before = PlatformDependent.usedDirectMemory();
            for (int i = 0; i < many; i++) {
                Socket reader = new Socket();
                reader.setReceiveBufferSize(4096);
                reader.setSoTimeout(30_000);
                reader.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), edge.port()));
                Socket secure = context.getSocketFactory().createSocket(reader, "localhost", edge.port(), true);
                readers.add(secure);
                secure.getOutputStream()
                        .write("GET /edge/assets/hot.bin HTTP/1.1\r\nHost: localhost\r\n\r\n"
                                .getBytes(StandardCharsets.US_ASCII));
                assertThat(new String(
                                secure.getInputStream().readNBytes("HTTP/1.1 200".length()), StandardCharsets.US_ASCII))
                        .isEqualTo("HTTP/1.1 200");
            }
            assertThat(PlatformDependent.usedDirectMemory() - before).isLessThan(many * (long) size / 4);
            assertThat(get(http, edge, "/edge/assets/hot.bin").body()).isEqualTo(hot);
            for (Socket reader : readers) {
                reader.close(); // before the end of the edge, which would let them finish
            }
        }
    }

    private static HttpResponse<byte[]> get(HttpClient http, TestEdge edge, String path) throws Exception {
        return http.send(
                HttpRequest.newBuilder(URI.create("https://localhost:" + edge.port() + path))
                        .timeout(Duration.ofSeconds(30))
                        .build(),
                HttpResponse.BodyHandlers.ofByteArray());
    }

    private static SSLContext trusting(Path roots) throws Exception {
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        try (InputStream in = Files.newInputStream(roots)) {
            trusted.setCertificateEntry(
                    "root", CertificateFactory.getInstance("X.509").generateCertificate(in));
        }
        TrustManagerFactory managers = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        managers.init(trusted);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, managers.getTrustManagers(), null);
        return context;
    }
}
