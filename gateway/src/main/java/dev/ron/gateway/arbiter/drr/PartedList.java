package dev.ron.gateway.arbiter.drr;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The queue of callers that share one name: served in turn by where they come from, first come first served within. */
final class PartedList {
    private final Map<Integer, TicketList> parts = new LinkedHashMap<>(); // in the order of their turns
    private int size;

    int size() {
        return size;
    }

    int sizeOf(int part) {
        TicketList list = parts.get(part);
        return list == null ? 0 : list.size();
    }

    @Nullable
    Ticket first() {
        Iterator<TicketList> turns = parts.values().iterator();
        return turns.hasNext() ? turns.next().first() : null;
    }

    /** The tail of the longest part. */
    @Nullable
    Ticket last() {
        TicketList longest = null;
        for (TicketList list : parts.values()) {
            if (longest == null || list.size() > longest.size()) {
                longest = list;
            }
        }
        return longest == null ? null : longest.last();
    }

    void add(Ticket ticket, boolean first) {
        TicketList list = parts.computeIfAbsent(ticket.part(), part -> new TicketList());
        if (first) {
            list.addFirst(ticket);
        } else {
            list.addLast(ticket);
        }
        size++;
    }

    /** Takes a ticket out; where it was the next one, the turn passes to the next part. */
    void remove(Ticket ticket) {
        TicketList list = parts.get(ticket.part());
        if (list == null) {
            throw new IllegalStateException("ticket is in no list");
        }
        boolean turn = ticket.equals(first());
        list.remove(ticket);
        size--;
        if (list.size() == 0) {
            parts.remove(ticket.part());
        } else if (turn) {
            parts.remove(ticket.part());
            parts.put(ticket.part(), list);
        }
    }
}
