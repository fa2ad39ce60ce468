package dev.ron.gateway.tenant;

import dev.ron.gateway.arbiter.TenantKey;
import dev.ron.kernel.flow.RetryBudget;
import dev.ron.kernel.time.Clock;
import java.util.concurrent.atomic.AtomicLong;

/** What the gateway keeps about one tenant across upstreams: its retries, its part of the rate, what is held for it. */
public final class Account {
    private static final long COARSE_NANOS = 100_000_000;

    private final TenantKey key;
    private final RetryBudget retries;
    private final BufferBudget answers = new BufferBudget();
    private final AtomicLong overRate = new AtomicLong();
    final Bucket bucket = new Bucket();
    private volatile long seenAt;

    Account(TenantKey key, Clock clock) {
        this.key = key;
        this.retries = new RetryBudget(clock);
        this.seenAt = clock.nanos();
    }

    public TenantKey key() {
        return key;
    }

    public RetryBudget retries() {
        return retries;
    }

    /** Of answers that its callers have not taken yet. */
    public BufferBudget answers() {
        return answers;
    }

    void seen(long now) {
        if (now - seenAt > COARSE_NANOS) {
            seenAt = now;
        }
    }

    long seenAt() {
        return seenAt;
    }

    void countOverRate() {
        overRate.incrementAndGet();
    }

    /** Requests refused for their rate. */
    public long overRate() {
        return overRate.get();
    }
}
