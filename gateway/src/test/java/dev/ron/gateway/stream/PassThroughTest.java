package dev.ron.gateway.stream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.gateway.TestGateway;
import dev.ron.http.message.Response;
import dev.ron.http.server.BlockingHandler;
import dev.ron.http.server.HostConfig;
import dev.ron.http.testing.H2Client;
import dev.ron.http.testing.RawClient;
import dev.ron.http.testing.RawServer;
import dev.ron.http.testing.TestCa;
import dev.ron.http.testing.TestHost;
import dev.ron.http.tls.ServerTls;
import dev.ron.http.tls.TlsIdentity;
import dev.ron.http.tls.TlsOptions;
import dev.ron.kernel.testkit.Eventually;
import dev.ron.kernel.time.Clock;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What passes besides a request and its answer: another protocol, fields behind bodies, answers before the answer. */
class PassThroughTest {
    private static final String ASK = "GET /ws HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
            + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n";
    private static final String AGREE = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n"
            + "Connection: Upgrade\r\nSec-WebSocket-Accept: x\r\n\r\n";

    private static TestGateway gateway(RawServer server, String route) {
        return gateway(server, route, "");
    }

    private static TestGateway gateway(RawServer server, String route, String more) {
        return new TestGateway("""
                %s
                [gateway.routes.all]
                path = "/**"
                upstream = "one"
                auth = "none"
                methods = ["GET", "POST"]
                %s
                [[gateway.upstreams.one.targets]]
                url = "http://127.0.0.1:%d"
                """.formatted(more, route, server.port()));
    }

    private static final String WEBSOCKET = "upgrade = [\"websocket\"]";

    /** Agrees, greets, and sends back what comes until the other side ends. */
    private static void echo(RawServer.Peer peer, int number) throws IOException {
        String asked = peer.readRequest();
        assertThat(asked.toLowerCase(java.util.Locale.ROOT)).contains("upgrade: websocket", "connection: upgrade");
        peer.write(AGREE + "hello");
        byte[] some = new byte[8 << 10];
        for (int n = peer.socket().getInputStream().read(some);
                n >= 0;
                n = peer.socket().getInputStream().read(some)) {
            peer.socket().getOutputStream().write(some, 0, n);
        }
        peer.write("bye");
    }

    private static String readFully(RawClient client, int bytes) throws IOException {
        return new String(client.in().readNBytes(bytes), StandardCharsets.ISO_8859_1);
    }

    @Test
    void bytesPassBothWaysAndEachSideMayEndItsOwn() throws Exception {
        try (RawServer server = new RawServer(PassThroughTest::echo);
                TestGateway gateway = gateway(server, WEBSOCKET);
                RawClient client = gateway.client()) {
            client.send(ASK + "early");
            RawClient.Answer answer = client.readHead();
            assertThat(answer.status()).isEqualTo(101);
            assertThat(answer.header("Sec-WebSocket-Accept")).contains("x");
            assertThat(readFully(client, 10)).isEqualTo("helloearly");
            String large = "z".repeat(3 << 20);
            CompletableFuture<Void> sending = CompletableFuture.runAsync(() -> client.send(large));
            assertThat(readFully(client, large.length())).isEqualTo(large);
            sending.get();
            client.finish();
            assertThat(client.readRest()).isEqualTo("bye");
            Eventually.await("both sides are closed", () -> server.open() == 0);
        }
    }

    @Test
    void aDrainEndsThem() {
        try (RawServer server = new RawServer(PassThroughTest::echo)) {
            TestGateway gateway = gateway(server, WEBSOCKET);
            try (RawClient client = gateway.client()) {
                client.send(ASK);
                assertThat(client.readHead().status()).isEqualTo(101);
                assertThat(gateway.stop().exitCode()).isZero();
                client.readRest();
                Eventually.await("both sides are closed", () -> server.open() == 0);
            } finally {
                gateway.close();
            }
        }
    }

    @Test
    void silenceEndsThem() {
        try (RawServer server = new RawServer(PassThroughTest::echo);
                TestGateway gateway = gateway(server, WEBSOCKET + "\nstream_idle = \"200ms\"");
                RawClient client = gateway.client()) {
            client.send(ASK);
            assertThat(client.readHead().status()).isEqualTo(101);
            assertThat(client.readRest()).isEqualTo("hello");
            Eventually.await("both sides are closed", () -> server.open() == 0);
        }
    }

