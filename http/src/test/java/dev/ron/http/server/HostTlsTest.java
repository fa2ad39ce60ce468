package dev.ron.http.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.http.message.Response;
import dev.ron.http.testing.NoBufferLeaks;
import dev.ron.http.testing.RawClient;
import dev.ron.http.testing.TestCa;
import dev.ron.http.testing.TestHost;
import dev.ron.http.tls.ServerTls;
import dev.ron.http.tls.TlsIdentity;
import dev.ron.http.tls.TlsOptions;
import dev.ron.kernel.testkit.NoLeaks;
import dev.ron.kernel.time.Clock;
import java.io.InputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

@ExtendWith({NoLeaks.class, NoBufferLeaks.class})
class HostTlsTest {

    private static SSLContext trusting(Path roots) throws Exception {
        KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
        store.load(null, null);
        try (InputStream in = Files.newInputStream(roots)) {
            store.setCertificateEntry(
                    "root", CertificateFactory.getInstance("X.509").generateCertificate(in));
        }
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(store);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, trust.getTrustManagers(), null);
        return context;
    }

    @Test
    void requestsAndLargeAnswersPassThroughTlsAndThePeerIsToldOfTheEnd(@TempDir Path folder) throws Exception {
        TestCa ca = new TestCa(folder);
        TestCa.Pair pair = ca.issue("localhost");
        byte[] large = "x".repeat(3 << 20).getBytes(StandardCharsets.US_ASCII);
        try (ServerTls tls = new ServerTls(TlsIdentity.load(pair.certificates(), pair.key()), TlsOptions.defaults());
                TestHost host = TestHost.with(
                        HostConfig.DEFAULTS,
                        Clock.system(),
                        routes -> routes.get("/", (BlockingHandler)
                                        request -> Response.text(request.secure() ? "secure" : "open"))
                                .get("/large", (BlockingHandler) request -> Response.bytes(200, "text/plain", large)),
                        builder -> builder.tls(tls));
                Socket socket = trusting(ca.roots).getSocketFactory().createSocket("localhost", host.port())) {
            socket.setSoTimeout(30_000);
            socket.getOutputStream()
                    .write(("GET / HTTP/1.1\r\nHost: localhost\r\n\r\nGET /large HTTP/1.1\r\nHost: localhost\r\n"
                                    + "Connection: close\r\n\r\n")
                            .getBytes(StandardCharsets.US_ASCII));
            String all = new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
            assertThat(all).contains("\r\n\r\nsecure").endsWith("x".repeat(3 << 20));
        }
    }

    @Test
    void aPlainRequestOnATlsPortIsCountedAndClosed(@TempDir Path folder) {
        TestCa.Pair pair = new TestCa(folder).issue("localhost");
        try (ServerTls tls = new ServerTls(TlsIdentity.load(pair.certificates(), pair.key()), TlsOptions.defaults());
                TestHost host = TestHost.with(
                        HostConfig.DEFAULTS,
                        Clock.system(),
                        routes -> routes.get("/", (BlockingHandler) request -> Response.text("never")),
                        builder -> builder.tls(tls));
                RawClient client = host.client()) {
            client.get("/");
            assertThat(client.readRest()).doesNotContain("HTTP/1.1");
            TestHost.await(() -> host.counted().of("tls_handshake_failures_total", "") == 1);
        }
    }
}
