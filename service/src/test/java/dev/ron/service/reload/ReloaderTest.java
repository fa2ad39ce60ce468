package dev.ron.service.reload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ron.kernel.Kernel;
import dev.ron.kernel.call.Ask;
import dev.ron.kernel.call.Reply;
import dev.ron.kernel.channel.Mailbox;
import dev.ron.kernel.channel.Received;
import dev.ron.kernel.channel.Subscription;
import dev.ron.kernel.channel.Watch;
import dev.ron.kernel.error.RonException;
import dev.ron.kernel.task.Backoff;
import dev.ron.kernel.task.Shutdown;
import dev.ron.kernel.testkit.Eventually;
import dev.ron.kernel.testkit.NoLeaks;
import dev.ron.kernel.time.Clock;
import dev.ron.kernel.time.Deadline;
import dev.ron.kernel.topology.Topology;
import dev.ron.kernel.topology.WatchSpec;
import dev.ron.service.bus.Bus;
import dev.ron.service.bus.BusEvent;
import dev.ron.service.config.Change;
import dev.ron.service.config.Config;
import dev.ron.service.config.ConfigChange;
import dev.ron.service.config.ConfigLoader;
import dev.ron.service.config.ConfigResult;
import dev.ron.service.config.Default;
import dev.ron.service.config.OnChange;
import dev.ron.service.config.Range;
import dev.ron.service.config.Section;
import dev.ron.service.config.Sources;
import dev.ron.service.metrics.Metrics;
import dev.ron.service.metrics.ServiceMetrics;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

@ExtendWith(NoLeaks.class)
class ReloaderTest {
    record Limits(
            @Default("1") @Range(min = 1, max = 100) @OnChange(Change.HOT)
            int rps,

            @Default("2") @OnChange(Change.HOT) int burst,
            @Default("512") int capacity) {}

    private static final List<Section<?>> SECTIONS = List.of(Section.of("limits", Limits.class));
    private static final WatchSpec CONFIG = Topology.watch("config");

    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path dir;

    private final Clock clock = Clock.system();
    private final Metrics metrics = new Metrics();
    private final ServiceMetrics node = metrics.service("node");
    private final Kernel kernel = new Kernel(
            Topology.of("node", "test", Reloader.QUEUE, Reloader.TASK, Bus.SPEC, CONFIG),
            clock,
            node,
            Backoff.Policy.DEFAULT,
            crash -> {});
    private final Shutdown shutdown = new Shutdown(clock, node, () -> Duration.ofSeconds(30));
    private final Bus bus = new Bus(kernel.broadcast(Bus.SPEC), node);
    private final Mailbox<Ask<String, ReloadReport>> queue = kernel.mailbox(Reloader.QUEUE, (ask, cause) -> {});
    private final List<String> calls = new ArrayList<>();
    private @Nullable Reloader reloader;

    @BeforeEach
    void start() throws IOException {
        kernel.attach(shutdown);
        file("");
        if (!(load() instanceof ConfigResult.Loaded first)) {
            throw new AssertionError();
        }
        Watch.Writer<Config> config = kernel.watch(CONFIG, first.config());
        reloader = new Reloader(queue, this::load, config, bus, clock, node);
    }

    @AfterEach
    void stop() {
        shutdown.request("test", "done");
        assertThat(shutdown.awaitStopped(Deadline.after(clock, Duration.ofSeconds(30))))
                .isPresent();
    }

