package dev.ron.edge.fill;

import static dev.ron.edge.fill.FillEdge.HOST;
import static dev.ron.edge.fill.FillEdge.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.ron.edge.TestEdge;
import dev.ron.http.testing.RawClient;
import dev.ron.http.testing.TestCa;
import dev.ron.kernel.task.Backoff;
import dev.ron.kernel.testkit.Crew;
import dev.ron.kernel.testkit.Eventually;
import dev.ron.kernel.time.Clock;
import dev.ron.kernel.time.Deadline;
import io.netty.util.internal.PlatformDependent;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Fills while workers die, the store is full, nothing may be written, and the service stops. */
@Timeout(120)
class FillFaultsTest {
    private static final Pattern RESTARTS =
            Pattern.compile("service_restarts_total\\{component=\"worker\",service=\"edge\"} ([0-9.]+)");

    @TempDir
    Path folder;

    private TestEdge edge(Origin origin, TestCa ca, Optional<Path> data, String more) {
        return edge(origin, ca, data, more, "");
    }

    private TestEdge edge(Origin origin, TestCa ca, Optional<Path> data, String more, String fill) {
        Backoff.Policy quick =
                new Backoff.Policy(Duration.ofMillis(10), Duration.ofMillis(100), 1000, Duration.ofMinutes(1));
        return FillEdge.start(origin, ca, data, more, "timeout_secs = 60", "timeout_secs = 60\n" + fill, quick);
    }

    private TestCa ca() throws Exception {
        return new TestCa(Files.createDirectories(folder.resolve("ca")));
    }

