package dev.ron.gateway.arbiter.drr;

import org.jspecify.annotations.Nullable;

/** One of the two lists of round robin, NEW or OLD, threaded through its flows; a flow is in at most one of them. */
final class FlowRing {
    private @Nullable Flow first;
    private @Nullable Flow last;
    private int size;

    int size() {
        return size;
    }

    @Nullable
    Flow first() {
        return first;
    }

    void addLast(Flow flow) {
        if (flow.ring != null) {
            throw new IllegalStateException("flow is already in a list");
        }
        flow.ring = this;
        flow.previous = last;
        if (last == null) {
            first = flow;
        } else {
            last.next = flow;
        }
        last = flow;
        size++;
    }

    void remove(Flow flow) {
        if (flow.ring != this) {
            throw new IllegalStateException("flow is not in this list");
        }
        if (flow.previous == null) {
            first = flow.next;
        } else {
            flow.previous.next = flow.next;
        }
        if (flow.next == null) {
            last = flow.previous;
        } else {
            flow.next.previous = flow.previous;
        }
        flow.previous = null;
        flow.next = null;
        flow.ring = null;
        size--;
    }
}
