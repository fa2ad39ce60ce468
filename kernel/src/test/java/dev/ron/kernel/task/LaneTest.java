package dev.ron.kernel.task;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ron.kernel.call.CallContext;
import dev.ron.kernel.call.Reply;
import dev.ron.kernel.error.Code;
import dev.ron.kernel.error.RonException;
import dev.ron.kernel.meter.Meter;
import dev.ron.kernel.testkit.Eventually;
import dev.ron.kernel.testkit.NoLeaks;
import dev.ron.kernel.time.Clock;
import dev.ron.kernel.time.Deadline;
import dev.ron.kernel.time.VirtualClock;
import dev.ron.kernel.topology.Stage;
import dev.ron.kernel.topology.Topology;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(NoLeaks.class)
class LaneTest {
    private static final Deadline LONG = Deadline.after(Clock.system(), Duration.ofMinutes(5));

    private final List<Crash> crashes = new CopyOnWriteArrayList<>();
    private final Supervisor supervisor =
            new Supervisor("svc-x", Clock.system(), Meter.none(), Backoff.Policy.DEFAULT, crashes::add);
    private final Lane lane = new Lane(Topology.lane("files", 1, 2), supervisor, Meter.none());

    @AfterEach
    void stop() {
        supervisor.stop(Stage.WATCHERS);
        lane.close();
        assertThat(supervisor.join(Stage.WATCHERS, LONG)).isTrue();
        assertThat(crashes).isEmpty();
    }

    @Test
    void aJobRunsOnAPlatformThreadUnderTheCallersContext() {
        CallContext caller = CallContext.of(LONG, "corr-1");
        List<String> seen = new CopyOnWriteArrayList<>();
        caller.run(() -> lane.call(
                LONG,
                () -> seen.add(Thread.currentThread().isVirtual() + " "
                        + CallContext.current().corrId())));
        assertThat(seen).containsExactly("false corr-1");
    }

    @Test
    void aFailureIsTheCallersAndTheLaneLivesOn() {
        for (int i = 0; i < 10; i++) {
            assertThatThrownBy(() -> lane.call(LONG, () -> {
                        Thread.currentThread().interrupt();
                        throw new StackOverflowError("deep");
                    }))
                    .isInstanceOfSatisfying(
                            RonException.class, e -> assertThat(e.code()).isEqualTo(Code.INTERNAL))
                    .hasRootCauseInstanceOf(StackOverflowError.class);
        }
        assertThat(lane.<Integer>call(LONG, () -> 42)).isEqualTo(42);
    }

    @Test
    void aFullLaneIsBusyAndAClosedOneIsDraining() {
        CountDownLatch release = new CountDownLatch(1);
        Reply<Integer> running = lane.submit(() -> {
            release.await();
            return 1;
        });
        Eventually.await("it runs", () -> lane.jobs().depth() == 0);
        Reply<Integer> second = lane.submit(() -> 2);
        Reply<Integer> third = lane.submit(() -> 3);
        assertThatThrownBy(() -> lane.submit(() -> 4).await(LONG)).isInstanceOfSatisfying(RonException.class, e -> {
            assertThat(e.code()).isEqualTo(Code.BUSY);
            assertThat(e.retryAfter()).isPresent();
        });
        lane.close();
        assertThatThrownBy(() -> lane.call(LONG, () -> 5))
                .isInstanceOfSatisfying(
                        RonException.class, e -> assertThat(e.code()).isEqualTo(Code.DRAINING));
        release.countDown();
        assertThat(List.of(running.await(LONG), second.await(LONG), third.await(LONG)))
                .as("what was accepted is done, in order")
                .containsExactly(1, 2, 3);
    }

    @Test
    void aJobThatWaitedTooLongIsNotRun() throws Exception {
        VirtualClock clock = new VirtualClock();
        CountDownLatch release = new CountDownLatch(1);
        List<String> ran = new CopyOnWriteArrayList<>();
        Reply<Boolean> first = lane.submit(() -> {
            release.await();
            return ran.add("first");
        });
        CallContext caller = CallContext.of(Deadline.after(clock, Duration.ofSeconds(1)), "c");
        Reply<Boolean> late = caller.call(() -> lane.submit(() -> ran.add("late")));
        clock.advance(Duration.ofSeconds(2));
        release.countDown();
        first.await(LONG);
        assertThatThrownBy(() -> late.await(LONG))
                .isInstanceOfSatisfying(
                        RonException.class, e -> assertThat(e.reason()).isEqualTo("queue_timeout"));
        assertThat(ran).containsExactly("first");
    }
}
