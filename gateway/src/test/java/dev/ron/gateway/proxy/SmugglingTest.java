package dev.ron.gateway.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.gateway.TestGateway;
import dev.ron.http.server.MalformedRequests;
import dev.ron.http.testing.RawClient;
import dev.ron.http.testing.RawServer;
import dev.ron.kernel.testkit.Eventually;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What reaches the upstream is exactly one well-formed request, or nothing that could be taken for one. */
class SmugglingTest {
    private static final String PAYLOAD = "GET /admin HTTP/1.1\r\nHost: internal\r\n\r\n";
    private static final Pattern REQUEST_LINE = Pattern.compile("[A-Z]+ [!-~]+ HTTP/1[.]1");
    private static final Pattern FIELD = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]+: [\\x20-\\x7e\\x80-\\xff\\t]*");

    /** The bytes of each connection to the upstream. */
    private static final Map<Integer, ByteArrayOutputStream> SEEN = new ConcurrentHashMap<>();

    private static RawServer server;
    private static TestGateway gateway;

    @BeforeAll
    static void start() {
        server = new RawServer((peer, number) -> {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            SEEN.put(number, bytes);
            InputStream in = peer.socket().getInputStream();
            byte[] some = new byte[64 << 10];
            for (int n = in.read(some); n >= 0; n = in.read(some)) {
                bytes.write(some, 0, n);
                if (wholeRequests(text(bytes)).size() == 1) {
                    peer.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok");
                }
            }
        });
        gateway = TestGateway.to("", server.port());
    }

    @AfterAll
    static void stop() {
        gateway.close();
        server.close();
    }

    @BeforeEach
    void forget() {
        Eventually.await("the upstream is at rest", () -> server.open() == 0);
        SEEN.clear();
    }

    static List<MalformedRequests.Case> malformed() {
        return MalformedRequests.all();
    }

    @ParameterizedTest
    @MethodSource("malformed")
    void aMalformedRequestIsNoRequestForTheUpstream(MalformedRequests.Case bad) throws IOException {
        try (RawClient client = gateway.client()) {
            client.sendIfOpen(bad.bytes().getBytes(StandardCharsets.ISO_8859_1));
            client.sendIfOpen(PAYLOAD.getBytes(StandardCharsets.ISO_8859_1));
            RawClient.Answer answer = client.read();
            assertThat(answer.status()).isEqualTo(bad.status());
            assertThat(answer.closes()).isTrue();
            assertThat(client.readRest()).as("nothing else was answered").isEmpty();
        }
        Eventually.await("the upstream is at rest", () -> server.open() == 0);
        assertThat(SEEN.values()).allSatisfy(bytes -> {
            assertThat(wholeRequests(text(bytes))).isEmpty();
            assertThat(text(bytes)).doesNotContain("/admin");
        });
    }

    static List<String> wellFormed() {
        return List.of(
                "POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 39\r\n\r\n" + PAYLOAD,
                "POST /a HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n27\r\n" + PAYLOAD + "\r\n0\r\n\r\n",
                "GET /a HTTP/1.1\r\nHost: x\r\nContent-Length: 39\r\n\r\n" + PAYLOAD,
                "POST /a HTTP/1.0\r\nHost: x\r\nContent-Length: 39\r\n\r\n" + PAYLOAD,
                "GET /a HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: upgrade\r\n\r\n",
                "GET http://x/a HTTP/1.1\r\nHost: x\r\n\r\n",
                "GET /a HTTP/1.1\r\nHost: x\r\nConnection: content-length, transfer-encoding\r\n\r\n",
                "POST /a HTTP/1.1\r\nHost: x\r\nConnection: content-length\r\nContent-Length: 39\r\n\r\n" + PAYLOAD,
                "\r\nGET /a HTTP/1.1\r\nHost: x\r\n\r\n");
    }

    @ParameterizedTest
    @MethodSource("wellFormed")
    void aWellFormedRequestIsExactlyOne(String request) {
        try (RawClient client = gateway.client()) {
            assertThat(client.send(request).read().status()).isEqualTo(200);
        }
        Eventually.await("the upstream is at rest", () -> server.open() == 0);
        assertThat(SEEN).hasSize(1);
        String bytes = text(SEEN.values().iterator().next());
        List<String> whole = wholeRequests(bytes);
        assertThat(whole).hasSize(1);
        assertThat(whole.getFirst())
                .as("and nothing behind it")
                .isEqualTo(bytes)
                .startsWith(request.strip().split(" ", -1)[0] + " /a HTTP/1.1\r\n");
    }

    // HTTP/1.0 without a length: what follows the head is no body, and no second request either
    @Test
    void bytesBehindAnOldRequestWithoutLengthAreDropped() {
        try (RawClient client = gateway.client()) {
            client.send("POST /a HTTP/1.0\r\nHost: x\r\n\r\n" + PAYLOAD);
            assertThat(client.read().status()).isEqualTo(200);
            assertThat(client.readRest()).isEmpty();
        }
        Eventually.await("the upstream is at rest", () -> server.open() == 0);
        assertThat(SEEN.values()).hasSize(1).noneMatch(bytes -> text(bytes).contains("/admin"));
    }

    // a refused upgrade | bytes in the other protocol  ->  the answer is the last, and they reach nobody
    @Test
    void bytesBehindARefusedUpgradeReachNobody() {
        try (RawClient client = gateway.client()) {
            client.send(
                    "GET /a HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: upgrade\r\n\r\n\u0081\u0005hello");
            RawClient.Answer answer = client.read();
            assertThat(answer.status()).isEqualTo(200);
            assertThat(answer.closes()).isTrue();
            assertThat(client.readRest()).isEmpty();
        }
        Eventually.await("the upstream is at rest", () -> server.open() == 0);
        assertThat(SEEN.values())
                .hasSize(1)
                .allSatisfy(bytes -> assertThat(wholeRequests(text(bytes))).hasSize(1));
    }

    private static String text(ByteArrayOutputStream bytes) {
        return bytes.toString(StandardCharsets.ISO_8859_1);
    }

    /** Reads as strictly as an upstream could; fails on a head that is not well-formed, leaves out what is not whole. */
    private static List<String> wholeRequests(String bytes) {
        int end = bytes.indexOf("\r\n\r\n");
        if (end < 0) {
            return List.of();
        }
        String[] lines = bytes.substring(0, end).split("\r\n", -1);
        assertThat(lines[0]).matches(REQUEST_LINE);
        long framings = 0;
        int body = 0;
        for (int i = 1; i < lines.length; i++) {
            assertThat(lines[i]).matches(FIELD);
            String line = lines[i].toLowerCase(java.util.Locale.ROOT).replace('_', '-');
            if (line.startsWith("content-length: ")) {
                framings++;
                body = Integer.parseInt(line.substring(16));
            } else if (line.startsWith("transfer-encoding: ")) {
                framings++;
                assertThat(line).isEqualTo("transfer-encoding: chunked");
                body = chunkedLength(bytes.substring(end + 4));
            }
        }
        assertThat(framings).isLessThanOrEqualTo(1);
        int whole = end + 4 + body;
        if (body < 0 || bytes.length() < whole) {
            return List.of();
        }
        String first = bytes.substring(0, whole);
        List<String> rest = bytes.length() == whole ? List.of() : wholeRequests(bytes.substring(whole));
        return java.util.stream.Stream.concat(java.util.stream.Stream.of(first), rest.stream())
                .toList();
    }

    private static int chunkedLength(String bytes) {
        Pattern size = Pattern.compile("([0-9a-f]{1,8})\r\n");
        int at = 0;
        while (true) {
            Matcher next = size.matcher(bytes).region(at, bytes.length());
            if (!next.lookingAt()) {
                return -1;
            }
            int length = Integer.parseInt(next.group(1), 16);
            at = next.end() + length + 2;
            if (at > bytes.length()) {
                return -1;
            }
            if (length == 0) {
                return at;
            }
        }
    }
}
