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
import java.time.Instant;
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

    /** A clock on which time is up, and on which something happens just before anyone learns of it. */
    private static final class LateClock implements Clock {
        private final Runnable before;

        LateClock(Runnable before) {
            this.before = before;
        }

        @Override
        public long nanos() {
            before.run();
            return 1;
        }

        @Override
        public Instant now() {
            return Instant.EPOCH;
        }

        @Override
        public void park(Object blocker, long untilNanos) {
            throw new AssertionError("its time was up");
        }
    }

    // first registers | second registers, parks | signal claims the first, whose time is up  ->  the second wakes
    @Test
    void aSignalToOneWhoLeavesIsPassedOn() {
        AtomicBoolean ready = new AtomicBoolean();
        List<Thread> second = new ArrayList<>();
        LateClock late = new LateClock(() -> {
            second.add(Thread.ofVirtual()
                    .start(() ->
                            waiters.await("second", Deadline.never(clock), () -> ready.get() ? Boolean.TRUE : null)));
            Eventually.await("the second waits", () -> clock.parked() == 1);
            ready.set(true);
            waiters.signal();
        });
        assertThat(waiters.<Integer>await("first", new Deadline(1, late), () -> null))
                .isNull();
        Eventually.await("the second ends", () -> !second.getFirst().isAlive());
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
