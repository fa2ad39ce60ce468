package dev.ron.kernel.sync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ron.kernel.error.Canceled;
import dev.ron.kernel.testkit.Eventually;
import dev.ron.kernel.testkit.NoLeaks;
import dev.ron.kernel.time.Clock;
import dev.ron.kernel.time.Deadline;
import dev.ron.kernel.time.VirtualClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(NoLeaks.class)
class WaitersTest {
    private final VirtualClock clock = new VirtualClock();
    private final Waiters waiters = new Waiters();

    @Test
    void anInterruptedThreadStillTakesWhatIsThere() {
        Thread.currentThread().interrupt();
        assertThat(waiters.<Integer>await("here", Deadline.never(clock), () -> 1))
                .isEqualTo(1);
        assertThatThrownBy(() -> waiters.await("here", Deadline.never(clock), () -> null))
                .isInstanceOf(Canceled.class);
        assertThat(Thread.interrupted())
                .as("the interrupt is left for the caller")
                .isTrue();
    }

    @Test
    void aSignalToOneWhoLeavesIsPassedOn() {
        AtomicInteger items = new AtomicInteger();
        AtomicBoolean leave = new AtomicBoolean();
        List<Thread> threads = new ArrayList<>();
        // The first stops waiting in the middle of its attempt, after it was signalled.
        threads.add(Thread.ofVirtual()
                .start(() -> waiters.await("first", Deadline.never(clock), () -> leave.get() ? Boolean.TRUE : null)));
        Eventually.await(() -> clock.parked() == 1);
        threads.add(Thread.ofVirtual()
                .start(() -> waiters.await(
                        "second",
                        Deadline.never(clock),
                        () -> items.getAndUpdate(n -> Math.max(0, n - 1)) > 0 ? Boolean.TRUE : null)));
        Eventually.await(() -> clock.parked() == 2);
        leave.set(true);
        threads.getFirst().interrupt();
        items.set(1);
        waiters.signal();
        waiters.signal();
        Eventually.await("both end", () -> threads.stream().noneMatch(Thread::isAlive));
    }

    // signalAll | waiters that wake and wait again  ->  the signaller goes on
    @Test
    void signalAllEndsAlthoughTheWokenWaitAgain() {
        AtomicBoolean over = new AtomicBoolean();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            threads.add(Thread.ofVirtual()
                    .start(() -> waiters.await(
                            "again", Deadline.never(Clock.system()), () -> over.get() ? Boolean.TRUE : null)));
        }
        AtomicInteger rounds = new AtomicInteger();
        Thread signaller = Thread.ofPlatform().start(() -> {
            for (int i = 0; i < 200; i++) {
                waiters.signalAll();
                rounds.incrementAndGet();
            }
        });
        Eventually.await("the signaller ends", () -> !signaller.isAlive());
        over.set(true);
        waiters.signalAll();
        Eventually.await("the rest end", () -> {
            waiters.signalAll();
            return threads.stream().noneMatch(Thread::isAlive);
        });
        assertThat(rounds).hasValue(200);
    }

    @Test
    void aWaitEndsAtItsDeadlineOnEitherClock() {
        assertThat(waiters.<Integer>await("here", Deadline.after(clock, Duration.ZERO), () -> null))
                .isNull();
        assertThat(waiters.<Integer>await("here", Deadline.after(Clock.system(), Duration.ofMillis(2)), () -> null))
                .isNull();
    }
}
