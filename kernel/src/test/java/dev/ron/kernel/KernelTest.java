package dev.ron.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ron.kernel.call.Ask;
import dev.ron.kernel.call.Reply;
import dev.ron.kernel.channel.Mailbox;
import dev.ron.kernel.channel.Received;
import dev.ron.kernel.channel.Sent;
import dev.ron.kernel.error.RonException;
import dev.ron.kernel.task.Backoff;
import dev.ron.kernel.task.Crash;
import dev.ron.kernel.task.Shutdown;
import dev.ron.kernel.task.Task;
import dev.ron.kernel.task.TaskState;
import dev.ron.kernel.testkit.Eventually;
import dev.ron.kernel.testkit.NoLeaks;
import dev.ron.kernel.testkit.RecordingMeter;
import dev.ron.kernel.time.Clock;
import dev.ron.kernel.time.Deadline;
import dev.ron.kernel.time.VirtualClock;
import dev.ron.kernel.topology.BroadcastSpec;
import dev.ron.kernel.topology.LaneSpec;
import dev.ron.kernel.topology.LockSpec;
import dev.ron.kernel.topology.MailboxSpec;
import dev.ron.kernel.topology.OnDrain;
import dev.ron.kernel.topology.PermitsSpec;
import dev.ron.kernel.topology.Stage;
import dev.ron.kernel.topology.TaskSpec;
import dev.ron.kernel.topology.Topology;
import dev.ron.kernel.topology.WatchSpec;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A whole small service, started and stopped. */
@ExtendWith(NoLeaks.class)
class KernelTest {
    private static final MailboxSpec WORK =
            Topology.mailbox("work", 8).from("listener").to("worker").onDrain(OnDrain.FINISH);
    private static final MailboxSpec REVOKE = Topology.mailbox("revoke", 4);
    private static final BroadcastSpec EVENTS = Topology.broadcast("events", 16);
    private static final WatchSpec CONFIG = Topology.watch("config");
    private static final LockSpec META = Topology.lock("state_meta", 1);
    private static final PermitsSpec INFLIGHT = Topology.permits("inflight", 8);
    private static final LaneSpec FILES = Topology.lane("files", 1, 4);
    private static final TaskSpec WORKER = Topology.task("worker");
    private static final TaskSpec READER = Topology.task("reader").stage(Stage.WATCHERS);
    private static final Topology TOPOLOGY =
            Topology.of("svc-x", "A service.", WORK, REVOKE, EVENTS, CONFIG, META, INFLIGHT, FILES, WORKER, READER);

    private final VirtualClock clock = new VirtualClock();
    private final RecordingMeter meter = new RecordingMeter();
    private final List<Crash> crashes = new CopyOnWriteArrayList<>();
    private final Kernel kernel = new Kernel(TOPOLOGY, clock, meter, Backoff.Policy.DEFAULT, crashes::add);
    private final Shutdown shutdown = new Shutdown(clock, meter, () -> Duration.ofSeconds(5));

    /** Stops without any time passing. */
    private Shutdown.Report stop() {
        kernel.attach(shutdown);
        shutdown.request("test", "");
        return shutdown.awaitStopped(Deadline.after(Clock.system(), Duration.ofSeconds(30)))
                .orElseThrow();
    }

    private static <Q, R> Reply<R> ask(Mailbox<Ask<Q, R>> box, Q question) {
        Ask<Q, R> ask = Ask.of(question);
        assertThat(box.trySend(ask)).isEqualTo(Sent.ACCEPTED);
        return ask.reply();
    }

    @Test
    void whatIsNotDeclaredIsNotMade() {
        assertThatThrownBy(() -> kernel.mailbox(Topology.mailbox("other", 8), (item, cause) -> {}))
                .hasMessage("svc-x: other is not declared in its topology");
        assertThatThrownBy(() -> kernel.mailbox(WORK.from("elsewhere"), (item, cause) -> {}))
                .hasMessageContaining("not declared");
        assertThatThrownBy(() -> kernel.spawn(Topology.task("other"), scope -> {}))
                .hasMessageContaining("other");
        assertThatThrownBy(() -> kernel.kind(Topology.task("other"))).hasMessageContaining("other");
    }

    @Test
    void nothingIsMadeTwiceAndWhatIsMissingIsNamed() {
        assertThat(kernel.missing())
                .containsExactly(
                        "work", "revoke", "events", "config", "state_meta", "inflight", "files", "worker", "reader");
        kernel.mailbox(WORK, (item, cause) -> {});
        assertThatThrownBy(() -> kernel.mailbox(WORK, (item, cause) -> {})).hasMessageContaining("made twice");
        kernel.mailbox(REVOKE, (item, cause) -> {});
        kernel.broadcast(EVENTS);
        kernel.watch(CONFIG, 1);
        kernel.guarded(META, new int[1]);
        assertThat(kernel.permits(INFLIGHT, 3).limit()).isEqualTo(3);
        kernel.lane(FILES);
        kernel.spawn(WORKER, scope -> scope.awaitStop(Deadline.never(clock)));
        kernel.spawn(READER, scope -> scope.awaitStop(Deadline.never(clock)));
        assertThat(kernel.missing()).isEmpty();
        assertThat(stop().clean()).isTrue();
        assertThat(crashes).isEmpty();
    }