    @Test
    void aHotChangeIsAppliedWholeAndTold() throws IOException {
        try (Subscription<BusEvent> events = bus.subscribe("test")) {
            reloader().subscribe(recording("a"));
            file("[limits]\nrps = 9\nburst = 8\n");
            ReloadReport report = ask("api");
            assertThat(report.outcome()).isEqualTo(ReloadOutcome.APPLIED);
            assertThat(report.version()).isEqualTo(2);
            assertThat(report.details()).containsExactly("limits.burst: 2 -> 8", "limits.rps: 1 -> 9");
            assertThat(limits()).isEqualTo(new Limits(9, 8, 512));
            assertThat(calls).containsExactly("prepare a sees 1 wants 9", "commit a sees 9");
            assertThat(events.tryReceive()).contains(new Received.Item<>(0, new BusEvent.ConfigUpdated(2)));
            assertThat(page())
                    .contains("config_reloads_total{outcome=\"applied\",service=\"node\",source=\"api\"} 1.0")
                    .contains("config_version{service=\"node\"} 2.0")
                    .contains("config_reload_duration_seconds_count{service=\"node\"} 1");
        }
    }

    @Test
    void nothingNewIsNoEvent() {
        try (Subscription<BusEvent> events = bus.subscribe("test")) {
            assertThat(ask("signal").outcome()).isEqualTo(ReloadOutcome.NOOP);
            assertThat(events.tryReceive()).isEmpty();
            assertThat(reloader().current().version()).isEqualTo(1);
        }
    }

    @Test
    void whatCannotBeReadChangesNothing() throws IOException {
        file("[limits\n");
        assertUnchanged(ReloadOutcome.PARSE_ERROR, "ron.toml:1: ");
        Files.delete(dir.resolve("ron.toml"));
        assertUnchanged(ReloadOutcome.PARSE_ERROR, "no such file");
    }

    @Test
    void whatIsWrongChangesNothingAndAllOfItIsNamed() throws IOException {
        file("[limits]\nrps = 0\nburts = 1\n");
        ReloadReport report = assertUnchanged(ReloadOutcome.INVALID, "limits.burts: unknown key (did you mean burst?)");
        assertThat(report.details()).hasSize(2);
    }

    @Test
    void aKeyThatNeedsARestartRefusesTheWholeReload() throws IOException {
        file("[limits]\nrps = 9\ncapacity = 1\n");
        ReloadReport report = assertUnchanged(ReloadOutcome.RESTART_REQUIRED, "limits.capacity: 512 -> 1");
        assertThat(report.details()).hasSize(1);
    }

    @Test
    void aPartThatCannotGetReadyCallsItOff() throws IOException {
        reloader().subscribe(recording("a"));
        reloader().subscribe(new ConfigSubscriber() {
            @Override
            public String name() {
                return "listener";
            }

            @Override
            public Change prepare(Config next, List<ConfigChange> changes) throws IOException {
                throw new IOException("port 80 is taken");
            }
        });
        file("[limits]\nrps = 9\n");
        assertUnchanged(ReloadOutcome.PREPARE_FAILED, "listener: port 80 is taken");
        assertThat(calls).containsExactly("prepare a sees 1 wants 9", "rollback a sees 1");
    }

    @Test
    void aPartThatFailsWhileChangingOverIsPutBackWithTheRest() throws IOException {
        reloader().subscribe(recording("a"));
        reloader().subscribe(new ConfigSubscriber() {
            @Override
            public String name() {
                return "b";
            }

            @Override
            public Change prepare(Config next, List<ConfigChange> changes) {
                return Change.of(
                        () -> {
                            throw new IllegalStateException("b broke");
                        },
                        () -> calls.add("rollback b"));
            }
        });
        file("[limits]\nrps = 9\n");
        assertUnchanged(ReloadOutcome.ROLLED_BACK, "b broke");
        assertThat(calls)
                .containsExactly("prepare a sees 1 wants 9", "commit a sees 9", "rollback b", "rollback a sees 1");
    }

