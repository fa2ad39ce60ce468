package dev.ron.edge.fill;

import static dev.ron.edge.fill.FillEdge.header;
import static dev.ron.edge.fill.FillEdge.text;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.ron.edge.TestEdge;
import dev.ron.edge.digest.Blake3;
import dev.ron.http.testing.RawClient;
import dev.ron.http.testing.TestCa;
import dev.ron.kernel.task.Backoff;
import dev.ron.kernel.testkit.Crew;
import dev.ron.kernel.testkit.Eventually;
import java.lang.management.ManagementFactory;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Those who wait for a fill: for how long, how many, and what they are told. */
@Timeout(120)
class FillWaitsTest {
    private static final String PATIENT = "timeout_secs = 60";

    @TempDir
    Path folder;

    private TestCa ca() throws Exception {
        return new TestCa(Files.createDirectories(folder.resolve("ca")));
    }

    private TestEdge edge(Origin origin, TestCa ca, String ingress, String fill) {
        return FillEdge.start(origin, ca, folder.resolve("data"), ingress, fill);
    }

    private static byte[] latin(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    // an origin that says nothing | one that stops in the middle of a body  ->  504 for both, nothing kept
    @Test
    void anOriginThatStallsIsGivenUpAndNothingIsKept() throws Exception {
        TestCa ca = ca();
        CountDownLatch over = new CountDownLatch(1);
        try (Origin origin = new Origin(ca, FillEdge.HOST, (head, out) -> {
                    if (head.contains("/body")) {
                        out.write(latin("HTTP/1.1 200 OK\r\nETag: \"1\"\r\nContent-Length: 100000\r\n\r\nthe first"));
                        out.flush();
                    }
                    over.await(60, TimeUnit.SECONDS);
                });
                TestEdge edge =
                        edge(origin, ca, PATIENT, "timeout_secs = 1\n[edge.retry.live_fill]\nmax_retries = 0")) {
            for (String name : List.of("head", "body")) {
                HttpResponse<byte[]> answer = edge.get("/edge/assets/o/" + name);
                assertThat(answer.statusCode()).as(name).isEqualTo(504);
                assertThat(text(answer)).as(name).containsPattern("\"reason\":\"(upstream_)?timeout\"");
            }
            assertThat(edge.metrics()).contains("io_timeouts_total{op=\"fill\",service=\"edge\"} 2.0");
            for (String place : List.of("b3", "tmp")) {
                try (Stream<Path> files = Files.walk(folder.resolve("data/cas").resolve(place))) {
                    assertThat(files.filter(Files::isRegularFile)).isEmpty();
                }
            }
            // The failure is remembered for a moment: nobody stalls again.
            assertThat(edge.get("/edge/assets/o/body").statusCode()).isEqualTo(504);
            assertThat(origin.requests()).isEqualTo(2);
        } finally {
            over.countDown();
        }
    }

    // a waiter | its own deadline, before the fill's  ->  it is told, the fill goes on and is not made twice
    @Test
    void whoReachesItsDeadlineIsToldAndTheFillGoesOn() throws Exception {
        TestCa ca = ca();
        CountDownLatch release = new CountDownLatch(1);
        try (Origin origin = new Origin(ca, FillEdge.HOST, (head, out) -> {
                    assertThat(release.await(60, TimeUnit.SECONDS)).isTrue();
                    out.write(Origin.ok("late"));
                });
                TestEdge edge = edge(origin, ca, "timeout_secs = 1", PATIENT)) {
            HttpResponse<byte[]> told = edge.get("/edge/assets/o/a");
            assertThat(told.statusCode()).isIn(503, 504);
            assertThat(text(told)).contains("\"reason\":\"timeout\"");
            Eventually.await(
                    "it waits no longer", () -> edge.metrics().contains("edge_flight_waiters{service=\"edge\"} 0"));
            release.countDown();
            Eventually.await(
                    "it is here",
                    () -> header(edge.get("/edge/assets/o/a"), "Cache-Status").equals("edge; hit"));
            assertThat(origin.requests()).isEqualTo(1);
        }
    }

    @Test
    void beyondTheWaitersOfAnOriginOthersAreToldAtOnce() throws Exception {
        TestCa ca = ca();
        CountDownLatch release = new CountDownLatch(1);
        try (Origin origin = new Origin(ca, FillEdge.HOST, (head, out) -> {
                    assertThat(release.await(60, TimeUnit.SECONDS)).isTrue();
                    out.write(Origin.ok("one"));
                });
                TestEdge edge = edge(origin, ca, PATIENT, "max_waiters = 2\n" + PATIENT);
                RawClient first = edge.client().get("/edge/assets/o/a");
                RawClient second = edge.client().get("/edge/assets/o/a")) {
            Eventually.await("both wait", () -> edge.metrics().contains("edge_flight_waiters{service=\"edge\"} 2"));
            for (String name : List.of("a", "b")) {
                HttpResponse<byte[]> refused = edge.get("/edge/assets/o/" + name);
                assertThat(refused.statusCode()).isEqualTo(429);
                assertThat(text(refused)).contains("\"reason\":\"busy\"", "max_waiters");
            }
            release.countDown();
            assertThat(first.read().body()).isEqualTo("one");
            assertThat(second.read().body()).isEqualTo("one");
            assertThat(edge.get("/edge/assets/o/b").statusCode()).isEqualTo(200); // their places are free again
            assertThat(edge.metrics().lines().filter(line -> line.startsWith("busy_rejections_total{")))
                    .containsExactly("busy_rejections_total{endpoint=\"/edge/assets\",service=\"edge\"} 2.0");
            assertThat(edge.metrics())
                    .contains("queue_dropped_total{queue=\"work\",service=\"edge\"} 0"); // the queue refused nobody
        }
    }

    @Test
    void aPathThatIsTooLongIsRefusedBeforeAnythingIsRemembered() throws Exception {
        TestCa ca = ca();
        try (Origin origin = new Origin(ca, FillEdge.HOST, (head, out) -> out.write(Origin.ok("here")));
                TestEdge edge = edge(origin, ca, "", "")) {
            assertThat(edge.get("/edge/assets/o/" + "x".repeat(2047)).statusCode())
                    .isEqualTo(200);
            HttpResponse<byte[]> refused = edge.get("/edge/assets/o/" + "x".repeat(2048));
            assertThat(refused.statusCode()).isEqualTo(414);
            assertThat(text(refused)).contains("expected: at most 2048");
            assertThat(origin.requests()).isEqualTo(1);
        }
    }

    @Test
    void whatIsMissingIsRememberedAsMissing() throws Exception {
        TestCa ca = ca();
        byte[] none = latin("HTTP/1.1 404 No\r\nContent-Length: 0\r\n\r\n");
        try (Origin origin = new Origin(ca, FillEdge.HOST, (head, out) -> out.write(none));
                TestEdge edge = edge(origin, ca, "", "negative_ttl_secs = 3600")) {
            for (int i = 0; i < 3; i++) {
                HttpResponse<byte[]> answer = edge.get("/edge/assets/o/none");
                assertThat(answer.statusCode()).isEqualTo(404);
                assertThat(text(answer)).contains("\"reason\":\"not_found\"");
            }
            assertThat(origin.requests()).isEqualTo(1);
            assertThat(edge.metrics()).contains("edge_cache_hits_total{kind=\"negative\",service=\"edge\"} 2.0");
        }
    }

    // many waiters | an object that must not be kept  ->  it is hashed and copied once, off their loops
    @Test
    void whatIsOnlyPassedOnIsPreparedOnceForAllWhoWait() throws Exception {
        TestCa ca = ca();
        CountDownLatch release = new CountDownLatch(1);
        String large = "0123456789abcdef".repeat(1 << 17); // 2 MiB
        String tag = "\"b3:" + Blake3.hash(latin(large)).hex() + "\"";
        int many = 40;
        try (Origin origin = new Origin(ca, FillEdge.HOST, (head, out) -> {
                    assertThat(release.await(60, TimeUnit.SECONDS)).isTrue();
                    out.write(Origin.ok(large, "Cache-Control", "private"));
                });
                TestEdge edge = edge(origin, ca, PATIENT, PATIENT);
                Crew crew = new Crew()) {
            AtomicInteger right = new AtomicInteger();
            for (int i = 0; i < many; i++) {
                crew.addVirtual(() -> {
                    try (RawClient client = edge.client()) {
                        RawClient.Answer answer =
                                client.get("/edge/assets/o/mine").read();
                        if (answer.body().equals(large)
                                && answer.header("ETag").orElse("").equals(tag)
                                && answer.header("Cache-Status").orElse("").equals("edge; fwd=miss")) {
                            right.incrementAndGet();
                        }
                    }
                });
            }
            crew.go();
            Eventually.await(
                    "all wait", () -> edge.metrics().contains("edge_flight_waiters{service=\"edge\"} " + many));
            long before = allocatedByLoops();
            release.countDown();
            crew.finish();
            assertThat(right).hasValue(many);
            // A copy for each would be 80 MiB of it.
            assertThat(allocatedByLoops() - before).isLessThan(20L << 20);
        }
    }

    private static long allocatedByLoops() {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("edge-test"))
                .mapToLong(thread -> threads.getThreadAllocatedBytes(thread.threadId()))
                .sum();
    }

