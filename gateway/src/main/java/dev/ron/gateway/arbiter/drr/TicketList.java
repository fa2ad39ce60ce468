package dev.ron.gateway.arbiter.drr;

import org.jspecify.annotations.Nullable;

/** A doubly linked list threaded through its tickets; a ticket is in at most one list. */
final class TicketList {
    private @Nullable Ticket first;
    private @Nullable Ticket last;
    private int size;

    int size() {
        return size;
    }

    @Nullable
    Ticket first() {
        return first;
    }

    @Nullable
    Ticket last() {
        return last;
    }

    void addFirst(Ticket ticket) {
        enter(ticket);
        ticket.next = first;
        if (first == null) {
            last = ticket;
        } else {
            first.previous = ticket;
        }
        first = ticket;
    }

    void addLast(Ticket ticket) {
        enter(ticket);
        ticket.previous = last;
        if (last == null) {
            first = ticket;
        } else {
            last.next = ticket;
        }
        last = ticket;
    }

    void remove(Ticket ticket) {
        if (!ticket.filed) {
            throw new IllegalStateException("ticket is in no list");
        }
        if (ticket.previous == null) {
            first = ticket.next;
        } else {
            ticket.previous.next = ticket.next;
        }
        if (ticket.next == null) {
            last = ticket.previous;
        } else {
            ticket.next.previous = ticket.previous;
        }
        ticket.previous = null;
        ticket.next = null;
        ticket.filed = false;
        size--;
    }

    private void enter(Ticket ticket) {
        if (ticket.filed) {
            throw new IllegalStateException("ticket is already in a list");
        }
        ticket.filed = true;
        size++;
    }
}
