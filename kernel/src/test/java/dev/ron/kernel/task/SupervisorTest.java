package dev.ron.kernel.task;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.kernel.channel.Watch;
import dev.ron.kernel.testkit.Eventually;
import dev.ron.kernel.testkit.NoLeaks;
import dev.ron.kernel.testkit.RecordingMeter;
import dev.ron.kernel.time.Clock;
import dev.ron.kernel.time.Deadline;
import dev.ron.kernel.time.VirtualClock;
import dev.ron.kernel.topology.Stage;
import dev.ron.kernel.topology.TaskSpec;
import dev.ron.kernel.topology.Topology;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(NoLeaks.class)
class SupervisorTest {
    private static final TaskSpec WORKER = Topology.task("worker");
    private static final TaskSpec ONCE =
            Topology.task("request").restart(TaskSpec.Restart.NEVER).instances("one per request");

    private final VirtualClock clock = new VirtualClock();
    private final RecordingMeter meter = new RecordingMeter();
    private final List<Crash> crashes = new CopyOnWriteArrayList<>();
    private final Supervisor supervisor = new Supervisor("svc-x", clock, meter, Backoff.Policy.DEFAULT, crashes::add);

    private long count(String family, String kind) {
        return meter.count(family, "kind", kind);
    }

    private static void ended(Task task) {
        assertThat(task.join(Deadline.after(Clock.system(), Duration.ofSeconds(30))))
                .isTrue();
        assertThat(task.state()).isEqualTo(TaskState.STOPPED);
    }

    private static void is(Task task, TaskState state) {
        Eventually.await(task.name() + " is " + state, () -> task.state() == state);
    }

    /** Moves time past one back-off. */
    private void waitOut(Task task) {
        is(task, TaskState.BACKOFF);
        Eventually.await("it sleeps", () -> clock.sleeping() == 1);
        List<Long> sleep = clock.wakeTimes();
        clock.advance(Duration.ofSeconds(10));
        Eventually.await("it woke", () -> !clock.wakeTimes().equals(sleep));
    }

    @Test
    void aTaskRunsUntilItIsStopped() {
        Task task = supervisor.spawn(WORKER, scope -> scope.awaitStop(Deadline.never(scope.clock())));
        is(task, TaskState.RUNNING);
        assertThat(task.name()).isEqualTo("worker");
        assertThat(supervisor.tasks()).containsExactly(task);
        task.stop();
        ended(task);
        assertThat(supervisor.tasks()).isEmpty();
        assertThat(supervisor.liveByKind()).containsEntry("worker", 0);
        assertThat(count("tasks_spawned_total", "worker")).isEqualTo(1);
        assertThat(count("tasks_completed_total", "worker")).isEqualTo(1);
        assertThat(count("tasks_panicked_total", "worker")).isZero();
    }

    @Test
    void instancesOfAKindAreNumbered() {
        Task first = supervisor.spawn(ONCE, scope -> {});
        Task second = supervisor.spawn(ONCE, scope -> {});
        assertThat(List.of(first.name(), second.name())).containsExactly("request-1", "request-2");
        ended(first);
        ended(second);
    }

    @Test
    void aPanicIsCountedAndTheTaskStartsAgain() {
        AtomicInteger lives = new AtomicInteger();
        Task task = supervisor.spawn(WORKER, scope -> {
            if (lives.incrementAndGet() == 1) {
                throw new StackOverflowError("deep");
            }
            scope.awaitStop(Deadline.never(scope.clock()));
        });
        waitOut(task);
        is(task, TaskState.RUNNING);
        assertThat(task.restarts()).isEqualTo(1);
        assertThat(crashes).containsExactly(new Crash("svc-x", "worker", "panic:StackOverflowError", false));
        assertThat(count("tasks_panicked_total", "worker")).isEqualTo(1);
        assertThat(meter.count("service_restarts_total", "component", "worker")).isEqualTo(1);
        task.stop();
        ended(task);
    }

