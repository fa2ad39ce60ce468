package dev.ron.edge.fill;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.edge.Setup;
import dev.ron.edge.TestEdge;
import dev.ron.http.testing.RawClient;
import dev.ron.http.testing.TestCa;
import dev.ron.kernel.task.Backoff;
import dev.ron.kernel.testkit.Crew;
import dev.ron.kernel.testkit.Eventually;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Fills while workers die, the store is full, nothing may be written, and the service stops. */
class FillFaultsTest {
    private static final String HOST = "origin.test";

    @TempDir
    Path folder;

    private TestEdge edge(Origin origin, TestCa ca, Optional<Path> data, String more) {
        String toml = """
                [edge]
                allow = ["%1$s:%2$d"]
                workers = 4
                %4$s
                [edge.routes.o]
                prefix = "o/"
                base = "https://%1$s:%2$d/"
                [edge.ingress]
                rps_limit = 1000000
                timeout_secs = 60
                [edge.live_fill]
                ca_file = "%3$s"
                timeout_secs = 60
                rps = 100000
                burst = 100000
                private_nets = ["127.0.0.0/8"]
                """.formatted(HOST, origin.port(), ca.roots, more);
        Setup setup = new Setup(
                "127.0.0.1",
                0,
                data,
                false,
                Optional.empty(),
                Optional.of((host, port, deadline) ->
                        List.of(new InetSocketAddress(InetAddress.getLoopbackAddress(), port))));
        Backoff.Policy quick =
                new Backoff.Policy(Duration.ofMillis(10), Duration.ofMillis(100), 1000, Duration.ofMinutes(1));
        return new TestEdge(toml, setup, quick);
    }

    private TestCa ca() throws Exception {
        return new TestCa(Files.createDirectories(folder.resolve("ca")));
    }

    private static String text(HttpResponse<byte[]> answer) {
        return new String(answer.body(), StandardCharsets.UTF_8);
    }

    private static List<Thread> workers() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().contains("worker"))
                .filter(thread -> !thread.getName().contains("ForkJoin"))
                .toList();
    }

    // load | half of the workers are interrupted, again and again  ->  everyone is answered, and all workers are back
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
                for (int round = 0; round < 10; round++) {
                    int before = good.get();
                    List<Thread> alive = workers();
                    assertThat(alive).isNotEmpty();
                    alive.stream().limit(Math.max(1, alive.size() / 2)).forEach(Thread::interrupt);
                    Eventually.await("it goes on", () -> good.get() > before + 5);
                }
                over.set(true);
                crew.finish();
            }
            Eventually.await(
                    "all workers are back",
                    () -> edge.metrics().contains("tasks_live{kind=\"worker\",service=\"edge\"} 4"));
            Eventually.await("ready", () -> edge.get("/readyz").statusCode() == 200);
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
            assertThat(edge.get("/edge/assets/o/before").statusCode()).isEqualTo(200);
            Files.createDirectory(tmp);
            Eventually.await(
                    "fills go on", () -> edge.get("/edge/assets/o/after").statusCode() == 200);
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
