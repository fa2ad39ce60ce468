package dev.ron.edge.fill;

import static dev.ron.edge.fill.FillEdge.HOST;
import static dev.ron.edge.fill.FillEdge.text;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.edge.TestEdge;
import dev.ron.http.message.Headers;
import dev.ron.http.testing.RawClient;
import dev.ron.http.testing.TestCa;
import dev.ron.kernel.error.Code;
import dev.ron.kernel.testkit.Eventually;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The one field of a caller that an origin sees is passed on, and takes nothing from anyone else. */
@Timeout(120)
class CdnLoopTest {
    private static final String GRACE = "default_ttl_secs = 0\nmin_ttl_secs = 0\nstale_if_error_secs = 3600";

    @TempDir
    Path folder;

    private TestCa ca() throws Exception {
        return new TestCa(Files.createDirectories(folder.resolve("ca")));
    }

    private TestEdge edge(TestCa ca, Origin origin) {
        return FillEdge.start(origin, ca, folder.resolve("data"), "timeout_secs = 60", GRACE);
    }

    private static byte[] refusal(int status) {
        return ("HTTP/1.1 " + status + " No\r\nContent-Length: 0\r\n\r\n").getBytes(StandardCharsets.US_ASCII);
    }

    @Test
    void whoElseHandedItOnIsTold() throws Exception {
        TestCa ca = ca();
        try (Origin origin = new Origin(ca, HOST, (head, out) -> out.write(Origin.ok("one")));
                TestEdge edge = edge(ca, origin)) {
            assertThat(edge.get("/edge/assets/o/a", "CDN-Loop", "other").statusCode())
                    .isEqualTo(200);
            assertThat(origin.heads().getLast()).contains("\r\nCDN-Loop: other, " + CdnLoop.ID + "\r\n");
        }
    }

    // a stale object, an origin that takes heads of 8 KiB | a caller with a field of 9,000 bytes  ->  it is refused,
    // and nobody else
    @Test
    void aFieldThatAnOriginWouldRefuseTakesNoObjectAway() throws Exception {
        TestCa ca = ca();
        try (Origin origin = new Origin(
                        ca, HOST, (head, out) -> out.write(head.length() > 8192 ? refusal(400) : Origin.ok("one")));
                TestEdge edge = edge(ca, origin)) {
            assertThat(text(edge.get("/edge/assets/o/a"))).isEqualTo("one");
            HttpResponse<byte[]> refused = edge.get("/edge/assets/o/a", "CDN-Loop", "x".repeat(9000));
            assertThat(refused.statusCode()).isEqualTo(431);
            assertThat(text(refused)).contains("CDN-Loop has 9000 bytes (expected: at most 256)");
            HttpResponse<byte[]> after = edge.get("/edge/assets/o/a");
            assertThat(after.statusCode()).isEqualTo(200);
            assertThat(text(after)).isEqualTo("one");
            assertThat(origin.requests()).isEqualTo(2);
        }
    }

    // a stale object | the origin finds fault with one request  ->  the object stays, and the next one is asked for
    @Test
    void aFaultFoundWithARequestIsNotRememberedOfTheObject() throws Exception {
        TestCa ca = ca();
        AtomicInteger status = new AtomicInteger(200);
        try (Origin origin = new Origin(
                        ca,
                        HOST,
                        (head, out) -> out.write(status.get() == 200 ? Origin.ok("one") : refusal(status.get())));
                TestEdge edge = edge(ca, origin)) {
            for (int said : List.of(400, 413, 414, 431)) {
                String path = "/edge/assets/o/" + said;
                status.set(said);
                HttpResponse<byte[]> unknown = edge.get(path);
                assertThat(unknown.statusCode()).isEqualTo(502);
                assertThat(text(unknown)).contains("\"reason\":\"upstream_request\"");
                status.set(200);
                assertThat(text(edge.get(path))).as("after %d", said).isEqualTo("one");
                status.set(said);
                assertThat(text(edge.get(path))).as("while %d", said).isEqualTo("one");
            }
            assertThat(origin.requests()).isEqualTo(12);
        }
    }

