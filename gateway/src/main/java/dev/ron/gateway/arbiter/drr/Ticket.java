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

    private final int part;

    /** A ticket of a caller that has its tenant's queue for itself. */
    protected Ticket() {
        this(0);
    }

    /** @param part for tenants that are many callers under one name, which of them; else 0 */
    protected Ticket(int part) {
        this.part = part;
    }

    protected final int part() {
        return part;
    }

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
