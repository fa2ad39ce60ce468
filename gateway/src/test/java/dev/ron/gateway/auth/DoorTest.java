package dev.ron.gateway.auth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ron.gateway.TestGateway;
import dev.ron.gateway.TestOffice;
import dev.ron.http.testing.NoBufferLeaks;
import dev.ron.http.testing.RawClient;
import dev.ron.http.testing.RawServer;
import dev.ron.http.testing.TestCa;
import dev.ron.http.testing.TlsClient;
import dev.ron.kernel.testkit.Eventually;
import dev.ron.kernel.testkit.NoLeaks;
import dev.ron.token.caveat.Binding;
import dev.ron.token.caveat.Caveat;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Who gets through the gateway's door, over real sockets, with an office that really signs. */
@ExtendWith({NoLeaks.class, NoBufferLeaks.class})
class DoorTest {
    private final List<String> seen = new CopyOnWriteArrayList<>();

    private RawServer upstream() {
        return new RawServer((peer, number) -> {
            for (String request = peer.readRequest(); !request.isEmpty(); request = peer.readRequest()) {
                seen.add(request);
                if (request.startsWith("GET /ws")) {
                    peer.write(
                            "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\nhi");
                    peer.awaitClose();
                    return;
                }
                if (request.startsWith("GET /events")) {
                    peer.write(
                            "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
                                    + "8\r\ndata: 1\n\r\n");
                    peer.readRequest(); // until the gateway hangs up
                    return;
                }
                peer.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
            }
        });
    }

    private static TestGateway gateway(TestOffice office, RawServer server, String more) {
        return new TestGateway(office.trusted() + """
                [gateway.routes.all]
                path = "/**"
                methods = ["GET", "POST"]
                upstream = "one"
                auth = "required"
                %s
                [[gateway.upstreams.one.targets]]
                url = "http://127.0.0.1:%d"
                """.formatted(more, server.port()));
    }

    private static RawClient.Answer get(RawClient client, String path, String fields) {
        return client.send("GET " + path + " HTTP/1.1\r\nHost: h\r\n" + fields + "\r\n")
                .read();
    }

    /** Waits until the gateway has heard of the office's keys. */
    private static void awaitKeys(TestGateway gateway, TestOffice office) {
        String token = office.token("probe");
        Eventually.await("the gateway knows the keys", () -> {
            try (RawClient client = gateway.client()) {
                return get(client, "/", TestOffice.bearer(token)).status() == 200;
            }
        });
    }

    @Test
    void withoutATokenTheAnswerIs401WithAChallenge() {
        try (TestOffice office = new TestOffice();
                RawServer server = upstream();
                TestGateway gateway = gateway(office, server, "");
                RawClient client = gateway.client()) {
            RawClient.Answer answer = get(client, "/", "X-User: root\r\n");
            assertThat(answer.status()).isEqualTo(401);
            assertThat(answer.header("WWW-Authenticate")).contains("Bearer");
            assertThat(answer.body()).contains("\"reason\":\"unauth\"");
            assertThat(seen).isEmpty();
            assertThat(gateway.metrics()).contains("auth_failures_total{reason=\"unauth\",service=\"gateway\"} 1");
        }
    }

    @Test
    void theUpstreamLearnsWhoAsksFromTheTokenAndFromNothingElse() {
        try (TestOffice office = new TestOffice();
                RawServer server = upstream();
                TestGateway gateway = gateway(office, server, "");
                RawClient client = gateway.client()) {
            awaitKeys(gateway, office);
            seen.clear();
            String token = office.token("acme");
            RawClient.Answer answer =
                    get(client, "/x", TestOffice.bearer(token) + "X-User: root\r\nX-Tenant: other\r\nX_User: root\r\n");
            assertThat(answer.status()).isEqualTo(200);
            assertThat(seen).hasSize(1);
            assertThat(seen.getFirst())
                    .contains("x-user: user-1\r\n", "x-tenant: acme\r\n", "x-ron-issuer: " + TestOffice.ISS)
                    .doesNotContain("root", "other", token, "uthorization");
        }
    }