    private static List<Thread> workers() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().contains("worker"))
                .filter(thread -> !thread.getName().contains("ForkJoin"))
                .toList();
    }

    private static double restarts(TestEdge edge) {
        Matcher count = RESTARTS.matcher(edge.metrics());
        return count.find() ? Double.parseDouble(count.group(1)) : 0;
    }

    private static boolean allBack(TestEdge edge) {
        return edge.metrics().contains("tasks_live{kind=\"worker\",service=\"edge\"} 4")
                && edge.get("/readyz").statusCode() == 200;
    }

    // load | half of the workers are interrupted, again and again  ->  everyone is answered, all workers come back, and
    // it is ready
    @Test
    void killingHalfOfTheWorkersCostsNoAnswer() throws Exception {
        TestCa ca = ca();
        try (Origin origin = new Origin(ca, HOST, (head, out) -> out.write(Origin.ok("x".repeat(1000))));
                TestEdge edge = edge(origin, ca, Optional.of(folder.resolve("data")), "")) {
            AtomicBoolean over = new AtomicBoolean();
            AtomicInteger good = new AtomicInteger();
            AtomicInteger told = new AtomicInteger();
            try (Crew crew = new Crew()) {
                for (int t = 0; t < 8; t++) {
                    int seed = t;
                    crew.addVirtual(() -> {
                        try (RawClient client = edge.client()) {
                            for (int i = 0; !over.get(); i++) {
                                int status = client.get("/edge/assets/o/" + seed + "-" + i)
                                        .read()
                                        .status();
                                (status == 200 ? good : told).incrementAndGet();
                            }
                        }
                    });
                }
                crew.go();
                for (int round = 0; round < 4; round++) {
                    int before = good.get();
                    double restarts = restarts(edge);
                    List<Thread> alive = workers();
                    assertThat(alive).isNotEmpty();
                    alive.stream().limit(Math.max(1, alive.size() / 2)).forEach(Thread::interrupt);
                    Eventually.await("it goes on", () -> good.get() > before + 15);
                    Eventually.await("some have died", () -> restarts(edge) > restarts);
                    Eventually.await("all workers are back under load", () -> allBack(edge));
                }
                over.set(true);
                crew.finish();
            }
            assertThat(good.get()).isGreaterThan(50);
        }
    }

    @Test
    void inTheMicroProfileNothingIsWrittenAndTheStoreIsInMemory() throws Exception {
        TestCa ca = ca();
        try (Origin origin = new Origin(ca, HOST, (head, out) -> out.write(Origin.ok("kept in memory")));
                TestEdge edge = edge(origin, ca, Optional.empty(), "")) {
            assertThat(text(edge.get("/edge/assets/o/a"))).isEqualTo("kept in memory");
            assertThat(edge.get("/edge/assets/o/a").headers().firstValue("Cache-Status"))
                    .hasValue("edge; hit");
            assertThat(origin.requests()).isEqualTo(1);
            try (Stream<Path> files = Files.list(folder)) {
                assertThat(files.map(path -> String.valueOf(path.getFileName())))
                        .containsExactly("ca");
            }
        }
    }

    // a large object in memory | many who read slowly  ->  each holds a piece of it, none a copy
    @Test
    void slowReadersOfALargeObjectInMemoryShareIt() throws Exception {
        TestCa ca = ca();
        int size = 8 << 20;
        int readers = 20;
        String large = "0123456789abcdef".repeat(size / 16);
        try (Origin origin = new Origin(ca, HOST, (head, out) -> out.write(Origin.ok(large)));
                TestEdge edge = edge(origin, ca, Optional.empty(), "cache_bytes = \"1MiB\"")) {
            assertThat(text(edge.get("/edge/assets/o/large"))).isEqualTo(large);
            HttpResponse<byte[]> part = edge.get("/edge/assets/o/large", "Range", "bytes=65530-65549");
            assertThat(text(part)).isEqualTo(large.substring(65_530, 65_550));
            long before = PlatformDependent.usedDirectMemory();
            assertThat(before).isPositive();
            List<RawClient> slow = new ArrayList<>();
            try {
                for (int i = 0; i < readers; i++) {
                    RawClient client = edge.client().get("/edge/assets/o/large");
                    slow.add(client);
                    assertThat(client.line()).isEqualTo("HTTP/1.1 200 OK");
                }
                assertThat(PlatformDependent.usedDirectMemory() - before).isLessThan(readers * (long) size / 2);
                for (String line = slow.getFirst().line(); !line.isEmpty(); ) {
                    line = slow.getFirst().line();
                }
                assertThat(new String(slow.getFirst().in().readNBytes(size), StandardCharsets.ISO_8859_1))
                        .isEqualTo(large);
            } finally {
                slow.forEach(RawClient::close);
            }
            assertThat(origin.requests()).isEqualTo(1);
        }
    }

    @Test
    void whereTheStoreCannotWriteFillsAreRefusedAndHitsGoOn() throws Exception {
        TestCa ca = ca();
        Path data = folder.resolve("data");
        try (Origin origin = new Origin(ca, HOST, (head, out) -> out.write(Origin.ok("fine")));
                TestEdge edge = edge(origin, ca, Optional.of(data), "")) {
            assertThat(text(edge.get("/edge/assets/o/before"))).isEqualTo("fine");
            // A full disk for the price of a broken one: what is staged has no place to go.
            Path tmp = data.resolve("cas/tmp");
            Files.delete(tmp);
            HttpResponse<byte[]> refused = edge.get("/edge/assets/o/after");
            assertThat(refused.statusCode()).isEqualTo(503);
            assertThat(text(refused)).contains("\"reason\":\"cas_");
            // The origin is not asked again: a second download would find no room either.
            assertThat(origin.requests()).isEqualTo(2);
            assertThat(edge.get("/edge/assets/o/before").statusCode()).isEqualTo(200);
            Files.createDirectory(tmp);
            Eventually.await(
                    "fills go on", () -> edge.get("/edge/assets/o/after").statusCode() == 200);
        }
    }

    @Test
    void onADiskThatIsReallyFullFillsStopAndHitsGoOn() throws Exception {
        Path disk = Files.createDirectories(folder.resolve("disk"));
        assumeTrue(
                succeeds("mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", disk.toString()),
                "skipped: a small disk cannot be mounted here");
        TestCa ca = ca();
        try (Origin origin = new Origin(ca, HOST, (head, out) -> out.write(Origin.ok("z".repeat(200_000))));
                TestEdge edge = edge(origin, ca, Optional.of(disk.resolve("data")), "")) {
            assertThat(edge.get("/edge/assets/o/before").statusCode()).isEqualTo(200);
            Files.write(disk.resolve("ballast"), new byte[700_000]); // less is left than the next object needs
            HttpResponse<byte[]> answer = edge.get("/edge/assets/o/after");
            assertThat(answer.statusCode()).isEqualTo(503);
            assertThat(text(answer)).contains("\"reason\":\"cas_full\"");
            assertThat(origin.requests()).isEqualTo(2);
            HttpResponse<byte[]> hit = edge.get("/edge/assets/o/before");
            assertThat(hit.statusCode()).isEqualTo(200);
            assertThat(hit.headers().firstValue("Cache-Status")).hasValue("edge; hit");
            assertThat(edge.get("/readyz").statusCode()).isEqualTo(200);
            Files.delete(disk.resolve("ballast"));
            assertThat(edge.get("/edge/assets/o/after").statusCode()).isEqualTo(200);
        } finally {
            assertThat(succeeds("umount", "-l", disk.toString())).isTrue();
        }
    }

    private boolean succeeds(String... command) throws Exception {
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("mount.log").toFile())
                .start();
        return process.waitFor(30, TimeUnit.SECONDS) && process.exitValue() == 0;
    }

    @Test
    void whatWasFetchedIsThereAfterARestartAndWhatWasPurgedIsNot() throws Exception {
        TestCa ca = ca();
        Optional<Path> data = Optional.of(folder.resolve("data"));
        Deadline patience = Deadline.after(Clock.system(), Duration.ofSeconds(30));
        try (Origin origin =
                new Origin(ca, HOST, (head, out) -> out.write(Origin.ok("kept", "Content-Type", "text/plain")))) {
            try (TestEdge edge = edge(origin, ca, data, "")) {
                edge.get("/edge/assets/o/a");
                edge.get("/edge/assets/o/b");
            }
            try (TestEdge edge = edge(origin, ca, data, "")) {
                HttpResponse<byte[]> answer = edge.get("/edge/assets/o/a");
                assertThat(answer.headers().firstValue("Cache-Status")).hasValue("edge; hit");
                assertThat(answer.headers().firstValue("Content-Type")).hasValue("text/plain");
                assertThat(text(answer)).isEqualTo("kept");
                assertThat(origin.requests()).isEqualTo(2);
                assertThat(edge.service().index().purge(key -> key.endsWith("/a"), patience))
                        .isEqualTo(1);
            }
            try (TestEdge edge = edge(origin, ca, data, "")) {
                edge.get("/edge/assets/o/a");
                edge.get("/edge/assets/o/b");
                assertThat(origin.requests()).isEqualTo(3);
            }
        }
    }

    // more waiters than there are permits for the disk | an object that goes out by sendfile  ->  all get all of it
    @Test
    void everyWaiterOfALargeObjectGetsIt() throws Exception {
        TestCa ca = ca();
        CountDownLatch release = new CountDownLatch(1);
        String large = "0123456789".repeat(30_000);
        try (Origin origin = new Origin(ca, HOST, (head, out) -> {
                    assertThat(release.await(60, TimeUnit.SECONDS)).isTrue();
                    out.write(Origin.ok(large));
                });
                TestEdge edge = edge(origin, ca, Optional.of(folder.resolve("data")), "")) {
            AtomicInteger right = new AtomicInteger();
            try (Crew crew = new Crew()) {
                for (int i = 0; i < 50; i++) {
                    crew.addVirtual(() -> {
                        try (RawClient client = edge.client()) {
                            RawClient.Answer answer =
                                    client.get("/edge/assets/o/large").read();
                            if (answer.status() == 200 && answer.body().equals(large)) {
                                right.incrementAndGet();
                            }
                        }
                    });
                }
                crew.go();
                Eventually.await("all wait", () -> edge.metrics().contains("edge_flight_waiters{service=\"edge\"} 50"));
                release.countDown();
                crew.finish();
            }
            assertThat(right).hasValue(50);
            assertThat(origin.requests()).isEqualTo(1);
        }
    }

    @Test
    void whoWaitsALittleIsToldWhenItIsOver() throws Exception {
        TestCa ca = ca();
        CountDownLatch release = new CountDownLatch(1);
        try (Origin origin = new Origin(ca, HOST, (head, out) -> {
                    assertThat(release.await(60, TimeUnit.SECONDS)).isTrue();
                    out.write(Origin.ok("late"));
                });
                TestEdge edge = edge(origin, ca, Optional.of(folder.resolve("data")), "")) {
            HttpResponse<byte[]> told = edge.get("/edge/assets/o/a", "Prefer", "wait=1");
            assertThat(told.statusCode()).isEqualTo(503);
            assertThat(text(told)).contains("\"reason\":\"timeout\"");
            HttpResponse<byte[]> accepted = edge.get("/edge/assets/o/a", "Prefer", "respond-async, wait=1");
            assertThat(accepted.statusCode()).isEqualTo(202);
            assertThat(accepted.headers().firstValue("Preference-Applied")).hasValue("respond-async, wait=1");
            release.countDown();
            HttpResponse<byte[]> here = edge.get("/edge/assets/o/a", "Prefer", "respond-async, wait=30");
            assertThat(text(here)).isEqualTo("late");
            assertThat(origin.requests()).isEqualTo(1);
        }
    }

    // an origin that never answers | the service stops  ->  fills get their last call, then everyone is told
    @Test
    void aFillThatDoesNotEndIsGivenUpWhileItsWaitersCanStillBeAnswered() throws Exception {
        TestCa ca = ca();
        CountDownLatch never = new CountDownLatch(1);
        try (Origin origin = new Origin(ca, HOST, (head, out) -> never.await(60, TimeUnit.SECONDS));
                TestEdge edge = edge(origin, ca, Optional.of(folder.resolve("data")), "drain_deadline = \"300ms\"")) {
            AtomicInteger told = new AtomicInteger();
            try (Crew crew = new Crew()) {
                for (int i = 0; i < 20; i++) {
                    int one = i;
                    crew.addVirtual(() -> {
                        try (RawClient client = edge.client()) {
                            RawClient.Answer answer =
                                    client.get("/edge/assets/o/" + one).read();
                            if (answer.status() == 503 && answer.body().contains("draining")) {
                                told.incrementAndGet();
                            }
                        }
                    });
                }
                crew.go();
                Eventually.await("all wait", () -> edge.metrics().contains("edge_flight_waiters{service=\"edge\"} 20"));
                assertThat(edge.stop().clean()).isTrue();
                crew.finish();
            } finally {
                never.countDown();
            }
            assertThat(told).hasValue(20);
        }
    }

    @Test
    void whenTheServiceStopsEveryWaiterIsAnswered() throws Exception {
        TestCa ca = ca();
        CountDownLatch release = new CountDownLatch(1);
        try (Origin origin = new Origin(ca, HOST, (head, out) -> {
                    assertThat(release.await(60, TimeUnit.SECONDS)).isTrue();
                    out.write(Origin.ok("late"));
                });
                TestEdge edge = edge(origin, ca, Optional.of(folder.resolve("data")), "")) {
            AtomicInteger answered = new AtomicInteger();
            try (Crew crew = new Crew()) {
                for (int i = 0; i < 20; i++) {
                    int one = i;
                    crew.addVirtual(() -> {
                        try (RawClient client = edge.client()) {
                            int status =
                                    client.get("/edge/assets/o/" + one).read().status();
                            if (status == 200 || status == 503) {
                                answered.incrementAndGet();
                            }
                        }
                    });
                }
                crew.go();
                Eventually.await("all wait", () -> edge.metrics().contains("edge_flight_waiters{service=\"edge\"} 20"));
                crew.add(edge::stop);
                release.countDown();
                crew.finish();
            }
            assertThat(answered).hasValue(20);
        }
    }
}
