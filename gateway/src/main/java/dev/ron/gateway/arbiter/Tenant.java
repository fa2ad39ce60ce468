package dev.ron.gateway.arbiter;

import dev.ron.gateway.arbiter.drr.Flow;
import dev.ron.gateway.arbiter.drr.Shares;
import dev.ron.gateway.arbiter.drr.Usage;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/** One tenant as an arbiter knows it: its flow, and what is told about it. */
final class Tenant {
    private final TenantKey key;
    private final Flow flow;
    private final WaitTimes waits;
    private final Map<Refusal, AtomicLong> refused; // filled at the start, never changed

    Tenant(TenantKey key, Flow flow) {
        this(key, flow, new WaitTimes(), new EnumMap<>(Refusal.class));
        for (Refusal why : Refusal.values()) {
            refused.put(why, new AtomicLong());
        }
    }

    private Tenant(TenantKey key, Flow flow, WaitTimes waits, Map<Refusal, AtomicLong> refused) {
        this.key = key;
        this.flow = flow;
        this.waits = waits;
        this.refused = refused;
    }

    /** The same tenant with an empty queue and a clean account; what runs goes on counting. */
    Tenant restarted(long slotTimeGuess, long now) {
        return new Tenant(key, new Flow(flow.usage(), flow.weight(), slotTimeGuess, now), waits, refused);
    }

    TenantKey key() {
        return key;
    }

    Flow flow() {
        return flow;
    }

    WaitTimes waits() {
        return waits;
    }

    void countRefusal(Refusal why) {
        AtomicLong count = refused.get(why);
        if (count != null) {
            count.incrementAndGet();
        }
    }

    /** How it stands now; for the scheduler. */
    TenantView view(Shares shares, int limit) {
        Usage usage = flow.usage();
        waits.absorb(usage.granted());
        return new TenantView(
                key,
                flow.weight(),
                shares.of(flow, limit),
                usage.held(),
                flow.waiting(),
                flow.deficitMicros(),
                flow.slotTimeMicros(),
                usage.usedMicros(),
                usage.granted(),
                refusals(),
                waits.quantileMicros(0.5),
                waits.quantileMicros(0.99),
                usage.streams());
    }

    /** Recent waits count more than old ones. */
    void fadeWaits() {
        waits.absorb(flow.usage().granted());
        waits.fade();
    }

    private Map<Refusal, Long> refusals() {
        Map<Refusal, Long> counts = new EnumMap<>(Refusal.class);
        refused.forEach((why, count) -> counts.put(why, count.get()));
        return counts;
    }
}
