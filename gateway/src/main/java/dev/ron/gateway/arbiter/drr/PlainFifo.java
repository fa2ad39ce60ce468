package dev.ron.gateway.arbiter.drr;

import org.jspecify.annotations.Nullable;

/** First come, first served: what is left when the fair order has failed too often. */
public final class PlainFifo implements Discipline {
    private final TicketList queue = new TicketList();

    @Override
    public void file(Ticket ticket, boolean first) {
        if (first) {
            queue.addFirst(ticket);
        } else {
            queue.addLast(ticket);
        }
    }

    @Override
    public @Nullable Ticket choose(long now, int inFlight, int limit) {
        return queue.first();
    }

    @Override
    public void remove(Ticket ticket) {
        queue.remove(ticket);
    }

    @Override
    public @Nullable Ticket givesWayTo(Ticket newcomer) {
        return null;
    }

    @Override
    public void tick(long now) {}

    @Override
    public long slotTimeMicros() {
        return 1;
    }
}
