package dev.ron.gateway.upstream;

import dev.ron.gateway.arbiter.TenantKey;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.ToLongFunction;

/**
 * How an upstream's answers went for each tenant lately, so that trouble can be told from one tenant's trouble.
 *
 * <p>The tenants are those of the gateway's accounts, so there is a bound on them.
 */
public final class TenantOutcomes {
    private static final int WINDOWS = 10;
    /** An answer slower than this is slow. */
    private static final long SLOW_NANOS = TimeUnit.MILLISECONDS.toNanos(500);
    /** One slower than this is not quick yet. */
    private static final long LAZY_NANOS = TimeUnit.MILLISECONDS.toNanos(300);

    private final ConcurrentMap<TenantKey, Counts> now = new ConcurrentHashMap<>();
    // The sampler's own.
    private final List<Map<TenantKey, Tally>> windows = new ArrayList<>();

    private static final class Counts {
        private final LongAdder all = new LongAdder();
        private final LongAdder bad = new LongAdder();
        private final LongAdder slow = new LongAdder();
        private final LongAdder lazy = new LongAdder();

        Tally take() {
            return new Tally(all.sumThenReset(), bad.sumThenReset(), slow.sumThenReset(), lazy.sumThenReset());
        }
    }

    private record Tally(long all, long bad, long slow, long lazy) {
        Tally plus(Tally more) {
            return new Tally(all + more.all, bad + more.bad, slow + more.slow, lazy + more.lazy);
        }
    }

    /** Parts of all answers: failed, slow, not quick; each without the tenant that has most of them. */
    record Shares(double bad, double slow, double lazy) {}

    /** Notes how a request ended, and how long it took: bad if the upstream did not answer it. */
    public void add(TenantKey tenant, boolean bad, long nanos) {
        Counts counts = now.get(tenant);
        if (counts == null) {
            counts = now.computeIfAbsent(tenant, key -> new Counts());
        }
        counts.all.increment();
        if (bad) {
            counts.bad.increment();
        }
        if (nanos > LAZY_NANOS) {
            counts.lazy.increment();
            if (nanos > SLOW_NANOS) {
                counts.slow.increment();
            }
        }
    }

    /**
     * The shares over the last windows; one call closes a window. Each leaves out the tenant that has most of it: no single
     * one can make the whole upstream look ill, not even while it is the only one. Below {@code least} answers: 0.
     */
    Shares look(long least) {
        Map<TenantKey, Tally> window = new HashMap<>();
        now.forEach((tenant, counts) -> window.put(tenant, counts.take()));
        now.values().removeIf(counts -> counts.all.sum() == 0);
        windows.add(window);
        if (windows.size() > WINDOWS) {
            windows.removeFirst();
        }
        Map<TenantKey, Tally> sums = new HashMap<>();
        windows.forEach(one -> one.forEach((tenant, tally) -> sums.merge(tenant, tally, Tally::plus)));
        List<Tally> each = List.copyOf(sums.values());
        return new Shares(
                share(each, Tally::bad, least), share(each, Tally::slow, least), share(each, Tally::lazy, least));
    }

    private static double share(List<Tally> each, ToLongFunction<Tally> of, long least) {
        Tally most = new Tally(0, 0, 0, 0);
        Tally all = most;
        for (Tally one : each) {
            all = all.plus(one);
            most = of.applyAsLong(one) > of.applyAsLong(most) ? one : most;
        }
        long left = all.all() - most.all();
        return left < least ? 0 : (double) (of.applyAsLong(all) - of.applyAsLong(most)) / left;
    }
}
