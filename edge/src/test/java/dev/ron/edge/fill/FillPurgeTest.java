package dev.ron.edge.fill;

import static dev.ron.edge.fill.FillEdge.HOST;
import static dev.ron.edge.fill.FillEdge.header;
import static dev.ron.edge.fill.FillEdge.text;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.edge.TestEdge;
import dev.ron.http.testing.RawClient;
import dev.ron.http.testing.TestCa;
import dev.ron.kernel.task.Backoff;
import dev.ron.kernel.testkit.Eventually;
import dev.ron.kernel.time.Clock;
import dev.ron.kernel.time.Deadline;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What was purged is gone, whatever was under way. */
@Timeout(120)
class FillPurgeTest {
    @TempDir
    Path folder;

    private TestEdge edge(TestCa ca, Origin origin, String fill) {
        return FillEdge.start(origin, ca, folder.resolve("data"), "timeout_secs = 60", "timeout_secs = 60\n" + fill);
    }

    private static int purge(TestEdge edge) {
        return edge.service().index().purge(key -> true, Deadline.after(Clock.system(), Duration.ofSeconds(30)));
    }

    // a fetch under way | a purge, and then the origin's answer  ->  who waits gets it, who comes next asks anew
    @Test
    void whatAFetchBringsThatBeganBeforeAPurgeIsNotKept() throws Exception {
        TestCa ca = new TestCa(Files.createDirectories(folder.resolve("ca")));
        CountDownLatch release = new CountDownLatch(1);
        try (Origin origin = new Origin(ca, HOST, (head, out) -> {
                    assertThat(release.await(60, TimeUnit.SECONDS)).isTrue();
                    out.write(Origin.ok("one"));
                });
                TestEdge edge = edge(ca, origin, "");
                RawClient waits = edge.client().get("/edge/assets/o/a")) {
            Eventually.await("the origin is asked", () -> origin.requests() == 1);
            assertThat(purge(edge)).isZero();
            release.countDown();
            assertThat(waits.read().body()).isEqualTo("one");
            assertThat(header(edge.get("/edge/assets/o/a"), "Cache-Status")).isEqualTo("edge; fwd=miss; stored");
            assertThat(header(edge.get("/edge/assets/o/a"), "Cache-Status")).isEqualTo("edge; hit");
            assertThat(origin.requests()).isEqualTo(2);
        }
    }

    // a stale object that is being asked about | a purge, and then "not modified"  ->  it is not renewed
    @Test
    void aNotModifiedDoesNotBringBackWhatWasPurged() throws Exception {
        TestCa ca = new TestCa(Files.createDirectories(folder.resolve("ca")));
        CountDownLatch release = new CountDownLatch(1);
        byte[] same = "HTTP/1.1 304 Same\r\nCache-Control: max-age=900\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
        try (Origin origin = new Origin(ca, HOST, (head, out) -> {
                    boolean asked = head.contains("If-None-Match");
                    assertThat(!asked || release.await(60, TimeUnit.SECONDS)).isTrue();
                    out.write(asked ? same : Origin.ok("one"));
                });
                TestEdge edge = edge(ca, origin, "default_ttl_secs = 0\nmin_ttl_secs = 0")) {
            assertThat(text(edge.get("/edge/assets/o/a"))).isEqualTo("one");
            try (RawClient waits = edge.client().get("/edge/assets/o/a")) {
                Eventually.await("the origin is asked", () -> origin.requests() == 2);
                assertThat(purge(edge)).isEqualTo(1);
                release.countDown();
                assertThat(waits.read().body()).isEqualTo("one");
            }
            assertThat(text(edge.get("/edge/assets/o/a"))).isEqualTo("one");
            assertThat(origin.requests()).isEqualTo(3);
            assertThat(origin.heads().getLast()).doesNotContain("If-None-Match");
        }
    }

