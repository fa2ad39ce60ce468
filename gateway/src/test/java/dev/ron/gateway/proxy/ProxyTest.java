package dev.ron.gateway.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.gateway.TestGateway;
import dev.ron.http.testing.NoBufferLeaks;
import dev.ron.http.testing.RawClient;
import dev.ron.http.testing.RawServer;
import dev.ron.kernel.testkit.Eventually;
import dev.ron.kernel.testkit.NoLeaks;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Requests and answers as the two sides see them, over real sockets. */
@ExtendWith({NoLeaks.class, NoBufferLeaks.class})
class ProxyTest {
    private static final String OK = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";

    private final List<String> seen = new CopyOnWriteArrayList<>();

    private RawServer answering(String response) {
        return new RawServer((peer, number) -> {
            for (String request = peer.readRequest(); !request.isEmpty(); request = peer.readRequest()) {
                seen.add(request);
                peer.write(response);
            }
        });
    }

    @Test
    void theUpstreamSeesExactlyTheFieldsItMay() {
        try (RawServer server = answering(OK);
                TestGateway gateway =
                        TestGateway.to("[gateway]\ninstance = \"gw\"\nrequest_timeout = \"30s\"\n", server.port());
                RawClient client = gateway.client()) {
            client.send(
                    "GET /a/./b?x=%2F HTTP/1.1\r\nHost: Shop.example\r\nConnection: x-one, keep-alive, host, via\r\n"
                            + "X-One: 1\r\nKeep-Alive: 5\r\nTE: trailers\r\nUpgrade: h2c\r\nHTTP2-Settings: x\r\n"
                            + "Proxy-Authorization: Basic x\r\nProxy-Connection: x\r\nAuthorization: Bearer secret\r\n"
                            + "X-User: root\r\nx_user: root\r\nX_RON_Tenant: evil\r\nX-Auth-Groups: all\r\nX-Tenant: t\r\n"
                            + "Content_Length: 9\r\nTransfer_Encoding: chunked\r\n"
                            + "X-Forwarded-For: 1.2.3.4\r\nForwarded: for=1.2.3.4\r\nX-Real-IP: 1.2.3.4\r\nVia: 1.1 cdn\r\n"
                            + "X-Request-Id: abcdefghijklmnop\r\nRequest-Timeout: 20\r\n"
                            + "traceparent: 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01\r\ntracestate: a=b\r\n"
                            + "Cookie: a=1\r\nCookie: b=2\r\nIf-None-Match: \"x\"\r\nAccept: */*\r\n\r\n");
            assertThat(client.read().body()).isEqualTo("ok");
            List<String> lines = List.of(seen.getFirst().strip().split("\r\n", -1));
            assertThat(lines.getFirst()).isEqualTo("GET /a/b?x=%2F HTTP/1.1");
            assertThat(lines)
                    .contains(
                            "host: 127.0.0.1:" + server.port(),
                            "via: 1.1 cdn, 1.1 gw",
                            "x-forwarded-for: 127.0.0.1",
                            "x-forwarded-proto: http",
                            "x-forwarded-host: Shop.example",
                            "x-corr-id: abcdefghijklmnop",
                            "tracestate: a=b",
                            "Cookie: a=1",
                            "Cookie: b=2",
                            "If-None-Match: \"x\"",
                            "Accept: */*")
                    .anyMatch(line -> line.matches("request-timeout: 1[0-9]{4}ms"))
                    .anyMatch(line -> line.matches("traceparent: 00-4bf92f3577b34da6a3ce929d0e0e4736-[0-9a-f]{16}-01"))
                    .noneMatch(line -> line.contains("00f067aa0ba902b7"));
            // the request line, these fields, and nothing else
            assertThat(lines).hasSize(14);
        }
    }

    @Test
    void theCallerSeesTheAnswerWithoutWhatIsForOneHop() {
        try (RawServer server = answering("HTTP/1.1 201 Created\r\nConnection: x-one\r\nX-One: 1\r\nKeep-Alive: 5\r\n"
                        + "Server: secret/1.0\r\nX-Powered-By: x\r\nX-User: root\r\nDate: x\r\nX-Corr-ID: theirs\r\n"
                        + "Set-Cookie: a=1\r\nSet-Cookie: b=2\r\nETag: \"e\"\r\nTransfer-Encoding: chunked\r\n\r\n"
                        + "3\r\nabc\r\n2\r\nde\r\n0\r\nTrailer-Field: x\r\n\r\n");
                TestGateway gateway = TestGateway.to("[gateway]\ninstance = \"gw\"\n", server.port());
                RawClient client = gateway.client()) {
            RawClient.Answer answer = client.get("/").read();
            assertThat(answer.status()).isEqualTo(201);
            assertThat(answer.body()).isEqualTo("abcde");
            assertThat(answer.headerLines())
                    .contains("Set-Cookie: a=1", "Set-Cookie: b=2", "ETag: \"e\"", "via: 1.1 gw")
                    .noneMatch(line -> line.matches("(?i)(x-one|keep-alive|server|x-powered-by|x-user|trailer.*):.*"))
                    .doesNotContain("Date: x", "X-Corr-ID: theirs");
            assertThat(answer.header("X-Corr-ID")).isPresent();
        }
    }