    // every connection a stream's | a request  ->  streams have a bound of their own, and the request its connection
    @Test
    void streamsLeaveTheConnectionsToRequests() {
        try (RawServer server = new RawServer((peer, number) -> {
                    String asked = peer.readRequest();
                    if (asked.startsWith("GET /ws")) {
                        peer.write(AGREE);
                    } else if (asked.startsWith("GET /events")) {
                        peer.write("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\ndata: 1\n\n");
                    } else {
                        peer.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
                    }
                    peer.awaitClose();
                });
                TestGateway gateway =
                        gateway(server, WEBSOCKET, "[gateway.upstreams.one]\nmax_connections = 1\nmax_pending = 0\n");
                RawClient socket = gateway.client();
                RawClient events = gateway.client();
                RawClient plain = gateway.client()) {
            assertThat(socket.send(ASK).readHead().status()).isEqualTo(101);
            assertThat(events.get("/events").readHead().status()).isEqualTo(200);
            assertThat(plain.get("/plain").read().status()).isEqualTo(200);
            assertThat(server.open()).isEqualTo(3);
        }
    }

    /** Agrees, and then sends without end. */
    private static void flood(RawServer.Peer peer, int number) throws IOException {
        peer.readRequest();
        peer.write(AGREE);
        byte[] some = new byte[64 << 10];
        while (true) {
            peer.write(some);
        }
    }

    // an end, here by silence | a caller whose socket is full  ->  it is waited for, but not for ever
    @Test
    void aCallerThatDoesNotReadCannotKeepThemOpen() {
        try (RawServer server = new RawServer(PassThroughTest::flood)) {
            TestGateway gateway =
                    gateway(server, WEBSOCKET + "\nstream_idle = \"200ms\"", "[gateway]\nwrite_timeout = \"200ms\"\n");
            try (RawClient silent = gateway.client()) {
                assertThat(silent.send(ASK).readHead().status()).isEqualTo(101);
                Eventually.await("the upstream's side is closed", () -> server.accepted() == 1 && server.open() == 0);
                assertThat(gateway.stop().exitCode()).isZero();
            } finally {
                gateway.close();
            }
        }
    }

    // an end | a side that is not closed yet  ->  its permit is not another's yet
    @Test
    void aPermitIsHeldUntilBothSidesAreClosed() {
        try (RawServer server = new RawServer(PassThroughTest::flood);
                TestGateway gateway = gateway(
                        server,
                        WEBSOCKET + "\nstream_idle = \"2s\"",
                        "[gateway]\nwrite_timeout = \"60s\"\n[gateway.upstreams.one]\nmax_streams = 1\n");
                RawClient second = gateway.client();
                RawClient silent = gateway.client()) {
            assertThat(silent.send(ASK).readHead().status()).isEqualTo(101);
            Eventually.await("the upstream's side is closed", () -> server.accepted() == 1 && server.open() == 0);
            RawClient.Answer refused = second.send(ASK).read();
            assertThat(refused.status()).isEqualTo(503);
            assertThat(refused.body()).contains("\"reason\":\"streams\"");
            silent.leave();
            Eventually.await("the permit is free", () -> {
                try (RawClient third = gateway.client()) {
                    return third.send(ASK).readHead().status() == 101;
                }
            });
        }
    }

    @Test
    void aRefusedUpgradeIsTheLastOfItsConnectionAndWhatFollowsReachesNobody() {
        AtomicReference<String> seen = new AtomicReference<>("");
        try (RawServer server = new RawServer((peer, number) -> {
                    seen.set(peer.readRequest());
                    peer.write("HTTP/1.1 403 Forbidden\r\nContent-Length: 2\r\n\r\nno");
                    ByteArrayOutputStream more = new ByteArrayOutputStream();
                    for (int c = peer.socket().getInputStream().read();
                            c >= 0;
                            c = peer.socket().getInputStream().read()) {
                        more.write(c);
                    }
                    seen.updateAndGet(head -> head + "|" + more);
                });
                TestGateway gateway = gateway(server, WEBSOCKET);
                RawClient client = gateway.client()) {
            client.send(ASK + "GET /admin HTTP/1.1\r\nHost: internal\r\n\r\n");
            RawClient.Answer answer = client.read();
            assertThat(answer.status()).isEqualTo(403);
            assertThat(answer.closes()).isTrue();
            assertThat(client.readRest()).isEmpty();
        }
        assertThat(seen.get()).contains("GET /ws").doesNotContain("/admin");
    }

