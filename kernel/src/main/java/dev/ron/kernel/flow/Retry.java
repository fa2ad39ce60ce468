package dev.ron.kernel.flow;

import dev.ron.kernel.error.RonException;
import dev.ron.kernel.meter.Meter;
import dev.ron.kernel.sync.Waiters;
import dev.ron.kernel.task.Backoff;
import dev.ron.kernel.time.Deadline;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;

/** Repeats an idempotent call that failed for a reason that may pass, within the caller's deadline and a budget. */
public final class Retry {
    private final Policy policy;
    private final RetryBudget budget;
    private final RandomGenerator random;
    private final Meter.Count retries;
    private final BooleanSupplier draining;
    private final Predicate<RonException> worthRepeating;
    private final Waiters waiters = new Waiters();

    /** Before retry n (0, 1, ...) one waits min(cap, base * 2^n) + U[0, jitter]; {@code attempts} counts every call. */
    public record Policy(Duration base, Duration jitter, Duration cap, int attempts) {
        public static final Policy DEFAULT =
                new Policy(Duration.ofMillis(50), Duration.ofMillis(50), Duration.ofSeconds(2), 3);

        public Duration wait(int retry, RandomGenerator random) {
            long bound = Backoff.doubled(base, retry, cap);
            return Duration.ofNanos(bound + random.nextLong(jitter.toNanos() + 1));
        }
    }

    public Retry(
            String op,
            Policy policy,
            RetryBudget budget,
            RandomGenerator random,
            Meter meter,
            BooleanSupplier draining) {
        this(policy, budget, random, meter.counter("backoff_retries_total", "op", op), draining, Retry::mayPass);
    }

    private Retry(
            Policy policy,
            RetryBudget budget,
            RandomGenerator random,
            Meter.Count retries,
            BooleanSupplier draining,
            Predicate<RonException> worthRepeating) {
        this.policy = policy;
        this.budget = budget;
        this.random = random;
        this.retries = retries;
        this.draining = draining;
        this.worthRepeating = worthRepeating;
    }

    /** The same for a caller that knows better which failures may pass. */
    public Retry repeating(Predicate<RonException> worth) {
        return new Retry(policy, budget, random, retries, draining, worth);
    }

    public <R> R call(Deadline deadline, Callable<R> op) throws Exception {
        budget.firstCall();
        for (int attempt = 1; ; attempt++) {
            try {
                return op.call();
            } catch (RonException failure) {
                if (attempt >= policy.attempts() || draining.getAsBoolean() || !worthRepeating.test(failure)) {
                    throw failure;
                }
                Duration wait = policy.wait(attempt - 1, random);
                if (deadline.remaining().compareTo(wait) <= 0 || !budget.tryRetry()) {
                    throw failure;
                }
                retries.increment();
                waiters.await("retry", deadline.within(wait), () -> null);
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