    @Test
    void aBodyThatReturnsByItselfHasFailed() {
        Task task = supervisor.spawn(WORKER, scope -> {});
        is(task, TaskState.BACKOFF);
        Eventually.await("it is reported", () -> !crashes.isEmpty());
        assertThat(crashes.getFirst().reason()).isEqualTo("unexpected_exit");
        task.stop();
        ended(task);
    }

    @Test
    void aBodyThatReturnsDuringTheDrainHasNotFailed() {
        supervisor.drain();
        Task task = supervisor.spawn(WORKER, scope -> {});
        ended(task);
        assertThat(crashes).isEmpty();
        assertThat(count("tasks_completed_total", "worker")).isEqualTo(1);
    }

    @Test
    void aTaskThatRunsOnceIsNotStartedAgain() {
        Task fine = supervisor.spawn(ONCE, scope -> {});
        Task bad = supervisor.spawn(ONCE, scope -> {
            throw new IllegalStateException("bug");
        });
        ended(fine);
        ended(bad);
        assertThat(count("tasks_completed_total", "request")).isEqualTo(1);
        assertThat(count("tasks_panicked_total", "request")).isEqualTo(1);
        assertThat(crashes).extracting(Crash::quarantined).containsExactly(false);
    }

    @Test
    void fiveFailuresInAMinuteQuarantineAndResumeLiftsIt() {
        AtomicBoolean healthy = new AtomicBoolean();
        AtomicInteger lives = new AtomicInteger();
        Task task = supervisor.spawn(WORKER, scope -> {
            lives.incrementAndGet();
            if (!healthy.get()) {
                throw new IllegalStateException("bug");
            }
            scope.awaitStop(Deadline.never(scope.clock()));
        });
        for (int failure = 1; failure < 5; failure++) {
            waitOut(task);
        }
        is(task, TaskState.QUARANTINED);
        Eventually.await("it is reported", () -> crashes.size() == 5);
        assertThat(crashes).extracting(Crash::quarantined).containsExactly(false, false, false, false, true);
        clock.advance(Duration.ofHours(1));
        assertThat(lives).hasValue(5);
        healthy.set(true);
        task.resume();
        Eventually.await("it lives again", () -> lives.get() == 6);
        is(task, TaskState.RUNNING);
        task.stop();
        ended(task);
    }

    @Test
    void whoHearsOfAQuarantineMayLiftItAtOnce() {
        AtomicBoolean healthy = new AtomicBoolean();
        Supervisor[] self = new Supervisor[1];
        Supervisor lifting = new Supervisor(
                "svc-x",
                clock,
                meter,
                new Backoff.Policy(Duration.ofMillis(100), Duration.ofSeconds(30), 1, Duration.ofSeconds(60)),
                crash -> {
                    healthy.set(true);
                    self[0].tasks().forEach(Task::resume);
                });
        self[0] = lifting;
        Task task = lifting.spawn(WORKER, scope -> {
            if (!healthy.get()) {
                throw new IllegalStateException("bug");
            }
            scope.awaitStop(Deadline.never(scope.clock()));
        });
        is(task, TaskState.RUNNING);
        Eventually.await("it runs again", () -> task.restarts() == 1);
        task.stop();
        ended(task);
    }

    @Test
    void failuresFarApartAreForgiven() {
        Task task = supervisor.spawn(WORKER, scope -> {
            throw new IllegalStateException("bug");
        });
        for (int failure = 1; failure <= 12; failure++) {
            is(task, TaskState.BACKOFF);
            Eventually.await("it sleeps", () -> clock.sleeping() == 1);
            clock.advance(Duration.ofSeconds(30));
            int wanted = failure;
            Eventually.await("it has failed again", () -> crashes.size() > wanted);
        }
        task.stop();
        ended(task);
        assertThat(crashes).extracting(Crash::quarantined).containsOnly(false);
    }