    @Test
    void aRouteThatNamesNoProtocolDropsTheWish() {
        AtomicReference<String> seen = new AtomicReference<>("");
        try (RawServer server = new RawServer((peer, number) -> {
                    seen.set(peer.readRequest());
                    peer.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
                    peer.awaitClose();
                });
                TestGateway gateway = gateway(server, "");
                RawClient client = gateway.client()) {
            assertThat(client.send(ASK).read().status()).isEqualTo(200);
            assertThat(seen.get().toLowerCase(java.util.Locale.ROOT)).doesNotContain("upgrade");
        }
    }

    @Test
    void anUpstreamThatChangesTheProtocolUnaskedIsRefused() {
        try (RawServer server = new RawServer((peer, number) -> {
                    peer.readRequest();
                    peer.write(AGREE);
                    peer.awaitClose();
                });
                TestGateway gateway = gateway(server, WEBSOCKET);
                RawClient client = gateway.client()) {
            assertThat(client.get("/plain").read().status()).isEqualTo(502);
        }
    }

    @Test
    void trailersAndInterimAnswersPass() {
        AtomicReference<String> seen = new AtomicReference<>("");
        try (RawServer server = new RawServer((peer, number) -> {
                    ByteArrayOutputStream all = new ByteArrayOutputStream();
                    while (!all.toString(StandardCharsets.ISO_8859_1).endsWith("x-sum: 7\r\n\r\n")) {
                        all.write(peer.socket().getInputStream().read());
                    }
                    seen.set(all.toString(StandardCharsets.ISO_8859_1));
                    peer.write(
                            "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 200 OK\r\n"
                                    + "Transfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\nx-back: 42\r\nset-cookie: a=1\r\n\r\n");
                    peer.awaitClose();
                });
                TestGateway gateway = gateway(server, "");
                RawClient client = gateway.client()) {
            client.send(
                    "POST /a HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nbody\r\n0\r\nx-sum: 7\r\n\r\n");
            RawClient.Answer hint = client.readHead();
            assertThat(hint.status()).isEqualTo(103);
            assertThat(hint.header("Link")).contains("</a>");
            assertThat(client.readHead().status()).isEqualTo(200);
            assertThat(client.line()).isEqualTo("2");
            assertThat(client.line()).isEqualTo("ok");
            assertThat(client.line()).isEqualTo("0");
            assertThat(client.line()).isEqualTo("x-back: 42");
            assertThat(client.line()).isEmpty();
        }
        assertThat(seen.get()).contains("4\r\nbody\r\n0\r\nx-sum: 7");
    }

