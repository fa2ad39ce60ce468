package dev.ron.gateway.arbiter;

import dev.ron.gateway.arbiter.drr.Flow;
import dev.ron.gateway.arbiter.drr.Shares;
import dev.ron.gateway.arbiter.drr.Usage;
import java.util.Collection;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The tenants of an arbiter: at most so many by name, the others together.
 *
 * <p>Only the scheduler adds and removes, so the map's bins are never contended; loops look up without locking.
 */
final class Tenants {
    /** A tenant counts in the shares for so long after it was last seen. */
    private static final long ACTIVE_MICROS = 10_000_000;

    /** Debt and statistics of an idle tenant are forgotten after so long. */
    private static final long REMEMBERED_MICROS = 60_000_000;

    private final int capacity;
    private final ConcurrentHashMap<TenantKey, Tenant> byKey = new ConcurrentHashMap<>();
    private volatile Shares shares = new Shares();

    Tenants(int capacity) {
        this.capacity = capacity;
    }

    Shares shares() {
        return shares;
    }

    @Nullable
    Tenant find(TenantKey key) {
        return byKey.get(key);
    }

    Collection<Tenant> all() {
        return byKey.values();
    }

    /** The tenant by this name, or the one for all others when there is no room for another name; active from now on. */
    Tenant admit(TenantKey key, int weight, long slotTimeGuess, long now) {
        Tenant known = byKey.get(key);
        if (known == null && byKey.size() >= capacity) {
            return active(byKey.computeIfAbsent(TenantKey.OVERFLOW, k -> fresh(k, slotTimeGuess, now)), 1, now);
        }
        if (known == null) {
            known = fresh(key, slotTimeGuess, now);
            byKey.put(key, known);
        }
        return active(known, weight, now);
    }

    private static Tenant fresh(TenantKey key, long slotTimeGuess, long now) {
        return new Tenant(key, new Flow(new Usage(), 1, slotTimeGuess, now));
    }

    private Tenant active(Tenant tenant, int weight, long now) {
        Flow flow = tenant.flow();
        flow.seen(now);
        if (!flow.active() || flow.weight() != weight) {
            shares.activate(flow, weight);
        }
        return tenant;
    }

    /** Tenants unseen for a while leave the shares. */
    void age(long now) {
        shares.retireUnseenSince(now - ACTIVE_MICROS);
    }

    /** Tenants unseen for longer leave memory, and their debt with them. */
    void forget(long now) {
        byKey.values()
                .removeIf(tenant -> !tenant.flow().active()
                        && tenant.flow().lastSeen() < now - REMEMBERED_MICROS
                        && tenant.flow().idle());
    }

    /** After a failure: empty queues and clean accounts for all; who holds something counts in the shares at once. */
    void restart(long slotTimeGuess, long now) {
        Shares rebuilt = new Shares();
        byKey.replaceAll((key, tenant) -> tenant.restarted(slotTimeGuess, now));
        byKey.values().stream()
                .map(Tenant::flow)
                .filter(flow -> flow.usage().held() > 0)
                .forEach(flow -> rebuilt.activate(flow, flow.weight()));
        shares = rebuilt;
    }
}