    // load | half of the workers die  ->  all live and ready again after the first wait of the standing policy
    @Test
    void halfOfTheWorkersAreBackAfterTheFirstWaitOfTheStandingPolicy() throws Exception {
        // Even who dies three times in a row comes back within a second.
        Backoff.Policy policy = Backoff.Policy.DEFAULT;
        assertThat(Backoff.doubled(policy.min(), 2, policy.max()))
                .isLessThan(Duration.ofSeconds(1).toNanos());
        TestCa ca = ca();
        AtomicBoolean over = new AtomicBoolean();
        try (Origin origin = new Origin(ca, FillEdge.HOST, (head, out) -> out.write(Origin.ok("x".repeat(1000))));
                TestEdge edge = edge(origin, ca, PATIENT, PATIENT);
                Crew crew = new Crew()) {
            for (int t = 0; t < 4; t++) {
                int seed = t;
                crew.addVirtual(() -> {
                    try (RawClient client = edge.client()) {
                        for (int i = 0; !over.get(); i++) {
                            client.get("/edge/assets/o/" + seed + "-" + i).read();
                        }
                    }
                });
            }
            crew.go();
            Eventually.await("all workers live", () -> live(edge, 4));
            List<Thread> workers = Thread.getAllStackTraces().keySet().stream()
                    .filter(thread -> thread.getName().matches("edge.worker.*|worker.*"))
                    .toList();
            assertThat(workers).hasSize(4);
            long killed = System.nanoTime();
            workers.stream().limit(2).forEach(Thread::interrupt);
            Eventually.await(
                    "two have died and all live again",
                    () -> edge.metrics().contains("service_restarts_total{component=\"worker\",service=\"edge\"} 2")
                            && live(edge, 4)
                            && edge.get("/readyz").statusCode() == 200);
            System.out.printf(
                    "half of the workers killed under load: all live and ready after %d ms%n",
                    (System.nanoTime() - killed) / 1_000_000);
            over.set(true);
            crew.finish();
        }
    }

    private static boolean live(TestEdge edge, int workers) {
        return edge.metrics().contains("tasks_live{kind=\"worker\",service=\"edge\"} " + workers);
    }
}
