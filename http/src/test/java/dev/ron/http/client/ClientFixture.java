package dev.ron.http.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.ron.http.loop.EventLoops;
import dev.ron.http.testing.RawServer;
import dev.ron.http.testing.TestCa;
import dev.ron.http.tls.ClientTls;
import dev.ron.http.tls.TlsOptions;
import dev.ron.kernel.error.Code;
import dev.ron.kernel.error.RonException;
import dev.ron.kernel.meter.Meter;
import dev.ron.kernel.testkit.Eventually;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** Clients on loops of their own, closed behind each test. */
abstract class ClientFixture {
    private static final TlsOptions OPTIONS = TlsOptions.defaults().withHandshakeLimit(Duration.ofSeconds(30));
    static final String OK = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
    static final Duration SHORT = Duration.ofMillis(300);
    static final ClientOptions PATIENT =
            ClientOptions.defaults().withTotalLimit(Duration.ofSeconds(60)).withConnectLimit(Duration.ofSeconds(30));

    @TempDir
    Path folder;

    EventLoops loops;
    ClientTls tls;
    private final List<HttpClient> clients = new ArrayList<>();

    @BeforeEach
    void start() {
        loops = new EventLoops("client-test", 2);
        tls = ClientTls.trusting(new TestCa(folder).roots, OPTIONS);
    }

    @AfterEach
    void stop() {
        clients.forEach(HttpClient::close);
        loops.close();
        tls.close();
    }

    HttpClient client(ClientOptions options) {
        return client(options, (host, port, deadline) -> List.of(new InetSocketAddress(loopback(), port)));
    }

    HttpClient client(ClientOptions options, Addresses addresses) {
        HttpClient client = new HttpClient(loops, addresses, tls, options, Meter.none());
        clients.add(client);
        return client;
    }

    static InetAddress loopback() {
        return InetAddress.getLoopbackAddress();
    }

    /** Answers every request of a connection with the same text. */
    static RawServer answering(String response) {
        return new RawServer((peer, number) -> {
            while (!peer.readRequest().isEmpty()) {
                peer.write(response);
            }
        });
    }

    static void assertFails(HttpClient client, ClientRequest request, Code code, String reason) {
        assertThatExceptionOfType(RonException.class)
                .isThrownBy(() -> client.send(request))
                .satisfies(e -> {
                    assertThat(e.code()).isEqualTo(code);
                    assertThat(e.reason()).isEqualTo(reason);
                });
        Eventually.await("the connection is closed", () -> client.connections() == 0);
    }
}