    // a fetch under way | the origin changes, a purge  ->  who waits gets the old, who comes next the new, which stays
    @Test
    void whoComesAfterAPurgeDoesNotJoinAFetchThatBeganBefore() throws Exception {
        TestCa ca = new TestCa(Files.createDirectories(folder.resolve("ca")));
        CountDownLatch release = new CountDownLatch(1);
        AtomicInteger asked = new AtomicInteger();
        try (Origin origin = new Origin(ca, HOST, (head, out) -> {
                    boolean first = asked.incrementAndGet() == 1;
                    assertThat(!first || release.await(60, TimeUnit.SECONDS)).isTrue();
                    out.write(Origin.ok(first ? "old" : "new", "Cache-Control", "max-age=3600"));
                });
                TestEdge edge = edge(ca, origin, "");
                RawClient waits = edge.client().get("/edge/assets/o/a")) {
            Eventually.await("the origin is asked", () -> origin.requests() == 1);
            assertThat(purge(edge)).isZero();
            assertThat(text(edge.get("/edge/assets/o/a"))).isEqualTo("new");
            assertThat(edge.metrics()).contains("edge_flight_waiters{service=\"edge\"} 1");
            release.countDown();
            assertThat(waits.read().body()).isEqualTo("old");
            HttpResponse<byte[]> kept = edge.get("/edge/assets/o/a");
            assertThat(text(kept)).isEqualTo("new");
            assertThat(header(kept, "Cache-Status")).isEqualTo("edge; hit");
            assertThat(origin.requests()).isEqualTo(2);
        }
    }

    // a fetch under way | a purge, and then "not found"  ->  that is told to who waits, and takes nothing away
    @Test
    void whatWasMissingBeforeAPurgeIsNotRememberedAsMissing() throws Exception {
        TestCa ca = new TestCa(Files.createDirectories(folder.resolve("ca")));
        CountDownLatch release = new CountDownLatch(1);
        AtomicInteger asked = new AtomicInteger();
        byte[] none = "HTTP/1.1 404 No\r\nContent-Length: 0\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
        try (Origin origin = new Origin(ca, HOST, (head, out) -> {
                    boolean first = asked.incrementAndGet() == 1;
                    assertThat(!first || release.await(60, TimeUnit.SECONDS)).isTrue();
                    out.write(first ? none : Origin.ok("new"));
                });
                TestEdge edge = edge(ca, origin, "");
                RawClient waits = edge.client().get("/edge/assets/o/a")) {
            Eventually.await("the origin is asked", () -> origin.requests() == 1);
            assertThat(purge(edge)).isZero();
            assertThat(text(edge.get("/edge/assets/o/a"))).isEqualTo("new");
            release.countDown();
            assertThat(waits.read().status()).isEqualTo(404);
            assertThat(header(edge.get("/edge/assets/o/a"), "Cache-Status")).isEqualTo("edge; hit");
            assertThat(origin.requests()).isEqualTo(2);
        }
    }

    // a fetch that does not end, set apart by a purge | the service stops  ->  who waits for it is told
    @Test
    void whoWaitsForWhatWasPurgedIsToldWhenTheServiceStops() throws Exception {
        TestCa ca = new TestCa(Files.createDirectories(folder.resolve("ca")));
        CountDownLatch never = new CountDownLatch(1);
        try (Origin origin = new Origin(ca, HOST, (head, out) -> never.await(60, TimeUnit.SECONDS));
                TestEdge edge = FillEdge.start(
                        origin,
                        ca,
                        Optional.of(folder.resolve("data")),
                        "drain_deadline = \"300ms\"",
                        "timeout_secs = 60",
                        "timeout_secs = 60",
                        Backoff.Policy.DEFAULT);
                RawClient waits = edge.client().get("/edge/assets/o/a")) {
            Eventually.await("the origin is asked", () -> origin.requests() == 1);
            assertThat(purge(edge)).isZero();
            try {
                assertThat(edge.stop().clean()).isTrue();
            } finally {
                never.countDown();
            }
            assertThat(waits.read().body()).contains("draining");
        }
    }
}
