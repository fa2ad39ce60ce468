package dev.ron.kernel.task;

import dev.ron.kernel.time.Clock;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.random.RandomGenerator;

/** How long a failed task waits, and when it has failed too often; used by that task's thread only. */
public final class Backoff {
    private final Policy policy;
    private final Clock clock;
    private final RandomGenerator random;
    private final Deque<Long> failures = new ArrayDeque<>();
    private int attempt;

    /** `[node.supervisor]`: full jitter from a doubling bound; so many failures within the window are too many. */
    public record Policy(Duration min, Duration max, int restartCap, Duration restartWindow) {
        public static final Policy DEFAULT =
                new Policy(Duration.ofMillis(100), Duration.ofSeconds(30), 5, Duration.ofSeconds(60));
        static final Duration FLOOR = Duration.ofMillis(10);
    }

    public Backoff(Policy policy, Clock clock, RandomGenerator random) {
        this.policy = policy;
        this.clock = clock;
        this.random = random;
    }

    /** Records that a life which began at {@code startedNanos} has failed now; true when it is one failure too many. */
    boolean failed(long startedNanos) {
        long now = clock.nanos();
        long window = policy.restartWindow().toNanos();
        if (now - startedNanos >= window) {
            attempt = 0;
        }
        failures.addLast(now);
        while (now - failures.getFirst() >= window) {
            failures.removeFirst();
        }
        return failures.size() >= policy.restartCap();
    }

    /** The wait before the next start: uniform up to min(max, min * 2^n), and at least 10 ms. */
    Duration next() {
        long bound = doubled(policy.min(), attempt++, policy.max());
        return Duration.ofNanos(Math.max(Policy.FLOOR.toNanos(), random.nextLong(bound + 1)));
    }

    /** {@code base} doubled so many times, but no more than {@code max}; in nanoseconds. */
    public static long doubled(Duration base, int times, Duration max) {
        long limit = max.toNanos();
        long nanos = base.toNanos();
        return times >= Long.numberOfLeadingZeros(nanos) - 1 ? limit : Math.min(limit, nanos << times);
    }

    void reset() {
        failures.clear();
        attempt = 0;
    }
}
