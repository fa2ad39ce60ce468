package dev.ron.kernel.task;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.kernel.testkit.Crew;
import dev.ron.kernel.testkit.Eventually;
import dev.ron.kernel.testkit.NoLeaks;
import dev.ron.kernel.testkit.RecordingMeter;
import dev.ron.kernel.time.Clock;
import dev.ron.kernel.time.Deadline;
import dev.ron.kernel.time.VirtualClock;
import dev.ron.kernel.topology.Stage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(NoLeaks.class)
class ShutdownTest {
    /** Of five seconds, work has nine tenths; an abort is given one more second. */
    private static final Duration WORK_ENDS = Duration.ofMillis(4500);

    private static final Duration ABORT_GRACE = Duration.ofSeconds(1);

    private final VirtualClock clock = new VirtualClock();
    private final RecordingMeter meter = new RecordingMeter();
    private final List<String> log = new CopyOnWriteArrayList<>();
    private final Shutdown shutdown = new Shutdown(clock, meter, () -> Duration.ofSeconds(5));

    /** A member whose way to end is given. */
    private final class Member implements Drainable {
        final String name;
        final Stage stage;
        final CountDownLatch done = new CountDownLatch(1);
        final AtomicInteger aborts = new AtomicInteger();
        boolean obeysAbort = true;
        boolean throwing;

        Member(String name, Stage stage, boolean ready) {
            this.name = name;
            this.stage = stage;
            if (ready) {
                done.countDown();
            }
            shutdown.register(this);
        }

        @Override
        public String name() {
            return name;
        }

        @Override
        public Stage stage() {
            return stage;
        }

        @Override
        public boolean drain(Deadline deadline) {
            log.add("drain " + name);
            if (throwing) {
                throw new IllegalStateException("cannot");
            }
            try {
                done.await();
            } catch (InterruptedException _) {
                return false;
            }
            log.add("done " + name);
            return true;
        }

        @Override
        public int abort() {
            log.add("abort " + name);
            if (obeysAbort) {
                done.countDown();
            }
            return aborts.incrementAndGet() == 1 ? 2 : 0;
        }

        @Override
        public int leaked() {
            return obeysAbort ? 0 : 1;
        }
    }

    private Shutdown.Report stopped() {
        return shutdown.awaitStopped(Deadline.after(Clock.system(), Duration.ofSeconds(30)))
                .orElseThrow();
    }

    /** Moves time to this moment and no further: what is still to end needs none, and must not lose any. */
    private void passTimeTo(Duration moment) {
        Eventually.await("enough time has passed", () -> {
            if (clock.nanos() < moment.toNanos()) {
                clock.advanceToNextWake();
            }
            return clock.nanos() >= moment.toNanos();
        });
        assertThat(clock.nanos()).isEqualTo(moment.toNanos());
    }

    @Test
    void anIdleProcessStopsWithoutTimePassing() {
        assertThat(shutdown.running()).isTrue();
        assertThat(shutdown.deadline()).isEmpty();
        assertThat(shutdown.request("signal", "SIGTERM")).isTrue();
        Shutdown.Report report = stopped();
        assertThat(report.clean()).isTrue();
        assertThat(report.exitCode()).isZero();
        assertThat(shutdown.phase().value()).isEqualTo(Phase.STOPPED);
        assertThat(meter.count("shutdown_drains_total", "result", "clean")).isEqualTo(1);
        assertThat(meter.timed("shutdown_duration_seconds", "", "")).isEqualTo(1);
    }

    @Test
    void stagesRunInOrderAndTheirMembersSideBySide() {
        List<Stage> reversed = new ArrayList<>(List.of(Stage.values()));
        Collections.reverse(reversed);
        reversed.forEach(stage -> new Member(stage.name(), stage, true));
        Member slow = new Member("slow", Stage.WORK, false);
        Member other = new Member("other", Stage.WORK, true);
        shutdown.request("test", "");
        Eventually.await("both are asked", () -> log.containsAll(List.of("drain slow", "done other")));
        assertThat(log).doesNotContain("drain WRITERS");
        assertThat(shutdown.phase().value()).isEqualTo(Phase.DRAINING);
        slow.done.countDown();
        assertThat(stopped().clean()).isTrue();
        assertThat(log.stream().filter(line -> line.startsWith("drain ") && Character.isUpperCase(line.charAt(6))))
                .containsExactlyElementsOf(List.of(Stage.values()).stream()
                        .map(stage -> "drain " + stage)
                        .toList());
        assertThat(other.aborts).hasValue(0);
    }

