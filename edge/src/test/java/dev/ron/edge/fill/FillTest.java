package dev.ron.edge.fill;

import static dev.ron.edge.fill.FillEdge.HOST;
import static dev.ron.edge.fill.FillEdge.header;
import static dev.ron.edge.fill.FillEdge.text;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.edge.Setup;
import dev.ron.edge.TestEdge;
import dev.ron.edge.digest.Blake3;
import dev.ron.http.client.Addresses;
import dev.ron.http.testing.RawClient;
import dev.ron.http.testing.TestCa;
import dev.ron.kernel.task.Backoff;
import dev.ron.kernel.testkit.Crew;
import dev.ron.kernel.testkit.Eventually;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Fills from a real HTTPS origin: what is brought, how often, and what is refused. */
class FillTest {
    private static final int MANY = 1000;

    @TempDir
    Path folder;

    private TestCa ca() throws IOException {
        return new TestCa(Files.createDirectories(folder.resolve("ca")));
    }

    private static Addresses loopback() {
        return (host, port, deadline) -> List.of(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    }

    private TestEdge edge(TestCa ca, Origin origin, String more) {
        return edge(ca, origin, more, loopback(), "private_nets = [\"127.0.0.0/8\"]");
    }

    private TestEdge edge(TestCa ca, Origin origin, String more, Addresses names, String nets) {
        String toml = """
            [edge]
            allow = ["%1$s:%2$d"]
            [edge.routes.o]
            prefix = "o/"
            base = "https://%1$s:%2$d/s/"
            query = ["v"]
            [edge.routes.other]
            prefix = "other/"
            base = "https://elsewhere.test/"
            [edge.ingress]
            rps_limit = 1000000
            max_inflight = 8
            timeout_secs = %6$d
            [edge.live_fill]
            ca_file = "%3$s"
            %4$s
            %5$s
            """.formatted(HOST, origin.port(), ca.roots, nets, more, more.contains("timeout_secs") ? 60 : 5);
        return new TestEdge(
                toml,
                new Setup(
                        "127.0.0.1",
                        0,
                        Optional.of(folder.resolve("data")),
                        false,
                        Optional.empty(),
                        Optional.of(names)),
                Backoff.Policy.DEFAULT);
    }

    private long blobs() throws IOException {
        Path store = folder.resolve("data/cas/b3");
        if (!Files.exists(store)) {
            return 0;
        }
        try (Stream<Path> files = Files.walk(store)) {
            return files.filter(Files::isRegularFile).count();
        }
    }

    @Test
    void aMissIsFetchedKeptAndThenAHitUnderItsDigest() throws Exception {
        TestCa ca = ca();
        try (Origin origin = new Origin(
                        ca, HOST, (head, out) -> out.write(Origin.ok("hello", "Content-Type", "text/plain")));
                TestEdge edge = edge(ca, origin, "")) {
            HttpResponse<byte[]> first = edge.get("/edge/assets/o/a.txt?x=1&v=2", "Cookie", "secret=1");
            assertThat(text(first)).isEqualTo("hello");
            assertThat(header(first, "Cache-Status")).isEqualTo("edge; fwd=miss; stored");
            String hex = Blake3.hash("hello".getBytes(StandardCharsets.UTF_8)).hex();
            assertThat(header(first, "ETag")).isEqualTo("\"b3:" + hex + "\"");
            HttpResponse<byte[]> second = edge.get("/edge/assets/o/a.txt?v=2");
            assertThat(header(second, "Cache-Status")).isEqualTo("edge; hit");
            assertThat(header(second, "Age")).isNotEmpty();
            assertThat(text(edge.get("/cas/b3/" + hex))).isEqualTo("hello");
            assertThat(edge.get("/edge/assets/o/a.txt?v=2", "Range", "bytes=1-3")
                            .body())
                    .hasSize(3);
            assertThat(origin.requests()).isEqualTo(1);
            String sent = origin.heads().getFirst();
            assertThat(sent)
                    .startsWith("GET /s/a.txt?v=2 HTTP/1.1\r\n")
                    .contains("CDN-Loop: " + CdnLoop.ID, "Accept-Encoding: identity");
            assertThat(sent).doesNotContain("secret");
            assertThat(edge.metrics())
                    .contains("edge_live_fill_success_total{host=\"origin.test\",service=\"edge\"} 1");
        }
    }

    // 1,000 requests for one missing object | the first of them leaves  ->  one fetch, everyone else served
    @Test
    void aThousandRequestsForOneMissingObjectMakeOneFetch() throws Exception {
        TestCa ca = ca();
        CountDownLatch release = new CountDownLatch(1);
        CountDownLatch asked = new CountDownLatch(1);
        try (Origin origin = new Origin(ca, HOST, (head, out) -> {
                    asked.countDown();
                    assertThat(release.await(60, TimeUnit.SECONDS)).isTrue();
                    out.write(Origin.ok("shared"));
                });
                TestEdge edge = edge(ca, origin, "timeout_secs = 60")) {
            RawClient leaver = edge.client().get("/edge/assets/o/one");
            assertThat(asked.await(30, TimeUnit.SECONDS)).isTrue();
            AtomicInteger right = new AtomicInteger();
            try (Crew crew = new Crew()) {
                for (int i = 0; i < MANY; i++) {
                    crew.addVirtual(() -> {
                        try (RawClient client = edge.client()) {
                            RawClient.Answer answer =
                                    client.get("/edge/assets/o/one").read();
                            if (answer.status() == 200 && answer.body().equals("shared")) {
                                right.incrementAndGet();
                            }
                        }
                    });
                }
                crew.go();
                Eventually.await(
                        "all wait", () -> edge.metrics().contains("edge_flight_waiters{service=\"edge\"} 1001"));
                leaver.leave();
                Eventually.await(
                        "one left", () -> edge.metrics().contains("edge_flight_waiters{service=\"edge\"} 1000"));
                release.countDown();
                crew.finish();
            }
            assertThat(right).hasValue(MANY);
            assertThat(origin.requests()).isEqualTo(1);
            assertThat(edge.metrics()).contains("edge_fill_coalesced_total{service=\"edge\"} 1000");
        }
    }

    @Test
    void anOriginThatIsBusyIsAskedThreeTimesAndNotMore() throws Exception {
        TestCa ca = ca();
        AtomicInteger calls = new AtomicInteger();
        byte[] busy = "HTTP/1.1 503 Busy\r\nContent-Length: 0\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
        try (Origin origin = new Origin(
                        ca,
                        HOST,
                        (head, out) -> out.write(
                                head.contains("/dead") || calls.incrementAndGet() < 3
                                        ? busy
                                        : Origin.ok("third time")));
                TestEdge edge = edge(ca, origin, "")) {
            assertThat(text(edge.get("/edge/assets/o/a"))).isEqualTo("third time");
            assertThat(edge.metrics()).contains("backoff_retries_total{op=\"live_fill\",service=\"edge\"} 2");
            int before = origin.requests();
            assertThat(edge.get("/edge/assets/o/dead").statusCode()).isEqualTo(503);
            assertThat(origin.requests() - before).isEqualTo(3);
            // the failure is remembered for a moment
            assertThat(edge.get("/edge/assets/o/dead").statusCode()).isEqualTo(503);
            assertThat(origin.requests() - before).isEqualTo(3);
        }
    }

    @Test
    void whatALyingOriginSendsIsNeverKept() throws Exception {
        TestCa ca = ca();
        try (Origin origin = new Origin(ca, HOST, (head, out) -> {
                    String path = head.split(" ", -1)[1];
                    switch (path) {
                        case "/s/weak" -> out.write(Origin.ok("x", "ETag", "W/\"1\""));
                        case "/s/untagged" ->
                            out.write("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx"
                                    .getBytes(StandardCharsets.US_ASCII));
                        case "/s/short" -> {
                            out.write("HTTP/1.1 200 OK\r\nETag: \"1\"\r\nContent-Length: 100\r\n\r\nx"
                                    .getBytes(StandardCharsets.US_ASCII));
                            out.flush();
                            throw new IOException("hang up");
                        }
                        case "/s/cut" -> {
                            out.write("HTTP/1.1 200 OK\r\nETag: \"1\"\r\n\r\nhal".getBytes(StandardCharsets.US_ASCII));
                            out.flush();
                            throw new IOException("hang up");
                        }
                        case "/s/large" -> out.write(Origin.ok("y".repeat(5000)));
                        case "/s/endless" -> {
                            out.write("HTTP/1.1 200 OK\r\nETag: \"1\"\r\nTransfer-Encoding: chunked\r\n\r\n"
                                    .getBytes(StandardCharsets.US_ASCII));
                            for (int i = 0; i < 100_000; i++) {
                                out.write("400\r\n".getBytes(StandardCharsets.US_ASCII));
                                out.write(new byte[1024]);
                                out.write("\r\n".getBytes(StandardCharsets.US_ASCII));
                            }
                        }
                        case "/s/secret" ->
                            out.write(("HTTP/1.1 200 OK\r\nETag: \"1\"\r\nCache-Control: private\r\n"
                                            + "Transfer-Encoding: chunked\r\n\r\n1388\r\n" + "y".repeat(5000)
                                            + "\r\n0\r\n\r\n")
                                    .getBytes(StandardCharsets.US_ASCII));
                        case "/s/moved" ->
                            out.write(
                                    "HTTP/1.1 302 Found\r\nLocation: https://169.254.169.254/\r\nContent-Length: 0\r\n\r\n"
                                            .getBytes(StandardCharsets.US_ASCII));
                        case "/s/packed" -> out.write(Origin.ok("zzz", "Content-Encoding", "gzip"));
                        case "/s/garbage" -> out.write("ICY 200 what\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
                        default ->
                            out.write(
                                    "HTTP/1.1 404 No\r\nContent-Length: 0\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
                    }
                });
                TestEdge edge = edge(ca, origin, "max_object_bytes = \"4KiB\"")) {
            String[][] cases = {
                {"weak", "502", "etag_invalid"},
                {"untagged", "502", "etag_invalid"},
                {"short", "502", "upstream_protocol"},
                {"large", "502", "too_large"},
                {"endless", "502", "too_large"},
                {"secret", "502", "too_large"},
                {"moved", "502", "redirect"},
                {"packed", "502", "upstream"},
                {"garbage", "502", "upstream_protocol"},
                {"none", "404", "not_found"},
            };
            for (String[] one : cases) {
                HttpResponse<byte[]> answer = edge.get("/edge/assets/o/" + one[0]);
                assertThat(answer.statusCode()).as(one[0]).isEqualTo(Integer.parseInt(one[1]));
                assertThat(text(answer)).as(one[0]).contains("\"reason\":\"" + one[2] + "\"");
                assertThat(header(answer, "Access-Control-Allow-Origin")).isEqualTo("*");
            }
            // Whoever waits gets what came, without a promise that it is all of it.
            assertThat(header(edge.get("/edge/assets/o/cut"), "Cache-Control")).isEqualTo("no-store");
            assertThat(blobs()).isZero();
            try (Stream<Path> left = Files.list(folder.resolve("data/cas/tmp"))) {
                assertThat(left).isEmpty();
            }
        }
    }

    @Test
    void onlyAllowedHostsAtPublicAddressesAreDialled() throws Exception {
        TestCa ca = ca();
        AtomicInteger lookUps = new AtomicInteger();
        // Says a public address beside a private one, and only the private one later: rebinding.
        Addresses rebinding = (host, port, deadline) -> lookUps.incrementAndGet() == 1
                ? List.of(address("93.184.216.34", port), address("127.0.0.1", port))
                : List.of(address("127.0.0.1", port));
        try (Origin origin = new Origin(ca, HOST, (head, out) -> out.write(Origin.ok("inside")));
                TestEdge edge = edge(ca, origin, "", rebinding, "")) {
            for (String path : new String[] {"/edge/assets/o/a", "/edge/assets/o/b", "/edge/assets/other/c"}) {
                HttpResponse<byte[]> answer = edge.get(path);
                assertThat(answer.statusCode()).as(path).isEqualTo(403);
                assertThat(text(answer)).contains("\"reason\":\"not_allowed\"");
            }
            assertThat(origin.requests()).isZero();
            assertThat(lookUps).hasValue(2);
            assertThat(edge.get("/edge/assets/o/a", "CDN-Loop", "other, " + CdnLoop.ID)
                            .statusCode())
                    .isEqualTo(508);
        }
    }

    private static InetSocketAddress address(String text, int port) {
        return new InetSocketAddress(text, port);
    }

    @Test
    void whoCannotWaitIsToldToComeBack() throws Exception {
        TestCa ca = ca();
        try (Origin origin = new Origin(ca, HOST, (head, out) -> out.write(Origin.ok("later")));
                TestEdge edge = edge(ca, origin, "")) {
            HttpResponse<byte[]> accepted = edge.get("/edge/assets/o/a?v=2", "Prefer", "respond-async");
            assertThat(accepted.statusCode()).isEqualTo(202);
            assertThat(header(accepted, "Location")).isEqualTo("/edge/assets/o/a?v=2");
            assertThat(header(accepted, "Preference-Applied")).isEqualTo("respond-async");
            assertThat(header(accepted, "Retry-After")).isEqualTo("1");
            Eventually.await(
                    "it is here",
                    () -> header(edge.get(header(accepted, "Location")), "Cache-Status")
                            .equals("edge; hit"));
            assertThat(origin.requests()).isEqualTo(1);
        }
    }

    @Test
    void whatMustNotBeKeptIsOnlyPassedOn() throws Exception {
        TestCa ca = ca();
        try (Origin origin =
                        new Origin(ca, HOST, (head, out) -> out.write(Origin.ok("mine", "Cache-Control", "private")));
                TestEdge edge = edge(ca, origin, "")) {
            for (int i = 0; i < 2; i++) {
                HttpResponse<byte[]> answer = edge.get("/edge/assets/o/a");
                assertThat(text(answer)).isEqualTo("mine");
                assertThat(header(answer, "Cache-Control")).isEqualTo("no-store");
            }
            assertThat(origin.requests()).isEqualTo(2);
            assertThat(blobs()).isZero();
        }
    }

    @Test
    void aFullQueueIsToldAtOnceAndAFillOutlivesItsWaiters() throws Exception {
        TestCa ca = ca();
        CountDownLatch release = new CountDownLatch(1);
        try (Origin origin = new Origin(ca, HOST, (head, out) -> {
                    assertThat(release.await(60, TimeUnit.SECONDS)).isTrue();
                    out.write(Origin.ok("slow"));
                });
                TestEdge edge = edge(ca, origin, "timeout_secs = 60\nrps = 100000\nburst = 100000")) {
            edge.get("/edge/assets/o/first", "Prefer", "respond-async");
            Eventually.await("a worker has it", () -> origin.requests() == 1);
            int accepted = 0;
            HttpResponse<byte[]> answer;
            do {
                answer = edge.get("/edge/assets/o/n" + accepted, "Prefer", "respond-async");
                accepted++;
            } while (answer.statusCode() == 202 && accepted < 2000 && !full(edge));
            for (String preference : List.of("wait=60", "respond-async", "respond-async, wait=60")) {
                HttpResponse<byte[]> refused = edge.get("/edge/assets/o/refused", "Prefer", preference);
                assertThat(refused.statusCode()).as(preference).isEqualTo(429);
                assertThat(header(refused, "Retry-After")).isEqualTo("1");
                assertThat(text(refused)).contains("\"reason\":\"busy\"");
            }
            // A fetch that is under way can be waited for: it needs no place in the queue.
            assertThat(edge.get("/edge/assets/o/first", "Prefer", "respond-async")
                            .statusCode())
                    .isEqualTo(202);
            assertThat(edge.metrics())
                    .contains("busy_rejections_total{endpoint=\"/edge/assets\",service=\"edge\"}")
                    .contains("queue_dropped_total{queue=\"work\",service=\"edge\"}");
            release.countDown();
            // Nobody waits for it any more, and yet it lands.
            Eventually.await(
                    "it is here",
                    () -> header(edge.get("/edge/assets/o/first"), "Cache-Status")
                            .equals("edge; hit"));
        }
    }

    @Test
    void overTheRateOfFillsNobodyIsPromisedOne() throws Exception {
        TestCa ca = ca();
        try (Origin origin = new Origin(ca, HOST, (head, out) -> out.write(Origin.ok("slow")));
                TestEdge edge = edge(ca, origin, "rps = 1\nburst = 1")) {
            int refused = 0;
            for (int i = 0; i < 20 && refused == 0; i++) {
                HttpResponse<byte[]> answer = edge.get("/edge/assets/o/" + i, "Prefer", "respond-async");
                if (answer.statusCode() != 202) {
                    refused++;
                    assertThat(answer.statusCode()).isEqualTo(429);
                    assertThat(text(answer)).contains("\"reason\":\"rate_limit\"");
                }
            }
            assertThat(refused).isEqualTo(1);
        }
    }

    private static boolean full(TestEdge edge) {
        return edge.metrics().contains("queue_depth{queue=\"work\",service=\"edge\"} 512");
    }
}