    @Test
    void stopDuringBackoffStartsNothing() {
        AtomicInteger lives = new AtomicInteger();
        Task task = supervisor.spawn(WORKER, scope -> {
            lives.incrementAndGet();
            throw new IllegalStateException("bug");
        });
        is(task, TaskState.BACKOFF);
        task.stop();
        ended(task);
        assertThat(lives).hasValue(1);
    }

    @Test
    void stopEndsAQuarantine() {
        Supervisor strict = new Supervisor(
                "svc-x",
                clock,
                meter,
                new Backoff.Policy(Duration.ofMillis(100), Duration.ofSeconds(30), 1, Duration.ofSeconds(60)),
                crashes::add);
        Task task = strict.spawn(WORKER, scope -> {
            throw new IllegalStateException("bug");
        });
        is(task, TaskState.QUARANTINED);
        task.stop();
        ended(task);
    }

    @Test
    void aCrashDuringTheStopIsNotRestarted() {
        AtomicInteger lives = new AtomicInteger();
        Task task = supervisor.spawn(WORKER, scope -> {
            lives.incrementAndGet();
            scope.awaitStop(Deadline.never(scope.clock()));
            throw new IllegalStateException("while stopping");
        });
        is(task, TaskState.RUNNING);
        task.stop();
        ended(task);
        assertThat(lives).hasValue(1);
        assertThat(count("tasks_panicked_total", "worker")).isEqualTo(1);
    }

    @Test
    void aReporterThatFailsDoesNotEndTheTask() {
        AtomicInteger lives = new AtomicInteger();
        Supervisor noisy = new Supervisor("svc-x", clock, meter, Backoff.Policy.DEFAULT, crash -> {
            throw new IllegalStateException("nobody listens");
        });
        Task task = noisy.spawn(WORKER, scope -> {
            if (lives.incrementAndGet() == 1) {
                throw new IllegalStateException("bug");
            }
            scope.awaitStop(Deadline.never(scope.clock()));
        });
        waitOut(task);
        is(task, TaskState.RUNNING);
        task.stop();
        ended(task);
    }

    @Test
    void anAbortInterruptsOnceCountedAndClosesWhatIsOwned() {
        AtomicInteger closed = new AtomicInteger();
        Task task = supervisor.spawn(WORKER, scope -> {
            scope.own(closed::incrementAndGet);
            new CountDownLatch(1).await();
        });
        is(task, TaskState.RUNNING);
        Eventually.await("it waits", () -> task.thread().getState() == Thread.State.WAITING);
        assertThat(supervisor.abort(Stage.WORK)).isEqualTo(1);
        supervisor.abort(Stage.WORK);
        ended(task);
        assertThat(closed).hasValue(1);
        assertThat(count("tasks_aborted_total", "worker")).isEqualTo(1);
        assertThat(count("tasks_canceled_total", "worker")).isEqualTo(1);
        assertThat(crashes).isEmpty();
    }

    @Test
    void anAbortDuringBackoffEndsQuietly() {
        Task task = supervisor.spawn(WORKER, scope -> {
            throw new IllegalStateException("bug");
        });
        is(task, TaskState.BACKOFF);
        supervisor.abort(Stage.WORK);
        ended(task);
    }

    @Test
    void whatIsOwnedIsClosedLastOpenedFirst() {
        List<String> closed = new CopyOnWriteArrayList<>();
        Task task = supervisor.spawn(ONCE, scope -> {
            scope.own(() -> closed.add("first"));
            scope.own(() -> {
                closed.add("second");
                throw new IllegalStateException("cannot close");
            });
        });
        ended(task);
        assertThat(closed).containsExactly("second", "first");
    }

