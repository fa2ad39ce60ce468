package dev.ron.gateway.upstream;

import dev.ron.http.client.Target;
import dev.ron.http.client.stream.Endpoint;
import dev.ron.kernel.flow.Breaker;
import dev.ron.kernel.time.Clock;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;

/** One target of an upstream: its addresses, what is going on there, and what is known about its health. */
public final class UpstreamTarget {
    private final Target target;
    private final int weight;
    private final Breaker breaker;
    private final Ejection ejection;
    private final AtomicInteger inflight = new AtomicInteger();
    private volatile List<Endpoint> endpoints = List.of();
    private volatile boolean probedWell = true;

    UpstreamTarget(Target target, int weight, Breaker breaker, Ejection ejection) {
        this.target = target;
        this.weight = weight;
        this.breaker = breaker;
        this.ejection = ejection;
    }

    public Target target() {
        return target;
    }

    public List<Endpoint> endpoints() {
        return endpoints;
    }

    void endpoints(List<Endpoint> now) {
        endpoints = now;
    }

    /** One of its addresses; only where it has any. */
    public Endpoint endpoint() {
        List<Endpoint> now = endpoints;
        return now.size() == 1
                ? now.getFirst()
                : now.get(ThreadLocalRandom.current().nextInt(now.size()));
    }

    boolean resolved() {
        return !endpoints.isEmpty();
    }

    void probed(boolean well) {
        probedWell = well;
    }

    /** Whether it is among those to choose from while others are. */
    public boolean healthy() {
        return resolved() && probedWell && !ejection.out();
    }

    public boolean ejected() {
        return ejection.out();
    }

    public int circuit() {
        return breaker.state();
    }

    Breaker breaker() {
        return breaker;
    }

    public int inflight() {
        return inflight.get();
    }

    /** Whether the other is the better place for one more request. */
    boolean busierThan(UpstreamTarget other) {
        return (long) (inflight.get() + 1) * other.weight > (long) (other.inflight.get() + 1) * weight;
    }

    int weight() {
        return weight;
    }

    // Each try ends in exactly one of these.

    void entered() {
        inflight.incrementAndGet();
    }

    public void succeeded(long nanos) {
        inflight.decrementAndGet();
        breaker.succeeded(nanos);
        ejection.succeeded();
    }

    public void failed(long nanos, Throwable why) {
        inflight.decrementAndGet();
        breaker.failed(nanos, why);
        ejection.failed();
    }

    public void canceled() {
        inflight.decrementAndGet();
        breaker.canceled();
    }

    @Override
    public String toString() {
        return target.toString();
    }

    /** Takes a target out of the choice after failures in a row, for a while that doubles, but never too many at once. */
    static final class Ejection {
        private static final int MAX_DOUBLINGS = 10;

        private final Clock clock;
        private final int after;
        private final long firstNanos;
        private final long maxNanos;
        private final AtomicInteger seats; // how many of the upstream's targets may still be taken out
        private final AtomicInteger inRow = new AtomicInteger();
        private final AtomicInteger times = new AtomicInteger();
        private volatile long until;
        private final AtomicInteger seated = new AtomicInteger(); // 1 while this target holds one of the seats

        Ejection(Clock clock, int after, long firstNanos, long maxNanos, AtomicInteger seats) {
            this.clock = clock;
            this.after = after;
            this.firstNanos = firstNanos;
            this.maxNanos = maxNanos;
            this.seats = seats;
        }

        boolean out() {
            if (seated.get() == 0) {
                return false;
            }
            if (clock.nanos() < until) {
                return true;
            }
            if (seated.compareAndSet(1, 0)) {
                seats.incrementAndGet();
            }
            return false;
        }

        void succeeded() {
            if (inRow.get() != 0) {
                inRow.set(0);
                times.set(0);
            }
        }

        void failed() {
            if (inRow.incrementAndGet() >= after && seated.get() == 0 && takeSeat()) {
                long wait = Math.min(maxNanos, firstNanos << Math.min(MAX_DOUBLINGS, times.getAndIncrement()));
                until = clock.nanos() + wait;
                inRow.set(0);
                if (!seated.compareAndSet(0, 1)) {
                    seats.incrementAndGet();
                }
            }
        }

        private boolean takeSeat() {
            int free = seats.get();
            while (free > 0) {
                if (seats.compareAndSet(free, free - 1)) {
                    return true;
                }
                free = seats.get();
            }
            return false;
        }
    }
}
