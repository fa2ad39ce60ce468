package dev.ron.gateway.arbiter.drr;

import org.jspecify.annotations.Nullable;

/** An order of service among waiting tickets; each ticket belongs to a flow before it is filed. */
public interface Discipline {

    /** Puts a ticket into its flow's queue, at the head if it has waited its turn before. */
    void file(Ticket ticket, boolean first);

    /** The ticket to serve next with a slot below {@code limit}, or null if none may run now; it stays filed. */
    @Nullable
    Ticket choose(long now, int inFlight, int limit);

    /** Takes a filed ticket out: served, cancelled, expired or pushed out. */
    void remove(Ticket ticket);

    /** When there is no room left: the ticket that should give way to this one, or null if none should. */
    @Nullable
    Ticket givesWayTo(Ticket newcomer);

    /** Periodic book-keeping. */
    void tick(long now);

    /** Average slot time of the upstream: what to expect of a tenant not seen before. */
    long slotTimeMicros();
}
