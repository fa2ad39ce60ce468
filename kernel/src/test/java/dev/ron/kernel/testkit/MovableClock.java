package dev.ron.kernel.testkit;

import dev.ron.kernel.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicReference;

/** The system's clock, with a wall clock that a test can move; waits and deadlines stay as they are. */
public class MovableClock implements Clock {
    private final AtomicReference<Duration> ahead = new AtomicReference<>(Duration.ZERO);

    public void move(Duration by) {
        ahead.accumulateAndGet(by, Duration::plus);
    }

    @Override
    public long nanos() {
        return Clock.system().nanos();
    }

    @Override
    public Instant now() {
        return Clock.system().now().plus(ahead.get());
    }

    @Override
    public void park(Object blocker, long untilNanos) {
        Clock.system().park(blocker, untilNanos);
    }
}
