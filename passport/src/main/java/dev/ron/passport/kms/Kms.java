package dev.ron.passport.kms;

import dev.ron.kernel.call.CallContext;
import dev.ron.kernel.error.Canceled;
import dev.ron.kernel.error.Code;
import dev.ron.kernel.error.RonException;
import dev.ron.kernel.flow.Breaker;
import dev.ron.kernel.meter.Meter;
import dev.ron.kernel.task.Lane;
import dev.ron.kernel.time.Clock;
import dev.ron.kernel.time.Deadline;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Signs with a deadline, on threads of its own wherever a signature might take long; none is tried again.
 *
 * <p>Three breakers, since one cannot count three ways: ten calls are enough to see that signing fails, a slow minute
 * takes many calls to tell from a hiccup, and where half of them are slow there may never be many.
 */
public final class Kms {
    private static final Duration NEVER_SLOW = Duration.ofHours(1);

    private final SigningEngine engine;
    private final Lane lane;
    private final Breaker failing;
    private final List<Breaker> slow;
    private final List<Breaker> all;
    private final Supplier<Duration> timeout;
    private final Duration slo;
    private final Clock clock;
    private final Meter.Count timeouts;
    private final Meter.Timing latency;

    public Kms(
            String name,
            SigningEngine engine,
            Lane lane,
            Supplier<Duration> timeout,
            Duration slo,
            Clock clock,
            Meter meter) {
        this.engine = engine;
        this.lane = lane;
        this.timeout = timeout;
        this.slo = slo;
        this.clock = clock;
        Duration open = Duration.ofSeconds(2);
        Duration maxOpen = Duration.ofSeconds(30);
        Duration minute = Duration.ofSeconds(60);
        this.failing =
                new Breaker(name, new Breaker.Policy(minute, 10, 50, NEVER_SLOW, 100, open, maxOpen, 3), clock, meter);
        this.slow = List.of(
                new Breaker(
                        name + "-slow", new Breaker.Policy(minute, 200, 100, slo, 5, open, maxOpen, 3), clock, meter),
                new Breaker(
                        name + "-very-slow",
                        new Breaker.Policy(minute, 20, 100, slo, 50, open, maxOpen, 3),
                        clock,
                        meter));
        this.all = Stream.concat(slow.stream(), Stream.of(failing)).toList();
        this.timeouts = meter.counter("io_timeouts_total", "op", "kms");
        this.latency = meter.timing("svc_passport_kms_call_latency_seconds", "op", "sign");
    }

    /** The signature, or {@code kms_timeout}, {@code circuit_open} or {@code kms_unavailable}. */
    public byte[] sign(KmsKey key, byte[] message) {
        enter();
        long start = clock.nanos();
        try {
            byte[] signature = engine.mayStall(key) ? onLane(key, message) : engine.sign(key, message);
            long took = clock.nanos() - start;
            all.forEach(breaker -> breaker.succeeded(took));
            return signature;
        } catch (RonException refused) {
            if (isOfTheCaller(refused)) {
                left(start);
            } else {
                failed(start, refused);
            }
            throw refused;
        } catch (InterruptedException stopped) {
            left(start);
            Thread.currentThread().interrupt();
            throw new Canceled("the key service");
        } catch (Exception defect) {
            failed(start, defect);
            throw new RonException(Code.UNAVAILABLE, "kms_unavailable", "the key service failed", null, defect);
        } catch (Error broken) {
            failed(start, broken);
            throw broken;
        } finally {
            latency.record(clock.nanos() - start);
        }
    }

    private void enter() {
        for (int i = 0; i < all.size(); i++) {
            try {
                all.get(i).enter();
            } catch (RonException open) {
                // Nobody was called: that one breaker is open is no failure for the others to count.
                all.subList(0, i).forEach(Breaker::canceled);
                throw open;
            }
        }
    }

    private void failed(long start, Throwable why) {
        long took = clock.nanos() - start;
        all.forEach(breaker -> breaker.failed(took, why));
    }

    /** The caller did not wait for the end: that is no failure, but what it waited for already is how slow it was. */
    private void left(long start) {
        long waited = clock.nanos() - start;
        failing.canceled();
        if (waited > slo.toNanos()) {
            slow.forEach(breaker -> breaker.succeeded(waited));
        } else {
            slow.forEach(Breaker::canceled);
        }
    }

    /** A deadline shorter than ours, a queue of ours that is full, an end that was asked for. */
    private static boolean isOfTheCaller(RonException refused) {
        return switch (refused.code()) {
            case BUSY, DRAINING, CANCELED -> true;
            case TIMEOUT -> !refused.reason().equals("kms_timeout");
            default -> false;
        };
    }

    private byte[] onLane(KmsKey key, byte[] message) {
        Duration limit = timeout.get();
        Deadline deadline = Deadline.after(clock, limit);
        try {
            return lane.call(deadline, () -> engine.sign(key, message));
        } catch (RonException failed) {
            if (failed.code() == Code.TIMEOUT
                    && !CallContext.current().deadline().expired()) {
                timeouts.increment();
                throw new RonException(Code.TIMEOUT, "kms_timeout", "no signature within " + limit.toMillis() + " ms");
            }
            if (failed.code() == Code.INTERNAL) {
                throw new RonException(Code.UNAVAILABLE, "kms_unavailable", "the key service failed", null, failed);
            }
            throw failed;
        }
    }

    /** 0 closed, 1 half-open, 2 open: the worst of the breakers. */
    public int circuit() {
        return all.stream().mapToInt(Breaker::state).max().orElse(0);
    }
}