    @Test
    void whatAHolderMadeFromItsTokenPassesAndWhatAForgerMadeDoesNot() {
        try (TestOffice office = new TestOffice();
                TestOffice stranger = new TestOffice();
                RawServer server = upstream();
                TestGateway gateway = gateway(office, server, "");
                RawClient client = gateway.client()) {
            awaitKeys(gateway, office);
            String token = office.token("acme");
            assertThat(get(client, "/", TestOffice.bearer(office.attenuated(token)))
                            .status())
                    .isEqualTo(200);
            assertThat(get(client, "/", TestOffice.bearer(office.attenuated(office.attenuated(token))))
                            .status())
                    .isEqualTo(200);
            RawClient.Answer forged = get(client, "/", TestOffice.bearer(stranger.token("acme")));
            assertThat(forged.status()).isEqualTo(401);
            assertThat(forged.header("WWW-Authenticate")).contains("Bearer error=\"invalid_token\"");
            assertThat(get(client, "/", TestOffice.bearer("pct1~nonsense")).status())
                    .isEqualTo(401);
        }
    }

    @Test
    void aPlainAccessTokenPassesToo() {
        try (TestOffice office = new TestOffice();
                TestOffice stranger = new TestOffice();
                RawServer server = upstream();
                TestGateway gateway = gateway(office, server, "");
                RawClient client = gateway.client()) {
            awaitKeys(gateway, office);
            seen.clear();
            String token = office.plainToken("globex");
            assertThat(get(client, "/", TestOffice.bearer(token)).status()).isEqualTo(200);
            assertThat(get(client, "/", TestOffice.bearer(token)).status()).isEqualTo(200);
            assertThat(seen.getFirst()).contains("x-tenant: globex\r\n", "x-user: user-2\r\n");
            assertThat(get(client, "/", TestOffice.bearer(stranger.plainToken("globex")))
                            .status())
                    .isEqualTo(401);
        }
    }

    @Test
    void whatATokenLimitsIsKept() {
        try (TestOffice office = new TestOffice();
                RawServer server = upstream();
                TestGateway gateway = gateway(office, server, "");
                RawClient client = gateway.client()) {
            awaitKeys(gateway, office);
            String twice = office.token("acme", new Caveat.Budget(OptionalLong.of(2), OptionalLong.empty()));
            assertThat(get(client, "/", TestOffice.bearer(twice)).status()).isEqualTo(200);
            // a branch spends from the same purse
            assertThat(get(client, "/", TestOffice.bearer(office.attenuated(twice)))
                            .status())
                    .isEqualTo(200);
            RawClient.Answer spent = get(client, "/", TestOffice.bearer(twice));
            assertThat(spent.status()).isEqualTo(403);
            assertThat(spent.body()).contains("cav_budget");

            String slow = office.token("acme", new Caveat.Rate(1, 1));
            assertThat(get(client, "/", TestOffice.bearer(slow)).status()).isEqualTo(200);
            AtomicReference<RawClient.Answer> early = new AtomicReference<>();
            Eventually.await("two within a second", () -> {
                early.set(get(client, "/", TestOffice.bearer(slow)));
                return early.get().status() == 429;
            });
            assertThat(early.get().header("Retry-After")).contains("1");

            String small = office.token("acme", new Caveat.Bytes(3));
            client.send("POST / HTTP/1.1\r\nHost: h\r\n" + TestOffice.bearer(small)
                    + "Transfer-Encoding: chunked\r\n\r\n4\r\nabcd\r\n0\r\n\r\n");
            assertThat(client.read().status()).isEqualTo(413);
        }
    }

    @Test
    void aTokenBoundToACertificateIsOfUseOnlyToWhoShowsIt(@TempDir Path folder) throws Exception {
        TestCa ca = new TestCa(folder);
        TestCa.Pair own = ca.issue("localhost");
        TestCa.Pair mine = ca.issue("mine");
        try (TestOffice office = new TestOffice();
                RawServer server = upstream();
                TestGateway gateway = gateway(office, server, """
                        [gateway.tls]
                        enabled = true
                        cert_path = "%s"
                        key_path = "%s"
                        client_ca_path = "%s"
                        client_auth = "optional"
                        """.formatted(own.certificates(), own.key(), ca.roots))) {
            TlsClient nobody = new TlsClient(ca.roots);
            String free = office.token("acme");
            Eventually.await("the gateway knows the keys", () -> status(nobody, gateway, free) == 200);
            String bound = office.token(
                    "acme", new Caveat.Bind(new Binding(Binding.Kind.CERTIFICATE, Binding.thumbprint(read(mine)))));
            assertThat(status(nobody.showing(mine), gateway, bound)).isEqualTo(200);
            assertThat(status(nobody.showing(ca.issue("mine")), gateway, bound))
                    .as("another certificate of the same name")
                    .isEqualTo(403);
            assertThat(status(nobody, gateway, bound)).isEqualTo(403);
        }
    }

    private static X509Certificate read(TestCa.Pair pair) throws Exception {
        try (InputStream in = Files.newInputStream(pair.certificates())) {
            return (X509Certificate) CertificateFactory.getInstance("X.509").generateCertificate(in);
        }
    }

