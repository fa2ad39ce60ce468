package dev.ron.service.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.ron.http.loop.EventLoops;
import dev.ron.kernel.call.Ask;
import dev.ron.kernel.channel.Received;
import dev.ron.kernel.channel.Subscription;
import dev.ron.kernel.error.RonException;
import dev.ron.kernel.task.Backoff;
import dev.ron.kernel.task.Shutdown;
import dev.ron.kernel.testkit.Eventually;
import dev.ron.kernel.testkit.GoldenFile;
import dev.ron.kernel.testkit.NoLeaks;
import dev.ron.kernel.time.Clock;
import dev.ron.kernel.time.Deadline;
import dev.ron.kernel.topology.Topology;
import dev.ron.service.bus.BusEvent;
import dev.ron.service.config.Config;
import dev.ron.service.config.ConfigLoader;
import dev.ron.service.config.ConfigResult;
import dev.ron.service.config.Section;
import dev.ron.service.config.Sources;
import dev.ron.service.health.KeyState;
import dev.ron.service.log.LogFormat;
import dev.ron.service.log.Logs;
import dev.ron.service.reload.ReloadOutcome;
import dev.ron.service.status.Health;
import dev.ron.service.status.Plane;
import dev.ron.service.status.StatusDocument;
import dev.ron.service.status.StatusView;
import java.io.OutputStream;
import java.net.BindException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(NoLeaks.class)
class FrameTest {
    private final Clock clock = Clock.system();
    private final ToyService toy = new ToyService("toy");
    private final ToyService twin = new ToyService("twin");
    private final AtomicReference<Sources> sources = new AtomicReference<>(Sources.none());
    private final Frame frame = open();

    @AfterEach
    void stop() {
        frame.shutdown().request("test", "done");
        frame.awaitStopped(soon());
    }

    @Test
    void aServiceAloneIsTheNode() throws Exception {
        assertThat(frame.phase()).isEqualTo("starting");
        frame.start(List.of(toy));
        assertThat(toy.ask(21).reply().await(soon())).isEqualTo(42);
        assertThat(frame.phase()).isEqualTo("running");
        assertThat(frame.ready().ready()).isTrue();
        assertThat(frame.ready().writeReady()).isTrue();
        assertThat(frame.ready().keys())
                .extracting(KeyState::name)
                .containsExactly("bus_attached", "config_loaded", "queue:work", "started", "task:worker");

        StatusView status = new FrameStatus(frame, Map.of("metrics_addr", "127.0.0.1:1")).view();
        assertThat(status.identity().service()).isEqualTo("svc-toy");
        assertThat(status.planes()).containsExactly(Plane.healthy("toy"), Plane.healthy("toy.doubling"));
        assertThat(status.queues()).containsExactly(new StatusView.QueueLine("work", 0, 4, 0));
        assertThat(status.tasks()).containsExactly(new StatusView.TaskLine("worker", "running", 0));
        assertThat(status.serviceData()).isEqualTo(Map.of("factor", 2));
        assertThat(new String(StatusDocument.body(status), StandardCharsets.UTF_8))
                .contains("\"metrics_addr\":\"127.0.0.1:1\"", "\"services\":{\"svc-toy\":\"ok\"}");
    }

    @Test
    void aProcessIsNotReadyBeforeItsLastServiceIs() throws Exception {
        assertThat(frame.ready().ready()).as("before the first").isFalse();
        List<Boolean> between = new ArrayList<>();
        RonService late = new RonService() {
            @Override
            public String name() {
                return twin.name();
            }

            @Override
            public Topology topology() {
                between.add(frame.ready().ready());
                return twin.topology();
            }

            @Override
            public void start(ServiceContext context) {
                twin.start(context);
            }
        };
        frame.start(List.of(toy, late));
        assertThat(between).as("after the first, before the second").containsExactly(false);
        assertThat(frame.ready().ready()).isTrue();
    }

