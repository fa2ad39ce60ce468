package dev.ron.kernel.flow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ron.kernel.channel.Watch;
import dev.ron.kernel.error.Code;
import dev.ron.kernel.error.RonException;
import dev.ron.kernel.task.Phase;
import dev.ron.kernel.testkit.Eventually;
import dev.ron.kernel.testkit.NoLeaks;
import dev.ron.kernel.testkit.RecordingMeter;
import dev.ron.kernel.time.Deadline;
import dev.ron.kernel.time.VirtualClock;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(NoLeaks.class)
class RetryTest {
    private final VirtualClock clock = new VirtualClock();
    private final RecordingMeter meter = new RecordingMeter();
    private final Watch.Writer<Phase> phase = Watch.of(Phase.RUNNING);
    private final RetryBudget budget = new RetryBudget(clock);
    private final Retry retry = new Retry("fetch", Retry.Policy.DEFAULT, budget, new Random(1), meter, phase.watch());
    private final AtomicInteger calls = new AtomicInteger();

    private int failing(Code code) {
        calls.incrementAndGet();
        throw new RonException(code, "no");
    }

    /** Runs it while time passes; what it threw. */
    private @Nullable Throwable run(Deadline deadline, Code code) {
        return run(retry, deadline, code);
    }

    private @Nullable Throwable run(Retry retry, Deadline deadline, Code code) {
        return run(retry, deadline, () -> failing(code));
    }

    private @Nullable Throwable run(Retry retry, Deadline deadline, Callable<Integer> op) {
        AtomicReference<@Nullable Throwable> thrown = new AtomicReference<>();
        Thread thread = Thread.ofVirtual().start(() -> {
            try {
                retry.call(deadline, op);
            } catch (Exception e) {
                thrown.set(e);
            }
        });
        Eventually.await("it ends", () -> {
            clock.advanceToNextWake();
            return !thread.isAlive();
        });
        return thrown.get();
    }

    @Test
    void threeCallsInAllAndTheLastFailureIsTheAnswer() {
        assertThat(run(Deadline.never(clock), Code.TIMEOUT)).isInstanceOf(RonException.class);
        assertThat(calls).hasValue(3);
        assertThat(meter.count("backoff_retries_total", "op", "fetch")).isEqualTo(2);
        assertThat(clock.nanos()).isBetween(150_000_000L, 250_000_000L);
    }

    @Test
    void successNeedsOneCall() throws Exception {
        assertThat(retry.call(Deadline.never(clock), calls::incrementAndGet)).isEqualTo(1);
    }

    @Test
    void whatWillNotPassIsNotRepeated() {
        run(Deadline.never(clock), Code.FORBIDDEN);
        run(Deadline.never(clock), Code.CIRCUIT_OPEN);
        assertThat(calls).hasValue(2);
    }

    @Test
    void aCallerMayKnowBetterWhatWillPass() {
        Retry own = retry.repeating(failure -> failure.code() == Code.FORBIDDEN);
        run(own, Deadline.never(clock), Code.TIMEOUT);
        assertThat(calls).hasValue(1);
        run(own, Deadline.never(clock), Code.FORBIDDEN);
        assertThat(calls).hasValue(1 + 3);
        phase.set(Phase.DRAINING);
        run(own, Deadline.never(clock), Code.FORBIDDEN);
        assertThat(calls).hasValue(1 + 3 + 1);
    }

    @Test
    void nothingIsRepeatedPastTheDeadline() {
        run(Deadline.after(clock, Duration.ofMillis(50)), Code.TIMEOUT);
        assertThat(calls).hasValue(1);
        assertThat(clock.nanos()).isZero();
    }

    @Test
    void nothingIsRepeatedWhileDraining() {
        phase.set(Phase.DRAINING);
        run(Deadline.never(clock), Code.TIMEOUT);
        assertThat(calls).hasValue(1);
    }

    // a wait before a retry | the process is stopped  ->  the wait ends at once, and nothing is repeated
    @Test
    void whoStopsTheProcessEndsTheWaitToo() throws Exception {
        AtomicReference<@Nullable Throwable> thrown = new AtomicReference<>();
        Thread thread = Thread.ofVirtual().start(() -> {
            try {
                retry.call(Deadline.never(clock), () -> failing(Code.TIMEOUT));
            } catch (Exception e) {
                thrown.set(e);
            }
        });
        Eventually.await("it waits", () -> meter.count("backoff_retries_total", "op", "fetch") == 1);
        phase.set(Phase.DRAINING);
        thread.join();
        assertThat(thrown.get()).hasMessageContaining("no");
        assertThat(calls).hasValue(1);
        assertThat(clock.nanos()).isZero();
    }

    @Test
    void aFailureMaySayHowLongToWait() {
        List<Duration> said = List.of(Duration.ofMillis(1), Duration.ofMillis(700));
        run(retry, Deadline.never(clock), () -> {
            throw new RonException(Code.UNAVAILABLE, "no", "no", said.get(Math.min(calls.getAndIncrement(), 1)), null);
        });
        assertThat(calls).hasValue(3);
        assertThat(clock.nanos())
                .isBetween(750_000_000L, 800_000_000L); // the own wait of 50 to 100 ms, then what was said
    }

    @Test
    void theBudgetIsATenthOfTheCallsAndTenASecond() {
        for (int i = 0; i < 10; i++) {
            assertThat(budget.tryRetry()).isTrue();
        }
        assertThat(budget.tryRetry()).as("the floor is used up").isFalse();
        for (int i = 0; i < 20; i++) {
            budget.firstCall();
        }
        assertThat(budget.tryRetry()).isTrue();
        assertThat(budget.tryRetry()).isTrue();
        assertThat(budget.tryRetry()).isFalse();
        clock.advance(Duration.ofSeconds(1));
        assertThat(budget.tryRetry()).isTrue();
    }

    @Test
    void savedRetriesAreBounded() {
        for (int i = 0; i < 100_000; i++) {
            budget.firstCall();
        }
        int retries = 0;
        while (budget.tryRetry()) {
            retries++;
        }
        assertThat(retries).isEqualTo(110);
    }

    @Test
    void waitsGrowToTheCapAndNeverOverflow() {
        Retry.Policy policy = new Retry.Policy(Duration.ofHours(1), Duration.ZERO, Duration.ofDays(1), 100);
        for (int n = 0; n < 100; n++) {
            assertThat(policy.wait(n, new Random(n))).isBetween(Duration.ofHours(1), Duration.ofDays(1));
        }
        assertThatThrownBy(() -> retry.call(Deadline.never(clock), () -> {
                    throw new IllegalStateException("a bug is not repeated");
                }))
                .isInstanceOf(IllegalStateException.class);
    }
}
