package dev.ron.kernel.flow;

import dev.ron.kernel.channel.Watch;
import dev.ron.kernel.error.RonException;
import dev.ron.kernel.meter.Meter;
import dev.ron.kernel.task.Backoff;
import dev.ron.kernel.task.Phase;
import dev.ron.kernel.time.Deadline;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;

/** Repeats an idempotent call that failed for a reason that may pass, within the caller's deadline and a budget. */
public final class Retry {
    private final Policy policy;
    private final RetryBudget budget;
    private final RandomGenerator random;
    private final Meter.Count retries;
    private final Watch<Phase> phase;
    private final Predicate<RonException> worthRepeating;

    /**
     * Before retry n (0, 1, ...) one waits min(cap, base * 2^n) + U[0, jitter], or for as long as the failure says if that
     * is longer; {@code attempts} counts every call.
     */
    public record Policy(Duration base, Duration jitter, Duration cap, int attempts) {
        public static final Policy DEFAULT =
                new Policy(Duration.ofMillis(50), Duration.ofMillis(50), Duration.ofSeconds(2), 3);

        public Duration wait(int retry, RandomGenerator random) {
            long bound = Backoff.doubled(base, retry, cap);
            return Duration.ofNanos(bound + random.nextLong(jitter.toNanos() + 1));
        }
    }

    /** @param phase of the process: nothing is repeated once it is no longer running */
    public Retry(
            String op, Policy policy, RetryBudget budget, RandomGenerator random, Meter meter, Watch<Phase> phase) {
        this(policy, budget, random, meter.counter("backoff_retries_total", "op", op), phase, Retry::mayPass);
    }

    private Retry(
            Policy policy,
            RetryBudget budget,
            RandomGenerator random,
            Meter.Count retries,
            Watch<Phase> phase,
            Predicate<RonException> worthRepeating) {
        this.policy = policy;
        this.budget = budget;
        this.random = random;
        this.retries = retries;
        this.phase = phase;
        this.worthRepeating = worthRepeating;
    }

    /** The same for a caller that knows better which failures may pass. */
    public Retry repeating(Predicate<RonException> worth) {
        return new Retry(policy, budget, random, retries, phase, worth);
    }

    public <R> R call(Deadline deadline, Callable<R> op) throws Exception {
        budget.firstCall();
        for (int attempt = 1; ; attempt++) {
            try {
                return op.call();
            } catch (RonException failure) {
                Watch.Versioned<Phase> now = phase.current();
                if (attempt >= policy.attempts() || now.value() != Phase.RUNNING || !worthRepeating.test(failure)) {
                    throw failure;
                }
                Duration own = policy.wait(attempt - 1, random);
                Duration wait = failure.retryAfter()
                        .filter(said -> said.compareTo(own) > 0)
                        .orElse(own);
                if (deadline.remaining().compareTo(wait) <= 0 || !budget.tryRetry()) {
                    throw failure;
                }
                retries.increment();
                if (phase.awaitNewerThan(now.version(), deadline.within(wait)).isPresent()) {
                    throw failure; // it is stopping
                }
            }
        }
    }

    private static boolean mayPass(RonException failure) {
        return switch (failure.code()) {
            case TIMEOUT, UPSTREAM_TIMEOUT, UPSTREAM_CONNECT, UNAVAILABLE, STORAGE_BUSY -> true;
            default -> false;
        };
    }
}