    @Test
    void servicesBesideEachOtherKeepTheirNames() throws Exception {
        frame.start(List.of(toy, twin));
        assertThat(frame.ready().keys()).extracting(KeyState::name).contains("toy.task:worker", "twin.task:worker");
        StatusView status = new FrameStatus(frame, Map.of()).view();
        assertThat(status.identity().service()).isEqualTo("ron-node");
        assertThat(status.identity().profile()).isEqualTo("macronode");
        assertThat(status.queues()).extracting(StatusView.QueueLine::name).containsExactly("toy.work", "twin.work");
        assertThat(status.serviceData()).containsOnlyKeys("toy", "twin");
        assertThat(page())
                .contains("queue_depth{queue=\"work\",service=\"toy\"} 0.0")
                .contains("queue_depth{queue=\"work\",service=\"twin\"} 0.0")
                .contains("tasks_live{kind=\"worker\",service=\"toy\"} 1.0")
                .contains("ready_state{service=\"toy\"} 2.0")
                .contains("ready_state{service=\"node\"} 2.0")
                .contains("amnesia_mode{service=\"node\"} 0.0")
                .contains("service_info{build_version=\"");
    }

    @Test
    void aTaskInQuarantineTakesOnlyItsOwnServiceDown() throws Exception {
        try (Subscription<BusEvent> events = frame.bus().subscribe("test")) {
            frame.start(List.of(toy, twin));
            for (int i = 0; i < 5; i++) {
                assertThatThrownBy(() -> toy.ask(-1).reply().await(soon())).isInstanceOf(RonException.class);
            }
            Eventually.await("quarantine", () -> !frame.ready("toy").ready());
            assertThat(frame.ready("toy").missing())
                    .extracting(KeyState::cause)
                    .containsExactly("worker failed too often and is in quarantine");
            assertThat(frame.ready("twin").writeReady()).isTrue();
            assertThat(frame.ready().missing()).extracting(KeyState::name).containsExactly("toy.task:worker");
            Plane plane = new FrameStatus(frame, Map.of()).view().planes().getFirst();
            assertThat(plane.health()).isEqualTo(Health.DOWN);
            assertThat(plane.restartCount()).isEqualTo(4);
            List<BusEvent> told = new ArrayList<>();
            Eventually.await("all hear of it", () -> {
                told.addAll(crashes(events));
                return told.contains(new BusEvent.ServiceCrashed("toy", "quarantined"));
            });
            assertThat(told).contains(new BusEvent.ServiceCrashed("toy", "panic:IllegalArgumentException"));

            assertThat(frame.resume()).isEqualTo(1);
            Eventually.await("back", () -> frame.ready("toy").ready());
            assertThat(toy.ask(1).reply().await(soon())).isEqualTo(2);
        }
    }

    // loop blocked for over a second | probe   ->  unready while stuck, ready again after
    @Test
    void aStuckEventLoopMakesTheProcessUnready() throws Exception {
        frame.start(List.of(toy));
        CountDownLatch release = new CountDownLatch(1);
        try (EventLoops loops = new EventLoops("data", 1)) {
            frame.watch(loops);
            Eventually.await("the loop turns", () -> frame.ready().ready());
            loops.group().execute(() -> {
                try {
                    release.await();
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            });
            Eventually.await("noticed", () -> !frame.ready().ready());
            assertThat(frame.ready().missing()).extracting(KeyState::name).containsExactly("loops:data");
            assertThat(page()).contains("event_loop_lag_seconds{loop=\"");
            release.countDown();
            Eventually.await("recovered", () -> frame.ready().ready());
        }
    }

    @Test
    void drainTurnsUnreadyAndResumeTakesItBack() throws Exception {
        frame.start(List.of(toy));
        frame.drain("operator");
        assertThat(frame.ready().ready()).isFalse();
        assertThat(frame.ready("toy").missing())
                .extracting(KeyState::name, KeyState::cause)
                .containsExactly(tuple("draining", "drained by operator"));
        assertThat(toy.ask(2).reply().await(soon()))
                .as("what comes is still served")
                .isEqualTo(4);
        frame.resume();
        assertThat(frame.ready().writeReady()).isTrue();
    }

    @Test
    void aHotKeyReachesTheRunningService() throws Exception {
        frame.start(List.of(toy));
        sources.set(Sources.none().withSet("toy.factor=10"));
        assertThat(frame.reloader().request("api").await(soon()).outcome()).isEqualTo(ReloadOutcome.APPLIED);
        assertThat(toy.ask(2).reply().await(soon())).isEqualTo(20);
        sources.set(Sources.none().withSet("toy.capacity=10"));
        assertThat(frame.reloader().request("api").await(soon()).outcome()).isEqualTo(ReloadOutcome.RESTART_REQUIRED);
    }

    // shutdown | queued questions   ->  each answered exactly once, exit 0
    @Test
    void whatWasAcceptedIsAnsweredBeforeTheEnd() throws Exception {
        frame.start(List.of(toy));
        List<Ask<Integer, Integer>> asked = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            asked.add(toy.ask(i));
        }
        frame.shutdown().request("test", "stop");
        assertThat(frame.ready().ready()).isFalse();
        Shutdown.Report report = frame.awaitStopped(soon());
        assertThat(report.clean()).as(report.toString()).isTrue();
        assertThat(report.exitCode()).isZero();
        assertThat(asked).allMatch(a -> a.reply().answered());
        assertThat(frame.phase()).isEqualTo("stopped");
        assertThat(page()).contains("shutdown_drains_total{result=\"clean\",service=\"node\"} 1.0");
    }

