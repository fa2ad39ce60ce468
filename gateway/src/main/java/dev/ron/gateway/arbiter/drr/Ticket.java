package dev.ron.gateway.arbiter.drr;

import org.jspecify.annotations.Nullable;

/** A place in a tenant's queue; the links in it belong to the scheduler, so that leaving from the middle costs nothing. */
public abstract class Ticket {
    private @Nullable Flow flow;

    @Nullable
    Ticket previous;

    @Nullable
    Ticket next;

    boolean filed;

    /** The queue it belongs to, once the scheduler has met it. */
    public final @Nullable Flow flow() {
        return flow;
    }

    public final void belongTo(Flow owner) {
        flow = owner;
    }

    final Flow home() {
        Flow home = flow;
        if (home == null) {
            throw new IllegalStateException("ticket without a flow");
        }
        return home;
    }
}
