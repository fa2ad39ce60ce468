package dev.ron.kernel.channel;

import dev.ron.kernel.meter.Meter;
import dev.ron.kernel.time.Deadline;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** One reader's place in a broadcast; used by one task. */
public final class Subscription<T> implements AutoCloseable {
    private final Broadcast<T> broadcast;
    private final Meter.Count lagged;
    private final Supplier<@Nullable Received<T>> attempt = this::poll;
    private long next;
    private boolean closed;

    Subscription(Broadcast<T> broadcast, long next, Meter.Count lagged) {
        this.broadcast = broadcast;
        this.next = next;
        this.lagged = lagged;
    }

    /** Waits for what comes next; empty when the deadline passes first. */
    public Optional<Received<T>> receive(Deadline deadline) {
        return Optional.ofNullable(broadcast.readers.await(broadcast.spec().name(), deadline, attempt));
    }

    public Optional<Received<T>> tryReceive() {
        return Optional.ofNullable(poll());
    }

    private @Nullable Received<T> poll() {
        while (true) {
            // The head is read before the slot: what the head counts is in its slot or about to be.
            long head = broadcast.head();
            long count = head & ~Broadcast.CLOSED;
            if (next == count) {
                return head == count ? null : new Received.Closed<>();
            }
            Broadcast.Node<T> node = broadcast.at(next);
            if (node != null && node.seq() == next) {
                next++;
                return new Received.Item<>(node.seq(), node.value());
            }
            if (node != null && node.seq() > next) {
                return skip();
            }
            // Its publisher has the number and is about to write.
            Thread.onSpinWait();
        }
    }

    private Received<T> skip() {
        long count = broadcast.head() & ~Broadcast.CLOSED;
        long oldest = count - broadcast.capacity();
        long missed = oldest - next;
        next = oldest;
        lagged.add(missed);
        return new Received.Lagged<>(missed);
    }

    /** How many events wait for this reader, read or overwritten. */
    public long lag() {
        return (broadcast.head() & ~Broadcast.CLOSED) - next;
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            broadcast.unsubscribed();
        }
    }
}
