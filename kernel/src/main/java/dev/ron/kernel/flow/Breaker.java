package dev.ron.kernel.flow;

import dev.ron.kernel.error.Canceled;
import dev.ron.kernel.error.Code;
import dev.ron.kernel.error.RonException;
import dev.ron.kernel.meter.Meter;
import dev.ron.kernel.time.Clock;
import io.github.resilience4j.circuitbreaker.CallNotPermittedException;
import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig;
import io.github.resilience4j.core.IntervalFunction;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;

/** A circuit breaker: after too many failed or slow calls it answers at once, and lets a few probes find out more. */
public final class Breaker {
    private final String endpoint;
    private final CircuitBreaker circuit;
    private final Clock clock;
    private final Meter.Count refused;

    /** Opens on a share of failures or of slow calls within a time window of at least so many calls. */
    public record Policy(
            Duration window,
            int minCalls,
            float failurePercent,
            Duration slowCall,
            float slowPercent,
            Duration open,
            Duration maxOpen,
            int probes) {
        public static final Policy DEFAULT = new Policy(
                Duration.ofSeconds(60),
                20,
                50,
                Duration.ofSeconds(3),
                5,
                Duration.ofSeconds(2),
                Duration.ofSeconds(30),
                3);
    }

    public Breaker(String endpoint, Policy policy, Clock clock, Meter meter) {
        this.endpoint = endpoint;
        this.clock = clock;
        this.refused = meter.counter("circuit_open_total", "endpoint", endpoint);
        this.circuit = CircuitBreaker.of(
                endpoint,
                CircuitBreakerConfig.custom()
                        .slidingWindowType(CircuitBreakerConfig.SlidingWindowType.TIME_BASED)
                        .slidingWindowSize((int) policy.window().toSeconds())
                        .minimumNumberOfCalls(policy.minCalls())
                        .failureRateThreshold(policy.failurePercent())
                        .slowCallDurationThreshold(policy.slowCall())
                        .slowCallRateThreshold(policy.slowPercent())
                        .waitIntervalFunctionInOpenState(
                                IntervalFunction.ofExponentialBackoff(policy.open(), 2, policy.maxOpen()))
                        .permittedNumberOfCallsInHalfOpenState(policy.probes())
                        .currentTimestampFunction(c -> clock.nanos(), TimeUnit.NANOSECONDS)
                        .clock(new WallClock(clock))
                        .build());
    }

    /** What the gauge {@code circuit_state} shows: 0 closed, 1 half-open, 2 open. */
    public int state() {
        return switch (circuit.getState()) {
            case OPEN, FORCED_OPEN -> 2;
            case HALF_OPEN -> 1;
            default -> 0;
        };
    }

    public <R> R call(Callable<R> op) throws Exception {
        enter();
        long start = clock.nanos();
        try {
            R result = op.call();
            succeeded(clock.nanos() - start);
            return result;
        } catch (Canceled | InterruptedException stopped) {
            // It says nothing about the endpoint; the leave to call goes back.
            canceled();
            throw stopped;
        } catch (Throwable failure) {
            failed(clock.nanos() - start, failure);
            throw failure;
        }
    }

    /** Asks for leave to call; one of {@link #succeeded}, {@link #failed} and {@link #canceled} must follow. */
    public void enter() {
        try {
            circuit.acquirePermission();
        } catch (CallNotPermittedException _) {
            refused.increment();
            throw new RonException(
                    Code.CIRCUIT_OPEN, "circuit_open", endpoint + " keeps failing", Duration.ofSeconds(2), null);
        }
    }

    public void succeeded(long nanos) {
        circuit.onSuccess(nanos, TimeUnit.NANOSECONDS);
    }

    public void failed(long nanos, Throwable failure) {
        circuit.onError(nanos, TimeUnit.NANOSECONDS, failure);
    }

    /** The call ended in a way that says nothing about the endpoint: the caller left, for instance. */
    public void canceled() {
        circuit.releasePermission();
    }

    public String endpoint() {
        return endpoint;
    }
}
