package dev.ron.gateway.tenant;

import dev.ron.gateway.arbiter.TenantKey;
import dev.ron.kernel.time.Clock;
import java.time.Duration;
import java.util.Collection;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicInteger;

/** Every tenant seen lately; at most so many by name, the others together as {@code _overflow}. */
public final class Accounts {
    public static final int MOST = 4096;
    private static final long REMEMBERED_NANOS = Duration.ofSeconds(60).toNanos();

    private final Clock clock;
    private final Account overflow;
    private final ConcurrentMap<TenantKey, Account> byKey = new ConcurrentHashMap<>();
    private final AtomicInteger size = new AtomicInteger();

    public Accounts(Clock clock) {
        this.clock = clock;
        this.overflow = new Account(TenantKey.OVERFLOW, clock);
    }

    public Account of(TenantKey key, long now) {
        Account known = byKey.get(key);
        if (known == null) {
            known = admitted(key);
        }
        known.seen(now);
        return known;
    }

    private Account admitted(TenantKey key) {
        // The place is counted before it is taken, so there are never more than the limit.
        if (size.getAndUpdate(n -> Math.min(n + 1, MOST)) >= MOST) {
            return overflow;
        }
        Account fresh = new Account(key, clock);
        Account earlier = byKey.putIfAbsent(key, fresh);
        if (earlier != null) {
            size.decrementAndGet();
            return earlier;
        }
        return fresh;
    }

    public Collection<Account> all() {
        return byKey.values();
    }

    public int size() {
        return size.get();
    }

    /** Forgets who was not seen for a while; now and then, by one task. */
    public void sweep() {
        long before = clock.nanos() - REMEMBERED_NANOS;
        byKey.forEach((key, account) -> {
            if (account.seenAt() < before && byKey.remove(key, account)) {
                size.decrementAndGet();
            }
        });
    }
}