    // What a head may not say about the caller, or about what is behind us, no field behind a body says either.
    @Test
    void trailersSayNoMoreThanHeadsMay() {
        String behind = "X-User: root\r\nX-Tenant: evil\r\nX-RON-Issuer: evil\r\nX_User: root\r\nX-Auth-Groups: all\r\n"
                + "X-Real-IP: 1.2.3.4\r\nX-Forwarded-Port: 1\r\nVia: 1.1 cdn\r\nX-Own: 1\r\nX-Hop: 1\r\nx-sum: 7\r\n\r\n";
        AtomicReference<String> seen = new AtomicReference<>("");
        try (RawServer server = new RawServer((peer, number) -> {
                    ByteArrayOutputStream all = new ByteArrayOutputStream();
                    while (!all.toString(StandardCharsets.ISO_8859_1).endsWith("x-sum: 7\r\n\r\n")) {
                        all.write(peer.socket().getInputStream().read());
                    }
                    seen.set(all.toString(StandardCharsets.ISO_8859_1));
                    peer.write("HTTP/1.1 200 OK\r\nConnection: close, x-hop\r\nTransfer-Encoding: chunked\r\n\r\n"
                            + "2\r\nok\r\n0\r\nServer: secret\r\nX-User: root\r\nx_ron_node: 1\r\nVia: 1.1 cdn\r\n"
                            + "X-Hop: 1\r\nx-back: 42\r\n\r\n");
                });
                TestGateway gateway = gateway(server, "", """
                        [gateway.proxy]
                        strip_headers = ["x-own"]
                        [gateway.peers]
                        http2_prior_knowledge = true
                        """);
                RawClient client = gateway.client();
                H2Client second = new H2Client(gateway.port())) {
            client.send("POST /a HTTP/1.1\r\nHost: x\r\nConnection: x-hop\r\nTransfer-Encoding: chunked\r\n\r\n"
                    + "4\r\nbody\r\n0\r\n" + behind);
            assertThat(client.readHead().status()).isEqualTo(200);
            assertThat(seen.get()).endsWith("4\r\nbody\r\n0\r\nx-sum: 7\r\n\r\n");
            assertThat(List.of(client.line(), client.line(), client.line())).containsExactly("2", "ok", "0");
            assertThat(client.line()).isEqualTo("x-back: 42");
            assertThat(client.line()).isEmpty();

            int stream = second.request(H2Client.head("POST", "/a"), false);
            second.data(stream, "body", false);
            second.send(
                    H2Client.HEADERS,
                    H2Client.END_HEADERS | H2Client.END_STREAM,
                    stream,
                    second.block(
                            new DefaultHttp2Headers(false).add("x-user", "root").add("x-sum", "7")));
            H2Client.Answer answer = second.answer(stream);
            assertThat(answer.headers().get("x-back")).hasToString("42");
            assertThat(answer.headers().contains("x-user")).isFalse();
            assertThat(seen.get()).endsWith("4\r\nbody\r\n0\r\nx-sum: 7\r\n\r\n");
        }
    }

    @Test
    void anUpstreamWithTlsMustShowACertificateForItsName(@TempDir Path folder) throws Exception {
        TestCa ca = new TestCa(folder);
        TestCa.Pair good = ca.issue("localhost");
        TestCa.Pair other = ca.issue("elsewhere");
        for (TestCa.Pair pair : List.of(good, other)) {
            try (ServerTls tls =
                            new ServerTls(TlsIdentity.load(pair.certificates(), pair.key()), TlsOptions.defaults());
                    TestHost upstream = TestHost.with(
                            HostConfig.DEFAULTS,
                            Clock.system(),
                            routes -> routes.get("/a", (BlockingHandler) request -> Response.text("safe")),
                            builder -> builder.tls(tls));
                    TestGateway gateway = new TestGateway("""
                            [gateway.routes.all]
                            path = "/**"
                            upstream = "one"
                            auth = "none"
                            [gateway.upstreams.one]
                            ca_path = "%s"
                            [[gateway.upstreams.one.targets]]
                            url = "https://localhost:%d"
                            """.formatted(ca.roots, upstream.port()));
                    RawClient client = gateway.client()) {
                RawClient.Answer answer = client.get("/a").read();
                if (pair.equals(good)) {
                    assertThat(answer.body()).isEqualTo("safe");
                } else {
                    assertThat(answer.status()).isEqualTo(502);
                }
            }
        }
    }

    @Test
    void onlyATrustedPeerSpeaksForOthers() {
        AtomicReference<String> seen = new AtomicReference<>("");
        String said = "GET /a HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: 192.0.2.7\r\nX-Forwarded-Proto: https\r\n\r\n";
        for (String trusted : List.of("127.0.0.0/8", "10.0.0.0/8")) {
            try (RawServer server = new RawServer((peer, number) -> {
                        seen.set(peer.readRequest());
                        peer.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
                        peer.awaitClose();
                    });
                    TestGateway gateway = gateway(server, "[gateway.proxy]\ntrusted_cidrs = [\"" + trusted + "\"]");
                    RawClient client = gateway.client()) {
                assertThat(client.send(said).read().status()).isEqualTo(200);
            }
            if (trusted.startsWith("127")) {
                assertThat(seen.get()).contains("x-forwarded-for: 192.0.2.7, 127.0.0.1", "x-forwarded-proto: https");
            } else {
                assertThat(seen.get()).contains("x-forwarded-for: 127.0.0.1", "x-forwarded-proto: http\r\n");
            }
        }
    }
}