    @Test
    void bodiesGoThroughInBothFramings() {
        String large = "0123456789abcdef".repeat(40_000);
        try (RawServer server = new RawServer((peer, number) -> {
                    for (String head = peer.readRequest(); !head.isEmpty(); head = peer.readRequest()) {
                        boolean chunked = head.contains("transfer-encoding: chunked");
                        String body = head.substring(head.indexOf("\r\n\r\n") + 4);
                        seen.add(chunked ? dechunk(peer) : body);
                        peer.write("HTTP/1.1 200 OK\r\nContent-Length: " + large.length() + "\r\n\r\n" + large);
                    }
                });
                TestGateway gateway = TestGateway.to("", server.port());
                RawClient client = gateway.client()) {
            assertThat(client.post("/", large).read().body()).isEqualTo(large);
            client.send(
                    "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n1;x=y\r\n!\r\n0\r\nT: 1\r\n\r\n");
            assertThat(client.read().body()).isEqualTo(large);
            assertThat(seen).containsExactly(large, "hello!");
            assertThat(server.accepted()).isEqualTo(1);
        }
    }

    private static String dechunk(RawServer.Peer peer) throws java.io.IOException {
        StringBuilder body = new StringBuilder();
        java.io.InputStream in = peer.socket().getInputStream();
        while (true) {
            StringBuilder line = new StringBuilder();
            for (int c = in.read(); c != '\n'; c = in.read()) {
                line.append((char) c);
            }
            int size = Integer.parseInt(line.toString().strip(), 16);
            body.append(new String(in.readNBytes(size), java.nio.charset.StandardCharsets.ISO_8859_1));
            if (size == 0) {
                skipTrailers(in);
                return body.toString();
            }
            in.readNBytes(2);
        }
    }

    private static void skipTrailers(java.io.InputStream in) throws java.io.IOException {
        StringBuilder all = new StringBuilder("\r\n");
        while (all.indexOf("\r\n\r\n") < 0) {
            all.append((char) in.read());
        }
    }

    @Test
    void answersWithoutBodyKeepTheirMeaning() {
        try (RawServer server = new RawServer((peer, number) -> {
                    for (String head = peer.readRequest(); !head.isEmpty(); head = peer.readRequest()) {
                        String path = head.split(" ", -1)[1];
                        peer.write(
                                switch (path) {
                                    case "/204" -> "HTTP/1.1 204 No Content\r\nX: 1\r\n\r\n";
                                    case "/304" ->
                                        "HTTP/1.1 304 Not Modified\r\nETag: \"e\"\r\nContent-Length: 9\r\n\r\n";
                                    case "/empty" -> "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n";
                                    default ->
                                        "HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 77\r\n\r\n";
                                });
                    }
                });
                TestGateway gateway = TestGateway.to("", server.port());
                RawClient client = gateway.client()) {
            client.send("HEAD /head HTTP/1.1\r\nHost: x\r\n\r\n");
            assertThat(client.readHead().status()).isEqualTo(103);
            RawClient.Answer head = client.readHead();
            assertThat(head.status()).isEqualTo(200);
            assertThat(head.header("Content-Length")).contains("77");
            RawClient.Answer none = client.get("/204").read();
            assertThat(none.status()).isEqualTo(204);
            assertThat(none.header("Content-Length")).isEmpty();
            RawClient.Answer same = client.get("/304").read();
            assertThat(same.status()).isEqualTo(304);
            assertThat(same.header("ETag")).contains("\"e\"");
            RawClient.Answer empty = client.get("/empty").read();
            assertThat(empty.header("Content-Length")).contains("0");
            assertThat(server.accepted()).isEqualTo(1);
        }
    }