    @Test
    void laterRequestsAreCountedAndChangeNothing() {
        Member slow = new Member("slow", Stage.WORK, false);
        AtomicInteger first = new AtomicInteger();
        try (Crew crew = new Crew()) {
            for (int i = 0; i < 4; i++) {
                crew.add(() -> {
                    if (shutdown.request("api", "again")) {
                        first.incrementAndGet();
                    }
                });
            }
        }
        assertThat(first).hasValue(1);
        Deadline deadline = shutdown.deadline().orElseThrow();
        clock.advance(Duration.ofSeconds(1));
        assertThat(shutdown.request("signal", "SIGTERM")).isFalse();
        assertThat(shutdown.deadline()).contains(deadline);
        assertThat(meter.count("shutdown_requests_total", "source", "api")).isEqualTo(4);
        slow.done.countDown();
        assertThat(stopped().exitCode()).isZero();
    }

    @Test
    void theDeadlineAbortsWhatIsLeftAndCountsIt() {
        Member stuck = new Member("stuck", Stage.WORK, false);
        Member later = new Member("later", Stage.WRITERS, true);
        shutdown.request("test", "");
        Eventually.await("it is asked", () -> log.contains("drain stuck"));
        clock.advance(Duration.ofMillis(4400));
        assertThat(stuck.aborts).hasValue(0);
        passTimeTo(WORK_ENDS);
        Shutdown.Report report = stopped();
        assertThat(report.aborted()).isEqualTo(2);
        assertThat(report.unfinished()).isEmpty();
        assertThat(report.exitCode()).isEqualTo(3);
        assertThat(later.aborts).as("writers still get their time").hasValue(0);
        assertThat(log).contains("done later");
        assertThat(meter.count("shutdown_drains_total", "result", "aborted")).isEqualTo(1);
    }

    @Test
    void aMemberThatIgnoresTheAbortIsNamedAndLaterStagesStillRun() {
        Member deaf = new Member("deaf", Stage.WORK, false);
        deaf.obeysAbort = false;
        new Member("later", Stage.OBSERVE, true);
        shutdown.request("test", "");
        passTimeTo(WORK_ENDS.plus(ABORT_GRACE));
        Shutdown.Report report = stopped();
        assertThat(report.unfinished()).containsExactly("deaf");
        assertThat(report.leaked()).isEqualTo(1);
        assertThat(report.exitCode()).isEqualTo(3);
        assertThat(deaf.aborts.get()).as("the abort is repeated").isGreaterThan(1);
        assertThat(meter.count("shutdown_drains_total", "result", "leaked")).isEqualTo(1);
        deaf.done.countDown();
    }

    @Test
    void aMemberThatThrowsHoldsUpNobody() {
        Member bad = new Member("bad", Stage.LISTENERS, true);
        bad.throwing = true;
        new Member("later", Stage.WORK, true);
        shutdown.request("test", "");
        Eventually.await("it is given up", () -> shutdown.phase().value() == Phase.ABORTING);
        passTimeTo(ABORT_GRACE);
        assertThat(stopped().unfinished()).containsExactly("bad");
    }

    @Test
    void abortNowEndsTheWait() {
        Member slow = new Member("slow", Stage.WORK, false);
        shutdown.request("signal", "SIGINT");
        Eventually.await("it is asked", () -> log.contains("drain slow"));
        shutdown.abortNow("signal");
        Shutdown.Report report = stopped();
        assertThat(report.aborted()).isEqualTo(2);
        assertThat(report.exitCode()).isEqualTo(3);
        assertThat(slow.aborts).hasValue(1);
        assertThat(report.took()).isZero();
    }

    @Test
    void abortNowAloneAlsoStopsTheProcess() {
        Member slow = new Member("slow", Stage.WORK, false);
        shutdown.abortNow("signal");
        assertThat(stopped().aborted()).isEqualTo(2);
        assertThat(slow.aborts).hasValue(1);
    }

    @Test
    void whoUnregisteredIsNotAsked() {
        Member gone = new Member("gone", Stage.WORK, false);
        shutdown.unregister(gone);
        shutdown.request("test", "");
        assertThat(stopped().clean()).isTrue();
        assertThat(log).isEmpty();
    }
}
