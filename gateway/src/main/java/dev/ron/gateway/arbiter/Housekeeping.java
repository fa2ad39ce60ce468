package dev.ron.gateway.arbiter;

import dev.ron.gateway.arbiter.drr.Discipline;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** What the leader does now and then: charges what runs, forgets who is gone, and describes all when asked. */
final class Housekeeping {
    private static final long CHARGE_MICROS = 100_000;
    private static final long FORGET_MICROS = 1_000_000;
    private static final long FADE_MICROS = 10_000_000;

    private final Occupancy occupancy;
    private final Tenants tenants;
    private final AtomicInteger streams;
    private volatile long nextCharge;
    private long nextForget;
    private long nextFade;

    private volatile boolean asked;
    private volatile ArbiterView view;

    Housekeeping(Occupancy occupancy, Tenants tenants, AtomicInteger streams) {
        this.occupancy = occupancy;
        this.tenants = tenants;
        this.streams = streams;
        this.view = describe(true, 0);
    }

    /** Whether a tick has anything to do here. */
    boolean due(long now) {
        return now >= nextCharge;
    }

    void run(long now, Discipline discipline) {
        if (now < nextCharge) {
            return;
        }
        nextCharge = now + CHARGE_MICROS;
        discipline.tick(now);
        tenants.age(now);
        if (now >= nextForget) {
            nextForget = now + FORGET_MICROS;
            tenants.forget(now);
        }
        if (now >= nextFade) {
            nextFade = now + FADE_MICROS;
            tenants.all().forEach(Tenant::fadeWaits);
        }
    }

    void ask() {
        asked = true;
    }

    ArbiterView view() {
        return view;
    }

    void describeIfAsked(boolean fair, int restarts) {
        if (asked) {
            asked = false;
            view = describe(fair, restarts);
        }
    }

    private ArbiterView describe(boolean fair, int restarts) {
        long word = occupancy.word();
        int limit = Word.limit(word);
        List<TenantView> each = tenants.all().stream()
                .map(tenant -> tenant.view(tenants.shares(), limit))
                .toList();
        return new ArbiterView(
                limit,
                Word.inFlight(word),
                Word.waiting(word),
                streams.get(),
                Word.closed(word),
                fair,
                restarts,
                tenants.shares().activeTenants(),
                each);
    }
}
