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

    /** Records a failure now; true when it is one too many. */
    boolean failed() {
        long now = clock.nanos();
        long window = policy.restartWindow().toNanos();
        if (!failures.isEmpty() && now - failures.getLast() >= window) {
            attempt = 0;
        }
        failures.addLast(now);
        while (now - failures.getFirst() >= window) {
            failures.removeFirst();
        }
        return failures.size() >= policy.restartCap();
    }

    /** The wait before the next start: uniform in [10 ms, min(max, min * 2^n)]. */
    Duration next() {
        long bound = policy.max().toNanos();
        if (attempt < 30) {
            bound = Math.min(bound, policy.min().toNanos() << attempt);
        }
        attempt++;
        return Duration.ofNanos(Math.max(Policy.FLOOR.toNanos(), random.nextLong(bound + 1)));
    }

    void reset() {
        failures.clear();
        attempt = 0;
    }
}
