package dev.ron.http.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ron.http.message.Response;
import dev.ron.http.testing.NoBufferLeaks;
import dev.ron.http.testing.TestCa;
import dev.ron.http.testing.TestHost;
import dev.ron.http.testing.TlsClient;
import dev.ron.http.tls.ServerCertificates;
import dev.ron.http.tls.ServerTls;
import dev.ron.http.tls.TlsIdentity;
import dev.ron.http.tls.TlsOptions;
import dev.ron.kernel.testkit.NoLeaks;
import dev.ron.kernel.time.Clock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

@ExtendWith({NoLeaks.class, NoBufferLeaks.class})
class ClientCertificateTest {
    @TempDir
    Path folder;

    private TestCa ca;
    private ServerCertificates own;

    @BeforeEach
    void issue() {
        ca = new TestCa(folder);
        own = ServerCertificates.of(identity("localhost"));
    }

    private TlsIdentity identity(String host) {
        TestCa.Pair pair = ca.issue(host);
        return TlsIdentity.load(pair.certificates(), pair.key());
    }

    private static TestHost host(ServerTls tls) {
        return TestHost.with(
                HostConfig.DEFAULTS,
                Clock.system(),
                routes -> routes.get("/who", (BlockingHandler)
                        request -> Response.text(request.clientCertificates().stream()
                                .map(shown -> shown.getSubjectX500Principal().getName())
                                .findFirst()
                                .orElse("nobody"))),
                builder -> builder.tls(tls));
    }

    @Test
    void aHandlerSeesWhoItsClientIsAndThatAnotherShowedNothing() throws Exception {
        try (ServerTls tls = new ServerTls(own.withClients(ca.roots, false), TlsOptions.defaults());
                TestHost host = host(tls)) {
            TlsClient client = new TlsClient(ca.roots);
            assertThat(client.get(host.port(), "localhost", "/who")).endsWith("nobody");
            TestCa.Pair alice = ca.issue("alice");
            assertThat(client.showing(alice).get(host.port(), "localhost", "/who"))
                    .endsWith("CN=alice");
        }
    }

    @Test
    void aClientOfAnotherAuthorityOrWithoutACertificateIsTurnedAwayWhereOneIsRequired() throws Exception {
        Path elsewhere = Files.createDirectory(folder.resolve("elsewhere"));
        try (ServerTls tls = new ServerTls(own.withClients(ca.roots, true), TlsOptions.defaults());
                TestHost host = host(tls)) {
            TlsClient client = new TlsClient(ca.roots);
            TestCa.Pair stranger = new TestCa(elsewhere).issue("mallory");
            assertThatThrownBy(() -> client.get(host.port(), "localhost", "/who"))
                    .isInstanceOf(IOException.class);
            assertThatThrownBy(() -> client.showing(stranger).get(host.port(), "localhost", "/who"))
                    .isInstanceOf(IOException.class);
            assertThat(client.showing(ca.issue("bob")).get(host.port(), "localhost", "/who"))
                    .endsWith("CN=bob");
        }
    }

    @Test
    void eachHostShowsItsOwnCertificateAndARequestForAnotherHostIsMisdirected() throws Exception {
        ServerCertificates all = own.withHost("one.example", identity("one.example"))
                .withHost("*.two.example", identity("*.two.example"));
        try (ServerTls tls = new ServerTls(all, TlsOptions.defaults());
                TestHost host = host(tls)) {
            TlsClient client = new TlsClient(ca.roots);
            assertThat(client.get(host.port(), "localhost", "/who")).contains("200 OK");
            assertThat(client.get(host.port(), "one.example", "/who")).contains("200 OK");
            assertThat(client.shown()).isEqualTo("CN=one.example");
            assertThat(client.get(host.port(), "a.two.example", "/who")).contains("200 OK");
            assertThat(client.shown()).isEqualTo("CN=*.two.example");
            assertThat(client.get(host.port(), "one.example", "a.two.example", "/who"))
                    .contains("421 Misdirected Request");
        }
    }

    @Test
    void newCertificatesAreForNewConnectionsAndOpenOnesGoOn() throws Exception {
        try (ServerTls tls = new ServerTls(own, TlsOptions.defaults());
                TestHost host = host(tls)) {
            TlsClient client = new TlsClient(ca.roots);
            try (TlsClient.Open open = client.open(host.port(), "localhost", Optional.empty())) {
                assertThat(open.get("localhost", "/who", false)).contains("200 OK");
                TlsIdentity next = identity("localhost");
                tls.swap(next);
                assertThat(open.get("localhost", "/who", false)).contains("200 OK");
                String before = open.serial();
                assertThat(client.get(host.port(), "localhost", "/who")).contains("200 OK");
                assertThat(client.serial()).isNotEqualTo(before);
            }
        }
    }
}