    @Test
    void aTaskThatIgnoresEverythingIsCountedAsLeaked() {
        AtomicBoolean release = new AtomicBoolean();
        Task task = supervisor.spawn(WORKER, scope -> {
            while (!release.get()) {
                Thread.onSpinWait();
            }
        });
        is(task, TaskState.RUNNING);
        supervisor.stop(Stage.WORK);
        supervisor.abort(Stage.WORK);
        assertThat(task.state()).isEqualTo(TaskState.STOPPING);
        assertThat(supervisor.join(Stage.WORK, Deadline.after(clock, Duration.ZERO)))
                .isFalse();
        assertThat(supervisor.leaked(Stage.WORK)).isEqualTo(1);
        assertThat(count("tasks_leaked_total", "worker")).isEqualTo(1);
        release.set(true);
        ended(task);
    }

    @Test
    void joinWaitsForEveryTaskOfTheStageAndForNoOther() {
        Task work = supervisor.spawn(WORKER, scope -> scope.awaitStop(Deadline.never(scope.clock())));
        Task later = supervisor.spawn(
                Topology.task("sampler").stage(Stage.WATCHERS),
                scope -> scope.awaitStop(Deadline.never(scope.clock())));
        supervisor.stop(Stage.WORK);
        assertThat(supervisor.join(Stage.WORK, Deadline.after(Clock.system(), Duration.ofSeconds(30))))
                .isTrue();
        assertThat(work.state()).isEqualTo(TaskState.STOPPED);
        assertThat(later.state()).isNotEqualTo(TaskState.STOPPED);
        later.stop();
        ended(later);
    }

    @Test
    void aTaskStartedAfterItsStageHasStoppedIsToldAtOnce() {
        supervisor.stop(Stage.WORK);
        Task task = supervisor.spawn(WORKER, scope -> {
            throw new AssertionError("a task that runs for ever must not begin any more");
        });
        ended(task);
        assertThat(crashes).isEmpty();
    }

    @Test
    void workThatWasAcceptedIsStillDoneAfterTheStop() {
        supervisor.stop(Stage.WORK);
        AtomicBoolean answered = new AtomicBoolean();
        Task task = supervisor.spawn(ONCE, scope -> answered.set(scope.stopping()));
        ended(task);
        assertThat(answered).isTrue();
    }

    @Test
    void untilStopEndsAWaitOnASourceThatOutlivesTheTask() {
        Watch.Writer<Integer> writer = Watch.of(1);
        AtomicBoolean empty = new AtomicBoolean();
        Task task = supervisor.spawn(WORKER, scope -> {
            empty.set(writer.watch().awaitNewerThan(1, scope.untilStop()).isEmpty());
        });
        Eventually.await("it waits", () -> clock.parked() == 1);
        assertThat(clock.sleeping()).isZero();
        task.stop();
        ended(task);
        assertThat(empty).isTrue();
        assertThat(writer.watch().closed()).isFalse();
    }

    @Test
    void untilStopCanBeShortened() {
        Task task = supervisor.spawn(ONCE, scope -> {
            Deadline soon = scope.untilStop().within(Duration.ofSeconds(5));
            assertThat(Watch.of(1).watch().awaitNewerThan(1, soon)).isEmpty();
        });
        Eventually.await("it waits", () -> clock.sleeping() == 1);
        clock.advance(Duration.ofSeconds(5));
        ended(task);
        assertThat(count("tasks_completed_total", "request")).isEqualTo(1);
    }

    @Test
    void tasksThatFailTogetherDoNotStartTogether() {
        Set<Long> waits = ConcurrentHashMap.newKeySet();
        for (int i = 0; i < 20; i++) {
            Thread thread = Thread.ofVirtual().start(() -> {
                Task task = supervisor.spawn(Topology.task("flaky").instances("many"), scope -> {
                    throw new IllegalStateException("bug");
                });
                is(task, TaskState.BACKOFF);
            });
            Eventually.await(() -> !thread.isAlive());
        }
        Eventually.await("all sleep", () -> clock.sleeping() == 20);
        waits.addAll(clock.wakeTimes());
        assertThat(waits.size()).as("different wake times").isGreaterThan(10);
        List<Task> tasks = supervisor.tasks();
        tasks.forEach(Task::stop);
        tasks.forEach(SupervisorTest::ended);
    }
}
