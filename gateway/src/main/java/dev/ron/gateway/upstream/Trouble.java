package dev.ron.gateway.upstream;

import dev.ron.gateway.arbiter.ArbiterView;
import dev.ron.gateway.arbiter.TenantView;
import java.time.Duration;
import java.util.List;

/**
 * Decides when an upstream sheds writes: at once or after a moment of trouble, and not before a while of calm.
 *
 * <p>Every signal is clipped for each tenant, with one more tenant than there is: a lone flooder fills at most half of what
 * counts, so it can never switch off the others' writes. One task only.
 */
final class Trouble {
    private static final double FULL = 0.8;
    private static final double CALM = 0.5;
    private static final double BAD = 0.05;
    private static final double GOOD = 0.02;
    private static final long LEAST = 50;
    private static final long HOLD_NANOS = Duration.ofSeconds(1).toNanos();
    private static final long CALM_NANOS = Duration.ofSeconds(5).toNanos();

    private final int seats;
    private long fullSince = Long.MAX_VALUE;
    private long calmSince = Long.MAX_VALUE;

    Trouble(int seats) {
        this.seats = seats;
    }

    /** Looks once; about every second. */
    void look(Upstream upstream, ArbiterView view, long now) {
        double backlog = backlog(view.tenants(), seats);
        double bad = upstream.outcomes().badShare(LEAST);
        boolean down =
                upstream.config().critical() && upstream.targets().stream().noneMatch(UpstreamTarget::healthy);
        fullSince = backlog >= FULL ? Math.min(fullSince, now) : Long.MAX_VALUE;
        boolean overloaded = fullSince != Long.MAX_VALUE && now - fullSince >= HOLD_NANOS;
        Shedding shedding = upstream.shedding();
        if (down || overloaded || bad > BAD) {
            calmSince = Long.MAX_VALUE;
            shedding.set(true, down ? "no healthy target" : overloaded ? "queues are full" : "failing answers");
        } else if (shedding.on()) {
            boolean calm = backlog < CALM && bad < GOOD;
            calmSince = calm ? Math.min(calmSince, now) : Long.MAX_VALUE;
            if (calm && now - calmSince >= CALM_NANOS) {
                shedding.set(false, "");
            }
        }
    }

    /** How full the queue is, counting of each tenant no more than its part. */
    static double backlog(List<TenantView> tenants, int seats) {
        int sum = 0;
        int largest = 0;
        for (TenantView tenant : tenants) {
            if (tenant.waiting() > 0) {
                sum += tenant.weight();
                largest = Math.max(largest, tenant.weight());
            }
        }
        double counted = 0;
        for (TenantView tenant : tenants) {
            if (tenant.waiting() > 0) {
                counted += Math.min(tenant.waiting(), (double) seats * tenant.weight() / (sum + largest));
            }
        }
        return counted / seats;
    }
}
