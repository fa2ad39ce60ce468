package dev.ron.gateway.upstream;

import dev.ron.gateway.arbiter.TenantKey;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * How an upstream's answers went for each tenant lately, so that trouble can be told from one tenant's trouble.
 *
 * <p>The tenants are those of the gateway's accounts, so there is a bound on them.
 */
public final class TenantOutcomes {
    private static final int WINDOWS = 10;

    private final ConcurrentMap<TenantKey, Counts> now = new ConcurrentHashMap<>();
    // The sampler's own.
    private final List<List<Tally>> windows = new ArrayList<>();

    private static final class Counts {
        private final LongAdder all = new LongAdder();
        private final LongAdder bad = new LongAdder();
    }

    private record Tally(TenantKey tenant, long all, long bad) {}

    /** Notes how a request ended: bad if the upstream did not answer it. */
    public void add(TenantKey tenant, boolean bad) {
        Counts counts = now.get(tenant);
        if (counts == null) {
            counts = now.computeIfAbsent(tenant, key -> new Counts());
        }
        counts.all.increment();
        if (bad) {
            counts.bad.increment();
        }
    }

    /**
     * The share of bad answers over the last windows; one call closes a window. The tenant with most of them is left out
     * where there are others, so that no single one can make the whole upstream look ill. Below {@code least}: 0.
     */
    double badShare(long least) {
        List<Tally> window = new ArrayList<>();
        now.forEach((tenant, counts) ->
                window.add(new Tally(tenant, counts.all.sumThenReset(), counts.bad.sumThenReset())));
        now.values().removeIf(counts -> counts.all.sum() == 0);
        windows.add(window);
        if (windows.size() > WINDOWS) {
            windows.removeFirst();
        }
        ConcurrentMap<TenantKey, long[]> sums = new ConcurrentHashMap<>();
        windows.forEach(list -> list.forEach(tally -> {
            long[] sum = sums.computeIfAbsent(tally.tenant(), key -> new long[2]);
            sum[0] += tally.all();
            sum[1] += tally.bad();
        }));
        List<long[]> each = new ArrayList<>(sums.values());
        each.removeIf(sum -> sum[0] == 0);
        if (each.size() > 1) {
            each.sort(Comparator.comparingLong((long[] sum) -> sum[1]).reversed());
            each.removeFirst();
        }
        long all = each.stream().mapToLong(sum -> sum[0]).sum();
        long bad = each.stream().mapToLong(sum -> sum[1]).sum();
        return all < least ? 0 : (double) bad / all;
    }
}
