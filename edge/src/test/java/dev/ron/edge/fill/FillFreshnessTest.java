package dev.ron.edge.fill;

import static dev.ron.edge.fill.FillEdge.HOST;
import static dev.ron.edge.fill.FillEdge.header;
import static dev.ron.edge.fill.FillEdge.text;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.edge.TestEdge;
import dev.ron.http.testing.TestCa;
import dev.ron.kernel.testkit.Eventually;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** For how long what was brought is good, and what is asked and served when it no longer is. */
@Timeout(120)
class FillFreshnessTest {
    @TempDir
    Path folder;

    private TestCa ca() throws Exception {
        return new TestCa(Files.createDirectories(folder.resolve("ca")));
    }

    private TestEdge edge(TestCa ca, Origin origin, String fill) {
        return FillEdge.start(origin, ca, folder.resolve("data"), "timeout_secs = 60", fill);
    }

    @Test
    void whatAnOriginSaysOfAgeAndFreshnessIsBelieved() throws Exception {
        TestCa ca = ca();
        String[][] cases = {
            {"fresh", "Cache-Control", "max-age=1000", "Age", "100"},
            {"old", "Cache-Control", "max-age=1000", "Age", "1000"},
            {"unknown", "Cache-Control", "max-age=1000", "Age", "soon"},
            {"asked", "Cache-Control", "max-age=1000, no-cache", "Vary", "Accept"},
            {"dated", "Expires", "Mon, 02 Nov 2026 10:00:00 GMT", "Date", "Mon, 02 Nov 2026 09:00:00 GMT"},
            {"over", "Expires", "0", "Date", "Mon, 02 Nov 2026 09:00:00 GMT"},
        };
        try (Origin origin = new Origin(ca, HOST, (head, out) -> {
                    for (String[] one : cases) {
                        if (head.startsWith("GET /" + one[0] + " ")) {
                            out.write(Origin.ok(one[0], one[1], one[2], one[3], one[4]));
                        }
                    }
                });
                TestEdge edge = edge(ca, origin, "min_ttl_secs = 0\nmax_ttl_secs = 86400")) {
            for (String[] one : cases) {
                String path = "/edge/assets/o/" + one[0];
                edge.get(path);
                HttpResponse<byte[]> again = edge.get(path);
                boolean kept = one[0].equals("fresh") || one[0].equals("dated");
                assertThat(header(again, "Cache-Status").equals("edge; hit"))
                        .as(one[0])
                        .isEqualTo(kept);
            }
            HttpResponse<byte[]> whole = edge.get("/edge/assets/o/fresh");
            HttpResponse<byte[]> part = edge.get("/edge/assets/o/fresh", "Range", "bytes=1-2");
            HttpResponse<byte[]> same = edge.get("/edge/assets/o/fresh", "If-None-Match", header(whole, "ETag"));
            assertThat(List.of(whole.statusCode(), part.statusCode(), same.statusCode()))
                    .containsExactly(200, 206, 304);
            for (HttpResponse<byte[]> answer : List.of(whole, part, same)) {
                assertThat(header(answer, "Age")).as("%s", answer).isNotEmpty();
                assertThat(Integer.parseInt(header(answer, "Age"))).isBetween(100, 200);
            }
        }
    }

    @Test
    void callersMayKeepAnObjectAsLongAsItIsFreshHere() throws Exception {
        TestCa ca = ca();
        Map<String, List<String>> said = Map.of(
                "aged", List.of("max-age=86400", "4000", "public, max-age=86400"),
                "short", List.of("max-age=60", "0", "public, max-age=60"),
                "must", List.of("max-age=600, must-revalidate", "0", "public, max-age=600, must-revalidate"),
                "asked", List.of("no-cache", "0", "no-cache"),
                "asked-aged", List.of("max-age=600, no-cache", "100", "no-cache"),
                "over", List.of("max-age=100", "100", "no-cache"),
                "silent", List.of("public", "0", "public, max-age=3600"));
        try (Origin origin = new Origin(ca, HOST, (head, out) -> {
                    List<String> one =
                            requireNonNull(said.get(head.substring("GET /".length(), head.indexOf(" HTTP"))));
                    out.write(Origin.ok("one", "Cache-Control", one.get(0), "Age", one.get(1)));
                });
                TestEdge edge = edge(ca, origin, "min_ttl_secs = 0")) {
            said.forEach((name, one) -> {
                for (int again = 0; again < 2; again++) {
                    HttpResponse<byte[]> answer = edge.get("/edge/assets/o/" + name);
                    assertThat(header(answer, "Cache-Control")).as(name).isEqualTo(one.get(2));
                    int age = Integer.parseInt(one.get(1));
                    assertThat(Integer.parseInt(header(answer, "Age"))).as(name).isBetween(age, age + 60);
                }
            });
        }
    }

