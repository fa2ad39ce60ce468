package dev.ron.gateway.upstream;

import dev.ron.gateway.arbiter.TenantView;
import java.time.Duration;
import java.util.List;

/**
 * Decides when an upstream sheds writes: at once or after a moment of trouble, and not before a while of calm.
 *
 * <p>Every signal that tenants make is clipped for each of them: a lone flooder fills at most half of the queue that
 * counts, and the tenant with most failures or most slow answers is left out. So none of them can switch off the others'
 * writes. Memory is the process's own affair and counts as it is. One task only.
 */
final class Trouble {
    private static final double FULL = 0.8;
    private static final double CALM = 0.5;
    private static final double BAD = 0.05;
    private static final double GOOD = 0.02;
    private static final double SLOW = 0.01; // of all answers: the 99th percentile
    private static final double HEAP_FULL = 0.85;
    private static final double HEAP_CALM = 0.75;
    private static final long HOLD_NANOS = Duration.ofSeconds(1).toNanos();
    private static final long CALM_NANOS = Duration.ofSeconds(5).toNanos();
    private static final long NOT = Long.MAX_VALUE;

    private long fullSince = NOT;
    private long calmSince = NOT;

    /**
     * What is seen at one look.
     *
     * @param backlog how full the queue is, see {@link #backlog}
     * @param down no target is well, of an upstream the gateway cannot do without
     * @param answers how answers went
     * @param judgesPace whether slow answers count: of an upstream the gateway cannot do without
     * @param heap how full the heap was after its last collection
     */
    record Signals(double backlog, boolean down, TenantOutcomes.Shares answers, boolean judgesPace, double heap) {
        private boolean calm() {
            return backlog < CALM && answers.bad() < GOOD && (!judgesPace || answers.lazy() < SLOW) && heap < HEAP_CALM;
        }
    }

    /** Looks once; about every second. */
    void look(Signals seen, Shedding shedding, long now) {
        fullSince = seen.backlog() >= FULL ? Math.min(fullSince, now) : NOT;
        String why = trouble(seen, now);
        if (!why.isEmpty()) {
            calmSince = NOT;
            shedding.set(true, why);
        } else if (shedding.on()) {
            calmSince = seen.calm() ? Math.min(calmSince, now) : NOT;
            if (calmSince != NOT && now - calmSince >= CALM_NANOS) {
                shedding.set(false, "");
            }
        }
    }

    private String trouble(Signals seen, long now) {
        if (seen.down()) {
            return "no healthy target";
        }
        if (fullSince != NOT && now - fullSince >= HOLD_NANOS) {
            return "queues are full";
        }
        if (seen.answers().bad() > BAD) {
            return "failing answers";
        }
        if (seen.judgesPace() && seen.answers().slow() > SLOW) {
            return "slow answers";
        }
        return seen.heap() > HEAP_FULL ? "memory is short" : "";
    }

    /** How full the queue is, counting of each tenant no more than its part, with one more tenant than there is. */
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
