package dev.ron.gateway.proxy;

import dev.ron.gateway.auth.Allowances;
import dev.ron.gateway.auth.Door;
import dev.ron.gateway.auth.OpenStreams;
import dev.ron.gateway.coding.CodingLane;
import dev.ron.gateway.fields.Onward;
import dev.ron.gateway.tenant.Accounts;
import dev.ron.gateway.tenant.BufferBudget;
import dev.ron.gateway.tenant.RateShares;
import dev.ron.kernel.time.Clock;
import dev.ron.service.metrics.ServiceMetrics;
import java.util.function.BooleanSupplier;

/** What outlives every configuration of the gateway. */
public final class Shared {
    private final Clock clock;
    private final ServiceMetrics metrics;
    private final Workers workers;
    private final Door door;
    private final CodingLane coding;
    private final BooleanSupplier draining;
    private final Accounts accounts;
    private final RateShares rates;
    private final Allowances allowances;
    private final OpenStreams streams = new OpenStreams();
    private final RefusalRing refusals = new RefusalRing();
    private final BufferBudget buffers = new BufferBudget();
    private final BufferBudget answers = new BufferBudget();
    private final Onward onward;

    public Shared(
            Clock clock,
            ServiceMetrics metrics,
            Workers workers,
            Door door,
            CodingLane coding,
            BooleanSupplier draining) {
        this.clock = clock;
        this.metrics = metrics;
        this.workers = workers;
        this.door = door;
        this.coding = coding;
        this.draining = draining;
        this.accounts = new Accounts(clock);
        this.rates = new RateShares(accounts);
        this.allowances = new Allowances(clock);
        this.onward = new Onward(clock);
    }

    Clock clock() {
        return clock;
    }

    ServiceMetrics metrics() {
        return metrics;
    }

    Workers workers() {
        return workers;
    }

    public Door door() {
        return door;
    }

    Onward onward() {
        return onward;
    }

    CodingLane coding() {
        return coding;
    }

    boolean draining() {
        return draining.getAsBoolean();
    }

    public Accounts accounts() {
        return accounts;
    }

    RateShares rates() {
        return rates;
    }

    public Allowances allowances() {
        return allowances;
    }

    public OpenStreams streams() {
        return streams;
    }

    public RefusalRing refusals() {
        return refusals;
    }

    /** For request bodies. */
    BufferBudget buffers() {
        return buffers;
    }

    /** For answers: apart, so that slow readers take no room from those who send. */
    BufferBudget answers() {
        return answers;
    }
}