    @Test
    void anOperatorsOwnLifetimeCountsFromNow() throws Exception {
        TestCa ca = ca();
        try (Origin origin = new Origin(
                        ca,
                        HOST,
                        (head, out) -> out.write(
                                Origin.ok("one", "Cache-Control", "max-age=86400, must-revalidate", "Age", "4000")));
                TestEdge edge = edge(ca, origin, """
                        [edge.routes.p]
                        prefix = "p/"
                        base = "https://%s:%d/"
                        cache_control = "public, max-age=60"
                        """.formatted(HOST, origin.port()))) {
            HttpResponse<byte[]> answer = edge.get("/edge/assets/p/a");
            assertThat(header(answer, "Cache-Control")).isEqualTo("public, max-age=60");
            assertThat(answer.headers().firstValue("Age")).isEmpty();
        }
    }

    // an origin that says "not modified" of something else  ->  refused, and what was here stays as it was
    @Test
    void aNotModifiedUnderAnotherTagIsRefused() throws Exception {
        TestCa ca = ca();
        try (Origin origin = new Origin(ca, HOST, (head, out) -> {
                    String tag = head.contains("/same") ? "W/\"v1\"" : head.contains("/bare") ? "" : "\"v2\"";
                    String field = tag.isEmpty() ? "" : "ETag: " + tag + "\r\n";
                    out.write(
                            head.contains("If-None-Match: \"v1\"")
                                    ? ("HTTP/1.1 304 Same\r\n" + field + "\r\n").getBytes(StandardCharsets.US_ASCII)
                                    : Origin.ok("one"));
                });
                TestEdge edge = edge(ca, origin, "default_ttl_secs = 0\nmin_ttl_secs = 0")) {
            for (String name : List.of("same", "bare", "other")) {
                assertThat(text(edge.get("/edge/assets/o/" + name))).isEqualTo("one");
            }
            assertThat(text(edge.get("/edge/assets/o/same"))).isEqualTo("one");
            assertThat(text(edge.get("/edge/assets/o/bare"))).isEqualTo("one");
            HttpResponse<byte[]> refused = edge.get("/edge/assets/o/other");
            assertThat(refused.statusCode()).isEqualTo(502);
            assertThat(text(refused)).contains("\"reason\":\"etag_invalid\"");
        }
    }