    @Test
    void aServiceThatCannotStartStopsTheRest() {
        RonService broken = new RonService() {
            @Override
            public String name() {
                return "twin";
            }

            @Override
            public Topology topology() {
                return Topology.of("twin", "never starts");
            }

            @Override
            public void start(ServiceContext context) throws Exception {
                throw new BindException("port 80 is taken");
            }
        };
        assertThatThrownBy(() -> frame.start(List.of(toy, broken))).hasMessage("port 80 is taken");
        assertThat(frame.awaitStopped(soon()).clean()).isTrue();
    }

    @Test
    void aPartThatIsDeclaredMustBeMade() {
        RonService lazy = new RonService() {
            @Override
            public String name() {
                return "twin";
            }

            @Override
            public Topology topology() {
                return Topology.of("twin", "forgets its queue", ToyService.WORK);
            }

            @Override
            public void start(ServiceContext context) {}
        };
        assertThatThrownBy(() -> frame.start(List.of(lazy))).hasMessageContaining("does not make [work]");
    }

    @Test
    void everyDeclaredPartOfTheFrameLives() {
        assertThat(frame.kernel().missing()).isEmpty();
    }

    @Test
    void topologyDocumentSaysWhatTheCodeSays() {
        GoldenFile.of("design/topology/node.md").matches(FrameTopology.TOPOLOGY.markdown());
    }

    private Frame open() {
        Logs logs = Logs.install(LogFormat.JSON, "error", OutputStream.nullOutputStream());
        FrameSettings settings = new FrameSettings(
                "macro",
                false,
                new Backoff.Policy(Duration.ofMillis(10), Duration.ofMillis(20), 5, Duration.ofSeconds(60)),
                c -> Duration.ofSeconds(30),
                c -> Duration.ZERO,
                c -> "error",
                Optional.empty());
        if (!(load() instanceof ConfigResult.Loaded(Config first))) {
            throw new AssertionError();
        }
        return Frame.open(settings, clock, first, this::load, logs);
    }

    private ConfigResult load() {
        List<Section<?>> sections = List.of(toy.section());
        return ConfigLoader.load(sections, sources.get());
    }

    private static List<BusEvent> crashes(Subscription<BusEvent> events) {
        List<BusEvent> seen = new ArrayList<>();
        for (var next = events.tryReceive(); next.isPresent(); next = events.tryReceive()) {
            if (next.get() instanceof Received.Item<BusEvent>(var _, BusEvent.ServiceCrashed crash)) {
                seen.add(crash);
            }
        }
        return seen;
    }

    private String page() {
        return new String(frame.metrics().scrape("").body(), StandardCharsets.UTF_8);
    }

    private Deadline soon() {
        return Deadline.after(clock, Duration.ofSeconds(30));
    }
}