    @Test
    void aLoopIsRefused() {
        try (RawServer server = answering(OK);
                TestGateway gateway = TestGateway.to("[gateway]\ninstance = \"gw\"\n", server.port());
                RawClient client = gateway.client()) {
            client.send("GET / HTTP/1.1\r\nHost: x\r\nVia: 1.0 fred, 1.1 GW (RON)\r\n\r\n");
            RawClient.Answer answer = client.read();
            assertThat(answer.status()).isEqualTo(508);
            assertThat(answer.body()).contains("\"reason\":\"loop\"");
            assertThat(seen).isEmpty();
        }
    }

    @Test
    void routesAreChosenByHostPathMethodAndHeader() {
        try (RawServer server = answering(OK);
                TestGateway gateway = new TestGateway("""
                        [gateway.routes.shop]
                        path = "/**"
                        hosts = ["shop.example", "*.shop.example"]
                        upstream = "one"
                        rewrite = "/shop"
                        [gateway.routes.beta]
                        path = "/api/**"
                        headers = { x-beta = "1" }
                        upstream = "one"
                        strip_prefix = "/api"
                        rewrite = "/beta"
                        [gateway.routes.api]
                        path = "/api/**"
                        upstream = "one"
                        strip_prefix = "/api"
                        [gateway.upstreams.one]
                        targets = [ { url = "http://127.0.0.1:%d" } ]
                        """.formatted(server.port()));
                RawClient client = gateway.client()) {
            assertThat(through(client, "a.SHOP.example:80", "/x?y", "")).isEqualTo("GET /shop/x?y HTTP/1.1");
            assertThat(through(client, "shop.example", "/api/x", "")).isEqualTo("GET /shop/api/x HTTP/1.1");
            assertThat(through(client, "other", "/api/v/w", "")).isEqualTo("GET /v/w HTTP/1.1");
            assertThat(through(client, "other", "/api", "")).isEqualTo("GET / HTTP/1.1");
            assertThat(through(client, "other", "/api/v", "X-Beta: 1\r\n")).isEqualTo("GET /beta/v HTTP/1.1");
            RawClient.Answer none = client.get("/elsewhere").read();
            assertThat(none.status()).isEqualTo(404);
            assertThat(none.body()).contains("\"reason\":\"no_route\"");
            RawClient.Answer wrong = client.post("/api/x", "").read();
            assertThat(wrong.status()).isEqualTo(405);
            assertThat(wrong.header("Allow"))
                    .hasValueSatisfying(allow -> assertThat(allow).contains("GET", "HEAD"));
        }
    }

    private String through(RawClient client, String host, String path, String more) {
        client.send("GET " + path + " HTTP/1.1\r\nHost: " + host + "\r\n" + more + "\r\n");
        assertThat(client.read().status()).isEqualTo(200);
        return seen.getLast().split("\r\n", -1)[0];
    }

    @Test
    void beyondTheUpstreamsLimitACallerWaitsAndIsThenToldToComeBack() {
        try (RawServer server = new RawServer((peer, number) -> {
                    seen.add(peer.readRequest());
                    peer.awaitClose();
                });
                TestGateway gateway = TestGateway.to("[gateway.upstreams.one]\nmax_inflight = 1\n", server.port());
                RawClient second = gateway.client()) {
            RawClient first = gateway.client().get("/");
            Eventually.await("the slot is taken", () -> !seen.isEmpty());
            RawClient.Answer busy = second.get("/").read();
            assertThat(busy.status()).isEqualTo(503);
            assertThat(busy.body()).contains("\"reason\":\"queue_timeout\"");
            assertThat(busy.header("Retry-After")).contains("1");
            first.leave();
            Eventually.await("the slot is free", () -> {
                RawClient third = gateway.client();
                try (third) {
                    third.send("GET / HTTP/1.1\r\nHost: x\r\nRequest-Timeout: 100ms\r\n\r\n");
                    return third.read().status() == 504;
                }
            });
        }
    }

    @Test
    void continueIsSaidOnlyOnceTheUpstreamTakesTheBody() {
        try (RawServer server = answering(OK);
                TestGateway gateway = TestGateway.to("[gateway.limits]\nmax_body_bytes = \"2KiB\"\n", server.port());
                RawClient client = gateway.client();
                RawClient large = gateway.client()) {
            client.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\r\n");
            assertThat(client.read().status()).isEqualTo(100);
            client.send("hello");
            assertThat(client.read().status()).isEqualTo(200);
            assertThat(seen.getFirst()).endsWith("\r\n\r\nhello").doesNotContainIgnoringCase("expect");
            large.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 4000\r\nExpect: 100-continue\r\n\r\n");
            RawClient.Answer refused = large.read();
            assertThat(refused.status()).isEqualTo(413);
            assertThat(refused.body()).contains("body_cap");
            assertThat(seen).hasSize(1);
        }
    }
}