    @Test
    void aDrainFinishesOrAnswersEverythingAndNothingCountsAsACrash() {
        Mailbox<Ask<Integer, Integer>> work = kernel.mailbox(WORK, (item, cause) -> {});
        Mailbox<Ask<Integer, Integer>> revoke = kernel.mailbox(REVOKE, (item, cause) -> {});
        var events = kernel.<Integer>broadcast(EVENTS);
        CountDownLatch begin = new CountDownLatch(1);
        kernel.spawn(WORKER, scope -> {
            begin.await();
            for (var next = work.receive(Deadline.never(clock));
                    next.isPresent();
                    next = work.receive(Deadline.never(clock))) {
                next.get().handle(ask -> ask.reply().complete(ask.question() * 2));
            }
        });
        AtomicBoolean told = new AtomicBoolean();
        kernel.spawn(READER, scope -> {
            var reader = scope.own(events.subscribe("reader"));
            while (!(reader.receive(scope.untilStop()).orElse(new Received.Closed<>()) instanceof Received.Closed)) {
                told.set(true);
            }
        });
        Reply<Integer> queued = ask(work, 21);
        Reply<Integer> handedBack = ask(revoke, 1);
        Eventually.await("the reader listens", () -> events.subscribers() == 1);
        events.publish(1);
        Eventually.await("the reader has heard", told::get);
        begin.countDown();
        Shutdown.Report report = stop();
        assertThat(report.clean()).isTrue();
        assertThat(queued.await(Deadline.never(clock))).isEqualTo(42);
        assertThatThrownBy(() -> handedBack.await(Deadline.never(clock)))
                .isInstanceOfSatisfying(
                        RonException.class, e -> assertThat(e.reason()).isEqualTo("draining"));
        assertThat(work.trySend(Ask.of(1))).isEqualTo(Sent.CLOSED);
        assertThat(crashes).isEmpty();
    }

    @Test
    void aQueueWhoseWorkerWaitsToBeRestartedIsStillAnswered() {
        Mailbox<Ask<Integer, Integer>> work = kernel.mailbox(WORK, (item, cause) -> {});
        Task worker = kernel.spawn(WORKER, scope -> {
            throw new IllegalStateException("bug");
        });
        Eventually.await("it has failed", () -> worker.state() == TaskState.BACKOFF);
        Reply<Integer> queued = ask(work, 21);
        assertThat(stop().clean()).isTrue();
        assertThatThrownBy(() -> queued.await(Deadline.never(clock)))
                .isInstanceOfSatisfying(
                        RonException.class, e -> assertThat(e.reason()).isEqualTo("draining"));
    }

    @Test
    void aStuckWorkerIsAbortedItsQuestionsAnsweredAndTheReportSaysSo() {
        Mailbox<Ask<Integer, Integer>> work = kernel.mailbox(WORK, (item, cause) -> {});
        kernel.spawn(
                WORKER,
                scope -> work.receive(Deadline.never(clock)).orElseThrow().handle(ask -> {
                    new CountDownLatch(1).await();
                }));
        Reply<Integer> running = ask(work, 1);
        Eventually.await("it runs", () -> work.depth() == 0);
        Reply<Integer> queued = ask(work, 2);
        Thread time = Thread.ofVirtual().start(() -> {
            Eventually.await("the worker's stage has come", () -> work.trySend(Ask.of(3)) == Sent.CLOSED);
            // To the end of its stage and no further: the moment that an abort is given must not pass, too.
            Eventually.await("the deadline has come", () -> {
                clock.advanceToNextWake();
                return clock.nanos() >= Duration.ofMillis(4500).toNanos();
            });
        });
        Shutdown.Report report = stop();
        Eventually.await("time stands still", () -> !time.isAlive());
        assertThat(report.aborted()).isEqualTo(1);
        assertThat(report.leaked()).isZero();
        assertThat(report.exitCode()).isEqualTo(3);
        for (Reply<Integer> reply : List.of(running, queued)) {
            assertThatThrownBy(() -> reply.await(Deadline.never(clock)))
                    .isInstanceOfSatisfying(
                            RonException.class,
                            e -> assertThat(e.code().status()).isEqualTo(503));
        }
        assertThat(meter.count("tasks_aborted_total", "kind", "worker")).isEqualTo(1);
    }
}