    // reload running | 16 more ask   ->  one more reload answers all of them; the 17th is told to wait
    @Test
    void requestsDuringAReloadAreAnsweredTogether() throws IOException {
        CountDownLatch entered = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        reloader().subscribe(new ConfigSubscriber() {
            @Override
            public String name() {
                return "slow";
            }

            @Override
            public Change prepare(Config next, List<ConfigChange> changes) throws InterruptedException {
                entered.countDown();
                go.await();
                return Change.of(() -> {}, () -> {});
            }
        });
        file("[limits]\nrps = 9\n");
        kernel.spawn(Reloader.TASK, reloader()::run);
        Reply<ReloadReport> first = reloader().request("api");
        Eventually.await("the first is running", () -> entered.getCount() == 0);
        List<Reply<ReloadReport>> more = new ArrayList<>();
        for (int i = 0; i < 16; i++) {
            more.add(reloader().request("signal"));
        }
        assertThatThrownBy(() -> reloader().request("signal").await(soon()))
                .isInstanceOfSatisfying(
                        RonException.class, e -> assertThat(e.reason()).isEqualTo("busy"));
        go.countDown();
        assertThat(first.await(soon()).outcome()).isEqualTo(ReloadOutcome.APPLIED);
        assertThat(more).allMatch(r -> r.await(soon()).outcome() == ReloadOutcome.NOOP);
        assertThat(page()).contains("config_reloads_total{outcome=\"noop\",service=\"node\",source=\"signal\"} 1.0");
    }

    // 200 reloads | readers   ->  every reader sees rps and burst of the same version
    @Test
    void readersNeverSeeAMix() throws Exception {
        AtomicReference<String> mix = new AtomicReference<>("");
        Thread[] readers = new Thread[2];
        AtomicReference<Boolean> done = new AtomicReference<>(false);
        for (int i = 0; i < readers.length; i++) {
            readers[i] = Thread.ofPlatform().start(() -> {
                while (!done.get()) {
                    Limits l = limits();
                    if (l.rps() != 1 && l.rps() != l.burst()) {
                        mix.set(l.toString());
                    }
                    Thread.onSpinWait();
                }
            });
        }
        for (int i = 3; i < 100; i++) {
            file("[limits]\nrps = " + i + "\nburst = " + i + "\n");
            assertThat(reloader().reload("api").outcome()).isEqualTo(ReloadOutcome.APPLIED);
        }
        done.set(true);
        for (Thread t : readers) {
            t.join();
        }
        assertThat(mix.get()).isEmpty();
    }

    private ReloadReport assertUnchanged(ReloadOutcome outcome, String detail) {
        Config before = reloader().current();
        ReloadReport report = ask("api");
        assertThat(report.outcome()).isEqualTo(outcome);
        assertThat(report.details()).anyMatch(d -> d.contains(detail));
        assertThat(report.version()).isEqualTo(1);
        assertThat(reloader().current()).isSameAs(before);
        assertThat(page()).contains("config_reload_errors_total{reason=\"" + outcome.word() + "\",service=\"node\"}");
        return report;
    }

    private ReloadReport ask(String source) {
        return reloader().reload(source);
    }

    private ConfigSubscriber recording(String name) {
        return new ConfigSubscriber() {
            @Override
            public String name() {
                return name;
            }

            @Override
            public Change prepare(Config next, List<ConfigChange> changes) {
                calls.add("prepare " + name + " sees " + limits().rps() + " wants "
                        + next.section(Limits.class).rps());
                return Change.of(
                        () -> calls.add("commit " + name + " sees " + limits().rps()),
                        () -> calls.add("rollback " + name + " sees " + limits().rps()));
            }
        };
    }

    private Limits limits() {
        return reloader().current().section(Limits.class);
    }

    private Reloader reloader() {
        if (reloader == null) {
            throw new AssertionError("not started");
        }
        return reloader;
    }

    private ConfigResult load() {
        return ConfigLoader.load(SECTIONS, Sources.none().withFile(dir.resolve("ron.toml")));
    }

    private void file(String text) throws IOException {
        Files.writeString(dir.resolve("ron.toml"), text);
    }

    private Deadline soon() {
        return Deadline.after(clock, Duration.ofSeconds(30));
    }

    private String page() {
        return new String(metrics.scrape("").body(), StandardCharsets.UTF_8);
    }
}