    // a stale object, an origin that takes a name for its own | a caller with that name, in whatever way it is refused
    // ->
    // the object stays, nothing is remembered of it
    @Test
    void whatIsTakenForALoopIsNotRememberedOfTheObject() throws Exception {
        TestCa ca = ca();
        AtomicInteger said = new AtomicInteger();
        try (Origin origin = new Origin(
                        ca,
                        HOST,
                        (head, out) ->
                                out.write(head.contains("CDN-Loop: theirs") ? refusal(said.get()) : Origin.ok("one")));
                TestEdge edge = edge(ca, origin)) {
            for (int status : List.of(508, 502, 503, 403)) {
                said.set(status);
                String path = "/edge/assets/o/" + status;
                assertThat(edge.get(path, "CDN-Loop", "theirs").statusCode()).isIn(502, 503);
                assertThat(text(edge.get(path))).as("after %d", status).isEqualTo("one");
                assertThat(text(edge.get(path, "CDN-Loop", "theirs")))
                        .as("stale while %d", status)
                        .isEqualTo("one");
                assertThat(edge.get(path).headers().firstValue("Cache-Status").orElse(""))
                        .as("asked about after %d", status)
                        .startsWith("edge; fwd=stale");
            }
        }
    }

    // a caller whose CDN-Loop the origin refuses waits for it | another comes without one  ->  it is asked for apart
    @Test
    void whoCameWithoutOneSharesNoAnswerWithOneThatIsRefused() throws Exception {
        TestCa ca = ca();
        CountDownLatch both = new CountDownLatch(2);
        try (Origin origin = new Origin(ca, HOST, (head, out) -> {
                    both.countDown();
                    assertThat(both.await(30, TimeUnit.SECONDS)).isTrue();
                    out.write(head.contains("CDN-Loop: theirs") ? refusal(508) : Origin.ok("one"));
                });
                TestEdge edge = edge(ca, origin);
                RawClient marked = edge.client()) {
            marked.send("GET /edge/assets/o/a HTTP/1.1\r\nHost: x\r\nCDN-Loop: theirs\r\n\r\n");
            Eventually.await("the origin is asked", () -> both.getCount() == 1);
            assertThat(text(edge.get("/edge/assets/o/a"))).isEqualTo("one");
            assertThat(marked.read().status()).isEqualTo(502);
        }
    }

    // another RON edge stands between us and the origin  ->  it is not taken for us
    @Test
    void onlyThisVeryProcessIsALoop() {
        assertThat(CdnLoop.ID).matches("ron-edge-[0-9a-f]{8}");
        assertThat(CdnLoop.refusal(Headers.of("CDN-Loop", "ron-edge, ron-edge-00000000x")))
                .isEmpty();
    }

    @Test
    void onlyAShortListOfNamesIsPassedOn() {
        for (String good : List.of(
                "",
                "cdn",
                "one, two.example:8080 ,[::1]:443",
                "cdn; v=1; note=\"a, \\\"b\\\"\", other",
                ", ,x",
                "x".repeat(256))) {
            assertThat(CdnLoop.refusal(Headers.of("CDN-Loop", good))).as(good).isEmpty();
        }
        for (String bad : List.of("a b", "<x>", "a;", "a;v", "a;v=\"open", "a\u00e4", "a/b", "http://x")) {
            assertThat(CdnLoop.refusal(Headers.of("CDN-Loop", bad))
                            .orElseThrow()
                            .code())
                    .as(bad)
                    .isEqualTo(Code.BAD_REQUEST);
        }
        for (String ours : List.of(
                CdnLoop.ID, "a, " + CdnLoop.ID.toUpperCase(Locale.ROOT) + ";v=1", "a ," + CdnLoop.ID + " , b")) {
            assertThat(CdnLoop.refusal(Headers.of("CDN-Loop", ours))
                            .orElseThrow()
                            .code())
                    .as(ours)
                    .isEqualTo(Code.LOOP);
        }
        Headers two = Headers.of("CDN-Loop", "x".repeat(128), "CDN-Loop", "y".repeat(128));
        assertThat(CdnLoop.refusal(two).orElseThrow().code()).isEqualTo(Code.HEADER_CAP);
    }
}
