package dev.ron.admin.sample;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.admin.AdminConfig;
import dev.ron.admin.AdminMetrics;
import dev.ron.admin.series.Scrape;
import dev.ron.admin.truth.Answer;
import dev.ron.admin.truth.Fault;
import dev.ron.kernel.Kernel;
import dev.ron.kernel.meter.Meter;
import dev.ron.kernel.task.Backoff;
import dev.ron.kernel.task.Shutdown;
import dev.ron.kernel.testkit.Eventually;
import dev.ron.kernel.time.Clock;
import dev.ron.kernel.time.Deadline;
import dev.ron.kernel.time.VirtualClock;
import dev.ron.kernel.topology.LockSpec;
import dev.ron.kernel.topology.PermitsSpec;
import dev.ron.kernel.topology.Stage;
import dev.ron.kernel.topology.TaskSpec;
import dev.ron.kernel.topology.Topology;
import dev.ron.service.config.Config;
import dev.ron.service.config.ConfigLoader;
import dev.ron.service.config.ConfigResult;
import dev.ron.service.config.Section;
import dev.ron.service.config.Sources;
import dev.ron.service.metrics.Metrics;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** A thousand samplers of a fleet of which a fifth fails: five minutes on a clock that the test moves, then in real time. */
class ThousandNodesTest {
    private static final int NODES = 1000;
    private static final Duration REAL_TIME = Boolean.getBoolean("ron.long")
            ? Duration.ofHours(1)
            : Duration.ofSeconds(Long.getLong("ron.soak.seconds", 10));
    private static final TaskSpec SAMPLER = Topology.task("metrics_sampler").stage(Stage.WATCHERS);
    private static final LockSpec CONFIG = Topology.lock("config_lock", 1);
    private static final LockSpec RING = Topology.lock("metrics_lock", 3);
    private static final PermitsSpec SCRAPES = Topology.permits("scrapes", 64);

    private final VirtualClock clock = new VirtualClock();
    private final AtomicInteger atOnce = new AtomicInteger();
    private final AtomicInteger most = new AtomicInteger();
    private final AtomicLong scrapes = new AtomicLong();

    /** Nodes in this process: one in five fails, hangs until its deadline, or sends garbage. */
    private final class InProcess implements NodeCaller {
        @Override
        public Answer get(NodeTarget node, String path, int maxBytes, Deadline deadline) {
            enter();
            try {
                String body = switch (path) {
                    case "/healthz" -> "{\"ok\":true}";
                    case "/readyz" -> "{\"ready\":true,\"write_ready\":true}";
                    case "/api/v1/status" -> "{\"ready\":true,\"phase\":\"running\",\"planes\":[]}";
                    default -> "{\"version\":\"1\"}";
                };
                return number(node) % 5 == 0 && path.equals("/readyz")
                        ? new Answer.Failed(path, Fault.RESET, "reset", 1)
                        : new Answer.Said(path, 200, 1, "application/json", body);
            } finally {
                atOnce.decrementAndGet();
            }
        }

        private void enter() {
            most.accumulateAndGet(atOnce.incrementAndGet(), Math::max);
        }

        private static int number(NodeTarget node) {
            return Integer.parseInt(node.id().substring(1));
        }

        @Override
        public Scraped scrape(NodeTarget node, Supplier<Scrape> scrapes, int maxBytes, Deadline deadline) {
            enter();
            try {
                Scrape scrape = scrapes.get();
                long n = ThousandNodesTest.this.scrapes.incrementAndGet();
                int kind = number(node) % 15;
                if (kind == 0) {
                    return new Scraped(new Answer.Failed("/metrics", Fault.CONNECT, "refused", 0), scrape);
                }
                String page = kind == 5
                        ? "???\n!!!\n"
                        : "http_requests_total{service=\"s\",route=\"/\",status=\"200\"} "
                                + clock.nanos() / 1_000_000_000L * 10 + "\nqueue_depth{queue=\"q\"} " + n + "\n";
                scrape.feed(ByteBuffer.wrap(page.getBytes(StandardCharsets.UTF_8)));
                return new Scraped(new Answer.Said("/metrics", 200, 1, "text/plain", ""), scrape);
            } finally {
                atOnce.decrementAndGet();
            }
        }

        @Override
        public Answer post(NodeTarget node, String path, String body, Map<String, String> fields, Deadline deadline) {
            throw new AssertionError("nobody acts here");
        }
    }

    private static AdminConfig config() {
        Sources sources = Sources.none();
        for (int i = 0; i < NODES; i++) {
            sources = sources.withSet("admin.nodes.n" + i + ".base_url=http://127.0.0.1:" + (10_000 + i));
        }
        ConfigResult result = ConfigLoader.load(List.of(Section.of("admin", AdminConfig.class)), sources);
        if (result instanceof ConfigResult.Loaded(Config loaded)) {
            return loaded.section(AdminConfig.class);
        }
        throw new AssertionError(result.toString());
    }

    @Test
    void fiveMinutesOfAThousandNodes() {
        AdminConfig config = config();
        watched(clock, config, fleet -> {
            run(Duration.ofMinutes(5));
            assertFleet(fleet, config);
        });
    }