    @Test
    void aStaleObjectIsAskedAboutAndServedWhileTheOriginFails() throws Exception {
        TestCa ca = ca();
        AtomicInteger phase = new AtomicInteger();
        try (Origin origin = new Origin(ca, HOST, (head, out) -> {
                    switch (phase.get()) {
                        case 0 -> out.write(Origin.ok("one"));
                        case 1 ->
                            out.write("HTTP/1.1 304 Same\r\nETag: \"v1\"\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
                        default ->
                            out.write("HTTP/1.1 500 Down\r\nContent-Length: 0\r\n\r\n"
                                    .getBytes(StandardCharsets.US_ASCII));
                    }
                });
                TestEdge edge =
                        edge(ca, origin, "default_ttl_secs = 0\nmin_ttl_secs = 0\nstale_if_error_secs = 3600")) {
            assertThat(text(edge.get("/edge/assets/o/a"))).isEqualTo("one");
            phase.set(1);
            HttpResponse<byte[]> same = edge.get("/edge/assets/o/a");
            assertThat(text(same)).isEqualTo("one");
            assertThat(header(same, "Cache-Status")).startsWith("edge; fwd=stale");
            assertThat(origin.heads().getLast()).contains("If-None-Match: \"v1\"");
            phase.set(2);
            HttpResponse<byte[]> stale = edge.get("/edge/assets/o/a");
            assertThat(text(stale)).isEqualTo("one");
            assertThat(header(stale, "Cache-Status")).isEqualTo("edge; fwd=stale");
            HttpResponse<byte[]> remembered = edge.get("/edge/assets/o/a");
            assertThat(text(remembered)).isEqualTo("one");
            assertThat(header(remembered, "Cache-Status")).startsWith("edge; hit; ttl=-");
            assertThat(origin.requests()).isEqualTo(3);
        }
    }

    // an object that is stale | the store evicted it, or its file was taken away  ->  all of it is fetched again
    @Test
    void whatIsStaleAndNoLongerInTheStoreIsFetchedAgain() throws Exception {
        TestCa ca = ca();
        String large = "x".repeat(700_000); // the store holds one of them
        try (Origin origin = new Origin(ca, HOST, (head, out) -> {
                    byte[] whole = Origin.ok(large + head.charAt("GET /".length()));
                    boolean asked = head.contains("If-None-Match: \"v1\"");
                    out.write(asked ? "HTTP/1.1 304 Same\r\n\r\n".getBytes(StandardCharsets.US_ASCII) : whole);
                });
                TestEdge edge =
                        edge(ca, origin, "default_ttl_secs = 0\nmin_ttl_secs = 0\n[edge.cas]\nmax_bytes = \"1MiB\"")) {
            for (String name : List.of("a", "b", "a")) {
                assertThat(text(edge.get("/edge/assets/o/" + name))).isEqualTo(large + name);
            }
            assertThat(origin.requests()).isEqualTo(3);
            assertThat(origin.heads().getLast()).doesNotContain("If-None-Match");

            try (Stream<Path> files = Files.walk(folder.resolve("data/cas/b3"))) {
                for (Path blob : files.filter(Files::isRegularFile).toList()) {
                    Files.delete(blob);
                }
            }
            assertThat(text(edge.get("/edge/assets/o/a"))).isEqualTo(large + "a");
            assertThat(origin.heads().get(3)).contains("If-None-Match");
            assertThat(origin.heads().getLast()).doesNotContain("If-None-Match");
        }
    }

    // a stale object within its grace | many ask  ->  all get it at once, one fetch is made behind them
    @Test
    void aStaleObjectIsServedWhileItIsFetchedAgain() throws Exception {
        TestCa ca = ca();
        CountDownLatch release = new CountDownLatch(1);
        AtomicInteger asked = new AtomicInteger();
        try (Origin origin = new Origin(ca, HOST, (head, out) -> {
                    boolean first = asked.incrementAndGet() == 1;
                    assertThat(first || release.await(60, TimeUnit.SECONDS)).isTrue();
                    out.write(
                            first
                                    ? Origin.ok("one")
                                    : Origin.ok("two", "ETag", "\"v2\"", "Cache-Control", "max-age=900"));
                });
                TestEdge edge = edge(
                        ca, origin, "timeout_secs = 60\ndefault_ttl_secs = 0\nmin_ttl_secs = 0\nswr_secs = 3600")) {
            assertThat(text(edge.get("/edge/assets/o/a"))).isEqualTo("one");
            for (int i = 0; i < 5; i++) {
                HttpResponse<byte[]> stale = edge.get("/edge/assets/o/a");
                assertThat(text(stale)).isEqualTo("one");
                assertThat(header(stale, "Cache-Status")).startsWith("edge; hit; ttl=-");
            }
            release.countDown();
            Eventually.await(
                    "the new one", () -> text(edge.get("/edge/assets/o/a")).equals("two"));
            assertThat(header(edge.get("/edge/assets/o/a"), "Cache-Status")).isEqualTo("edge; hit");
            assertThat(origin.requests()).isEqualTo(2);
        }
    }

    // a stale object within its grace | a request that has been here before  ->  it gets it, and nothing is fetched
    @Test
    void aRequestThatMayNotFetchDoesNotRefreshEither() throws Exception {
        TestCa ca = ca();
        try (Origin origin = new Origin(ca, HOST, (head, out) -> out.write(Origin.ok("one")));
                TestEdge edge = edge(ca, origin, "default_ttl_secs = 0\nmin_ttl_secs = 0\nswr_secs = 3600")) {
            assertThat(text(edge.get("/edge/assets/o/a"))).isEqualTo("one");
            assertThat(text(edge.get("/edge/assets/o/a", "CDN-Loop", "other, " + CdnLoop.ID)))
                    .isEqualTo("one");
            assertThat(text(edge.get("/edge/assets/o/b"))).isEqualTo("one"); // by now the other would be there too
            assertThat(origin.heads()).hasSize(2);
        }
    }

    // an origin that forbids it, and one that says nothing of it | it fails  ->  the one's failure, the other's object
    @Test
    void whatMustBeAskedAboutIsNotServedWhileTheOriginFails() throws Exception {
        TestCa ca = ca();
        AtomicBoolean down = new AtomicBoolean();
        Map<String, String> said = Map.of(
                "/plain ", "max-age=0",
                "/must ", "max-age=0, must-revalidate",
                "/proxy ", "max-age=0, Proxy-Revalidate",
                "/shared ", "s-maxage=0",
                "/asked ", "no-cache");
        String grace = "min_ttl_secs = 0\nstale_if_error_secs = 3600\nswr_secs = 0";
        try (Origin origin = new Origin(ca, HOST, (head, out) -> {
                    for (Map.Entry<String, String> one : said.entrySet()) {
                        if (head.startsWith("GET " + one.getKey())) {
                            out.write(
                                    down.get()
                                            ? "HTTP/1.1 500 Down\r\nContent-Length: 0\r\n\r\n"
                                                    .getBytes(StandardCharsets.US_ASCII)
                                            : Origin.ok("one", "Cache-Control", one.getValue()));
                        }
                    }
                });
                TestEdge edge = edge(ca, origin, grace)) {
            for (String name : List.of("plain", "must", "proxy", "shared", "asked")) {
                down.set(false);
                assertThat(text(edge.get("/edge/assets/o/" + name))).isEqualTo("one");
                down.set(true);
                assertThat(edge.get("/edge/assets/o/" + name).statusCode())
                        .as(name)
                        .isEqualTo(name.equals("plain") ? 200 : 502);
            }
        }
    }

    // a stale object that may be served | the origin refuses it, or fails  ->  the one takes it away, the other not
    @Test
    void whatTheOriginTookBackIsNotServedAnyMore() throws Exception {
        TestCa ca = ca();
        AtomicInteger status = new AtomicInteger(200);
        try (Origin origin = new Origin(
                        ca,
                        HOST,
                        (head, out) -> out.write(
                                status.get() == 200
                                        ? Origin.ok("one")
                                        : ("HTTP/1.1 " + status + " No\r\nContent-Length: 0\r\n\r\n")
                                                .getBytes(StandardCharsets.US_ASCII)));
                TestEdge edge =
                        edge(ca, origin, "default_ttl_secs = 0\nmin_ttl_secs = 0\nstale_if_error_secs = 3600")) {
            for (int said : List.of(401, 403, 451, 408, 429, 500)) {
                status.set(200);
                assertThat(text(edge.get("/edge/assets/o/" + said))).isEqualTo("one");
                status.set(said);
                boolean passes = said == 408 || said == 429 || said == 500;
                for (int i = 0; i < 2; i++) { // the second finds what is remembered of the first
                    HttpResponse<byte[]> answer = edge.get("/edge/assets/o/" + said);
                    assertThat(answer.statusCode()).as("%d", said).isEqualTo(passes ? 200 : 502);
                    assertThat(text(answer)).contains(passes ? "one" : "\"reason\":\"upstream_refused\"");
                }
            }
        }
    }

    // a stale object within its grace | the origin now forbids to keep it  ->  the old one is not served for long
    @Test
    void whatMustNoLongerBeKeptIsNotServedFromBefore() throws Exception {
        TestCa ca = ca();
        AtomicBoolean secret = new AtomicBoolean();
        try (Origin origin = new Origin(
                        ca,
                        HOST,
                        (head, out) -> out.write(
                                secret.get() ? Origin.ok("two", "Cache-Control", "no-store") : Origin.ok("one")));
                TestEdge edge = edge(ca, origin, "default_ttl_secs = 0\nmin_ttl_secs = 0\nswr_secs = 3600")) {
            assertThat(text(edge.get("/edge/assets/o/a"))).isEqualTo("one");
            secret.set(true);
            Eventually.await(
                    "the new one", () -> text(edge.get("/edge/assets/o/a")).equals("two"));
        }
    }

    // what an origin said with the object | "not modified" that says nothing, or only some of it  ->  the rest stays
    @Test
    void aNotModifiedChangesOnlyWhatItSays() throws Exception {
        TestCa ca = ca();
        String tomorrow = "Tue, 03 Nov 2026 10:00:00 GMT";
        String today = "Mon, 02 Nov 2026 10:00:00 GMT";
        // name, fields of the object, fields of the "not modified", how often five requests reach the origin
        String[][] cases = {
            {"ask", "Cache-Control: no-cache", "", "5"},
            {"short", "Cache-Control: max-age=0, must-revalidate", "", "5"},
            {"shorter", "Cache-Control: max-age=0", "Expires: " + tomorrow + "\r\nDate: " + today, "5"},
            {"past", "Expires: 0", "", "5"},
            {"now", "Cache-Control: no-cache", "Cache-Control: max-age=900", "2"},
            {"later", "Expires: 0", "Expires: " + tomorrow + "\r\nDate: " + today, "2"},
        };
        try (Origin origin = new Origin(ca, HOST, (head, out) -> {
                    for (String[] one : cases) {
                        if (head.startsWith("GET /" + one[0] + " ")) {
                            boolean asked = head.contains("If-None-Match: \"v1\"");
                            String said = asked ? one[2] : one[1];
                            out.write(((asked
                                                    ? "HTTP/1.1 304 Same\r\n"
                                                    : "HTTP/1.1 200 OK\r\nETag: \"v1\"\r\nContent-Length: 3\r\n")
                                            + (said.isEmpty() ? "" : said + "\r\n")
                                            + (asked ? "\r\n" : "\r\none"))
                                    .getBytes(StandardCharsets.US_ASCII));
                        }
                    }
                });
                TestEdge edge = edge(ca, origin, "min_ttl_secs = 0")) {
            for (String[] one : cases) {
                int before = origin.requests();
                for (int i = 0; i < 5; i++) {
                    assertThat(text(edge.get("/edge/assets/o/" + one[0]))).isEqualTo("one");
                }
                assertThat(origin.requests() - before).as(one[0]).isEqualTo(Integer.parseInt(one[3]));
            }
        }
    }

    // an object that may be kept | "not modified", and that it no longer may  ->  who waits gets it, then it is gone
    @Test
    void aNotModifiedThatForbidsToKeepItIsTheEndOfTheObject() throws Exception {
        TestCa ca = ca();
        for (String said : List.of("no-store", "private")) {
            AtomicBoolean down = new AtomicBoolean();
            String same = "HTTP/1.1 304 Same\r\nCache-Control: " + said + "\r\n\r\n";
            try (Origin origin = new Origin(
                            ca,
                            HOST,
                            (head, out) -> out.write(
                                    down.get()
                                            ? "HTTP/1.1 500 Down\r\nContent-Length: 0\r\n\r\n"
                                                    .getBytes(StandardCharsets.US_ASCII)
                                            : head.contains("If-None-Match")
                                                    ? same.getBytes(StandardCharsets.US_ASCII)
                                                    : Origin.ok("one")));
                    TestEdge edge =
                            edge(ca, origin, "default_ttl_secs = 0\nmin_ttl_secs = 0\nstale_if_error_secs = 3600")) {
                assertThat(text(edge.get("/edge/assets/o/" + said))).isEqualTo("one");
                HttpResponse<byte[]> last = edge.get("/edge/assets/o/" + said);
                assertThat(text(last)).isEqualTo("one");
                assertThat(header(last, "Cache-Control")).isEqualTo("no-store");
                down.set(true);
                assertThat(edge.get("/edge/assets/o/" + said).statusCode()).isEqualTo(502);
                assertThat(edge.service().index().size()).isZero();
            }
        }
    }
}