    private static int status(TlsClient as, TestGateway gateway, String token) {
        try (HttpClient client =
                HttpClient.newBuilder().sslContext(as.context()).build()) {
            HttpRequest request = HttpRequest.newBuilder(URI.create("https://localhost:" + gateway.port() + "/"))
                    .header("Authorization", "Bearer " + token)
                    .build();
            return client.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void aStreamIsCutWhenItsTokenIsRevoked() {
        try (TestOffice office = new TestOffice();
                RawServer server = upstream();
                TestGateway gateway = gateway(office, server, "");
                RawClient client = gateway.client();
                RawClient other = gateway.client()) {
            awaitKeys(gateway, office);
            String id = office.id();
            String token = office.token("acme", id, 900);
            client.send("GET /events HTTP/1.1\r\nHost: h\r\n" + TestOffice.bearer(token) + "\r\n");
            assertThat(client.readHead().status()).isEqualTo(200);
            assertThat(client.line()).isEqualTo("8");
            other.send("GET /events HTTP/1.1\r\nHost: h\r\n" + TestOffice.bearer(office.token("acme")) + "\r\n");
            assertThat(other.readHead().status()).isEqualTo(200);
            office.revoke(id);
            // no last chunk: nobody takes it for whole
            assertThat(client.readRest()).doesNotContain("0\r\n\r\n");
            Eventually.await(
                    "one stream is left",
                    () -> gateway.metrics().contains("gateway_streams_open{service=\"gateway\"} 1"));
        }
    }

    // a tunnel that is open | its token is revoked  ->  both ends are closed, and the other tenant's tunnel stays
    @Test
    void aTunnelIsCutWhenItsTokenIsRevoked() throws Exception {
        String ask = "GET /ws HTTP/1.1\r\nHost: h\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n";
        try (TestOffice office = new TestOffice();
                RawServer server = upstream();
                TestGateway gateway = gateway(office, server, "upgrade = [\"websocket\"]");
                RawClient client = gateway.client();
                RawClient other = gateway.client()) {
            awaitKeys(gateway, office);
            String id = office.id();
            client.send(ask + TestOffice.bearer(office.token("acme", id, 900)) + "\r\n");
            assertThat(client.readHead().status()).isEqualTo(101);
            other.send(ask + TestOffice.bearer(office.token("globex")) + "\r\n");
            assertThat(other.readHead().status()).isEqualTo(101);
            assertThat(other.in().readNBytes(2)).containsExactly('h', 'i');
            office.revoke(id);
            assertThat(client.readRest()).isEqualTo("hi");
            Eventually.await(
                    "one stream is left",
                    () -> gateway.metrics().contains("gateway_streams_open{service=\"gateway\"} 1"));
            other.send("still here"); // an open connection takes it
            Eventually.await("it alone is in hand", () -> gateway.service().inflight() == 1);
        }
    }

    @Test
    void aTenantInAHeaderCountsOnlyFromATrustedNetwork() {
        String route = "tenant = \"header:X-Customer\"";
        try (TestOffice office = new TestOffice();
                RawServer server = upstream();
                TestGateway trusting = new TestGateway(
                        "[gateway.proxy]\ntrusted_cidrs = [\"127.0.0.0/8\"]\n" + open(route, server.port()));
                TestGateway wary = new TestGateway(open(route, server.port()));
                RawClient one = trusting.client();
                RawClient two = wary.client()) {
            assertThat(office.id()).isNotEmpty();
            get(one, "/", "X-Customer: initech\r\n");
            get(two, "/", "X-Customer: initech\r\n");
            assertThat(seen.get(0)).contains("x-tenant: initech\r\n");
            assertThat(seen.get(1)).doesNotContain("x-tenant:");
        }
    }

    private static String open(String more, int port) {
        return """
                [gateway.routes.all]
                path = "/**"
                upstream = "one"
                auth = "none"
                %s
                [[gateway.upstreams.one.targets]]
                url = "http://127.0.0.1:%d"
                """.formatted(more, port);
    }

    @Test
    void aRouteThatNobodyCouldOpenIsRefusedAtTheStart() {
        assertThatThrownBy(() -> new TestGateway("""
                        [gateway.routes.all]
                        path = "/**"
                        upstream = "one"
                        auth = "required"
                        [[gateway.upstreams.one.targets]]
                        url = "http://127.0.0.1:1"
                        """))
                .hasStackTraceContaining("needs a token, and no issuer is trusted");
    }
}