    /** An hour with {@code -Dron.long}: every sampler is as alive at the end as at the start, and holds no more than then. */
    @Test
    void aThousandNodesInRealTime() {
        AdminConfig config = config();
        watched(Clock.system(), config, fleet -> {
            Rows rows = new Rows(() -> config, Clock.system());
            Eventually.await(
                    "every healthy node has numbers",
                    () -> fleet.all().stream()
                            .filter(node -> !silent(node))
                            .allMatch(node -> rows.metricsState(node).equals("fresh")));
            long from = scrapes.get();
            Deadline end = Deadline.after(Clock.system(), REAL_TIME);
            while (!end.expired()) {
                assertThat(fleet.alive()).isEqualTo(NODES);
                LockSupport.parkNanos(Duration.ofSeconds(1).toNanos());
            }
            assertThat(most.get()).as("nodes asked at once").isLessThanOrEqualTo(64);
            // On a machine that is busy with other things samplers may skip; half of what is due says that none has
            // stopped.
            long due = NODES * REAL_TIME.toSeconds() / 5;
            assertThat(scrapes.get() - from).as("scrapes").isGreaterThan(due / 2);
            Eventually.await(
                    "every healthy node has numbers of now",
                    () -> fleet.all().stream()
                            .filter(node -> !silent(node))
                            .allMatch(node -> rows.metricsState(node).equals("fresh")));
            assertThat(ringBytes(fleet)).as("memory of all rings").isLessThan(100L << 20);
        });
    }

    /** Watches the thousand for as long as that takes, and sees that nothing goes on after. */
    private void watched(Clock time, AdminConfig config, Consumer<Fleet> body) {
        Topology topology = Topology.of("test", "", SAMPLER, CONFIG, SCRAPES, Topology.broadcast("events", 1024));
        Kernel kernel = new Kernel(topology, time, Meter.none(), Backoff.Policy.DEFAULT, crash -> {});
        AdminMetrics metrics = new AdminMetrics(new Metrics().service("admin", "svc_admin_"), () -> false);
        Fleet fleet = Fleet.of(
                state -> kernel.guarded(CONFIG, state),
                Fleet.parts(
                        new InProcess(),
                        time,
                        () -> config,
                        kernel.permits(SCRAPES, 64),
                        kernel.broadcast(Topology.broadcast("events", 1024)),
                        metrics),
                kernel.kind(SAMPLER),
                RING,
                now -> Optional.empty());
        fleet.apply(config);
        try {
            body.accept(fleet);
        } finally {
            Shutdown shutdown = new Shutdown(Clock.system(), Meter.none(), () -> Duration.ofSeconds(30));
            kernel.attach(shutdown);
            shutdown.request("test", "over");
            assertThat(shutdown.awaitStopped(Deadline.after(Clock.system(), Duration.ofSeconds(30))))
                    .isPresent();
        }
        assertThat(fleet.alive()).isZero();
    }

    /** Moves the clock in steps in which every sampler that is due can run. */
    private void run(Duration length) {
        long end = clock.nanos() + length.toNanos();
        while (clock.nanos() < end) {
            Eventually.await(
                    "all samplers wait",
                    () -> clock.sleeping() == NODES && clock.wakeTimes().getFirst() > clock.nanos());
            clock.advance(Duration.ofMillis(250));
        }
        Eventually.await(
                "all samplers wait",
                () -> clock.sleeping() == NODES && clock.wakeTimes().getFirst() > clock.nanos());
    }

    private void assertFleet(Fleet fleet, AdminConfig config) {
        Rows rows = new Rows(() -> config, clock);
        assertThat(fleet.alive()).isEqualTo(NODES);
        assertThat(most.get()).as("nodes asked at once").isLessThanOrEqualTo(64);
        long due = NODES * 60L;
        assertThat(scrapes.get()).as("scrapes in five minutes").isBetween((long) (due * 0.9), (long) (due * 1.3));
        for (NodeRuntime node : fleet.all()) {
            int number = Integer.parseInt(node.id().substring(1));
            boolean failing = silent(node);
            assertThat(rows.metricsState(node)).as(node.id()).isEqualTo(failing ? "unavailable" : "fresh");
            assertThat(rows.row(node).state()).as(node.id()).isEqualTo(number % 5 == 0 ? "unknown" : "ready");
            if (!failing) {
                assertThat(rows.row(node).rps()).as(node.id()).isBetween(9.0, 11.0);
                assertThat(rows.summary(node).series().t())
                        .hasSizeGreaterThan(50)
                        .hasSizeLessThanOrEqualTo(61);
            }
        }
        assertThat(ringBytes(fleet)).as("memory of all rings").isLessThan(100L << 20);
    }

    /** Whether a node's metrics never come. */
    private static boolean silent(NodeRuntime node) {
        int number = Integer.parseInt(node.id().substring(1));
        return number % 15 == 0 || number % 15 == 5;
    }

    private static long ringBytes(Fleet fleet) {
        return fleet.all().stream()
                .mapToLong(n -> n.measured().glance().bytes())
                .sum();
    }
}
