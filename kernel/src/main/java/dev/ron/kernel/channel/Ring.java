package dev.ron.kernel.channel;

import dev.ron.kernel.sync.Patience;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * The places of a mailbox, handed out in order.
 *
 * <p>{@code tail} is the next place to send to and {@code head} the next to receive from; {@code tail - head} never
 * exceeds the capacity, because a sender moves the tail only after it has seen room and the head only grows. A sender
 * first claims a place by moving the tail and then fills it with a delivery that carries the number of its place; a
 * receiver takes a delivery only when that number is the head's. So a slot needs no state of its own, and nobody waits
 * for a receiver that sleeps between two steps.
 */
final class Ring<T> {
    /** Set in the tail: no place will be claimed any more. */
    static final long CLOSED = 1L << 62;
    /** Set in the head: a sender is replacing the oldest delivery, and nobody may take one meanwhile. */
    private static final long LOCKED = 1L << 62;

    private final int capacity;
    private final int mask;
    private final AtomicReferenceArray<@Nullable Delivery<T>> slots;
    private final Counter tail = new Counter();
    private final Counter head = new Counter();
    // Some place that was known to be free for claiming up to; at most head + capacity, so below it there is room. It
    // spares senders the head, which is the receivers' cache line.
    private final Counter limit = new Counter();

    /** A counter on a cache line of its own. */
    @SuppressWarnings({"unused", "UnusedVariable"})
    private static final class Counter extends AtomicLong {
        private static final long serialVersionUID = 1L;
        private long p1, p2, p3, p4, p5, p6, p7;
    }

    /** What there is to receive. */
    enum State {
        EMPTY,
        /** Something is there, or is about to be: its sender has the place and fills it now. */
        READY,
        /** Closed, and everything taken. */
        END
    }

    Ring(int capacity) {
        this.capacity = capacity;
        int size = capacity == 1 ? 1 : Integer.highestOneBit(capacity - 1) << 1;
        this.mask = size - 1;
        this.slots = new AtomicReferenceArray<>(size);
        this.limit.set(capacity);
    }

    /** Whether a delivery would be accepted now; FULL means that every place was taken at that moment. */
    Sent probe() {
        return probe(tail.get());
    }

    private Sent probe(long last) {
        if ((last & CLOSED) != 0) {
            return Sent.CLOSED;
        }
        return last < limit.getAcquire() || room(last) ? Sent.ACCEPTED : Sent.FULL;
    }

    // The tail was read before the head: it is now where it was or further, so no room at that tail means none now.
    private boolean room(long last) {
        long bound = (head.get() & ~LOCKED) + capacity;
        limit.setRelease(bound);
        return last < bound;
    }

    /** Appends a delivery, or says why not. */
    Sent offer(Delivery<T> delivery) {
        while (true) {
            long last = tail.get();
            Sent answer = probe(last);
            if (answer != Sent.ACCEPTED) {
                return answer;
            }
            if (tail.compareAndSet(last, last + 1)) {
                fill(last, delivery);
                return Sent.ACCEPTED;
            }
        }
    }

    private void fill(long place, Delivery<T> delivery) {
        delivery.place = place;
        slots.setRelease((int) place & mask, delivery);
    }

    /**
     * Appends a delivery in place of the oldest in one step: nobody sees the box with one less or one more. Null when the
     * box was not full or is being changed by another, and nothing was done.
     */
    @Nullable
    Delivery<T> replaceOldest(Delivery<T> delivery) {
        long first = head.get();
        if ((first & LOCKED) != 0 || !head.compareAndSet(first, first | LOCKED)) {
            return null;
        }
        // The head is ours. In a full box that keeps the tail where it is too, unless somebody closes.
        long last = first + capacity;
        if (tail.get() != last) {
            head.set(first);
            return null;
        }
        Delivery<T> oldest = slots.getAcquire((int) first & mask);
        for (int steps = 0; oldest == null || oldest.place != first; oldest = slots.getAcquire((int) first & mask)) {
            steps = Patience.step(steps);
        }
        if (!tail.compareAndSet(last, last + 1)) {
            head.set(first);
            return null;
        }
        slots.compareAndSet((int) first & mask, oldest, null);
        fill(last, delivery);
        head.set(first + 1);
        return oldest;
    }

    /** Takes the oldest delivery; null when there is none, or none yet (see {@link #state}). */
    @Nullable
    Delivery<T> poll() {
        while (true) {
            long first = head.get();
            int slot = (int) first & mask;
            Delivery<T> delivery = slots.getAcquire(slot);
            if (delivery == null || delivery.place != first) {
                if (head.get() == first) {
                    return null;
                }
            } else if (head.compareAndSet(first, first + 1)) {
                // Only so that the item can be collected; a sender may have filled the slot again already.
                slots.compareAndSet(slot, delivery, null);
                return delivery;
            }
        }
    }

    // The head is read before the tail. Equal means that at the moment of the second read nothing was there: the head
    // can
    // not have passed the tail.
    State state() {
        long first = head.get();
        long last = tail.get();
        if ((last & ~CLOSED) != first) {
            return State.READY;
        }
        return (last & CLOSED) == 0 ? State.EMPTY : State.END;
    }

    /** Refuses what comes from now on; true the first time. */
    boolean close() {
        return (tail.getAndUpdate(last -> last | CLOSED) & CLOSED) == 0;
    }

    // The tail does not move any more once it is closed, so it is read first.
    boolean finished() {
        long last = tail.get();
        return (last & CLOSED) != 0 && (head.get() & ~LOCKED) == (last & ~CLOSED);
    }

    int depth() {
        long first = head.get() & ~LOCKED;
        long last = tail.get() & ~CLOSED;
        return (int) Math.min(capacity, last - first);
    }

    /** How deep the box was with the delivery at this place, or {@code known} where it was surely no deeper. */
    int depthAt(long place, int known) {
        if (place + 1 - (limit.getAcquire() - capacity) <= known) {
            return known;
        }
        long first = head.get() & ~LOCKED;
        limit.setRelease(first + capacity);
        return (int) (place + 1 - first);
    }
}
