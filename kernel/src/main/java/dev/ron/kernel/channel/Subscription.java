package dev.ron.kernel.channel;

import dev.ron.kernel.meter.Meter;
import dev.ron.kernel.sync.Patience;
import dev.ron.kernel.task.CloseWatch;
import dev.ron.kernel.time.Deadline;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** One reader's place in a broadcast; used by one task. Closing it wakes that task. */
public final class Subscription<T> implements AutoCloseable {
    private final Broadcast<T> broadcast;
    private final Meter.Count lagged;
    private final CloseWatch.Handle watch;
    private final Supplier<@Nullable Received<T>> attempt = this::poll;
    // Written by the reading task only; volatile so that anyone may ask for the lag.
    private volatile long next;
    private volatile boolean closed;

    Subscription(Broadcast<T> broadcast, long next, Meter.Count lagged, String consumer) {
        this.broadcast = broadcast;
        this.next = next;
        this.lagged = lagged;
        this.watch = CloseWatch.watch(
                this, "subscription of " + consumer + " to " + broadcast.spec().name());
    }

    /** Waits for what comes next; empty when the deadline passes first. */
    public Optional<Received<T>> receive(Deadline deadline) {
        return Optional.ofNullable(broadcast.readers.await(broadcast.spec().name(), deadline, attempt));
    }

    public Optional<Received<T>> tryReceive() {
        return Optional.ofNullable(poll());
    }

    private @Nullable Received<T> poll() {
        long want = next;
        for (int steps = 0; !closed; steps = Patience.step(steps)) {
            // The head is read before the slot: what the head counts is in its slot or about to be.
            long head = broadcast.head();
            long count = head & ~Broadcast.CLOSED;
            if (want == count) {
                return head == count ? null : new Received.Closed<>();
            }
            if (count - want > broadcast.capacity()) {
                return skip(want);
            }
            Broadcast.Node<T> node = broadcast.at(want);
            if (node != null && node.seq() == want) {
                next = want + 1;
                return new Received.Item<>(want, node.value());
            }
            if (node != null && node.seq() > want) {
                return skip(want);
            }
            // Its publisher has the number and is about to write.
        }
        return new Received.Closed<>();
    }

    // The head is more than a lap ahead, so at least one event was missed.
    private Received<T> skip(long want) {
        long oldest = (broadcast.head() & ~Broadcast.CLOSED) - broadcast.capacity();
        next = oldest;
        lagged.add(oldest - want);
        return new Received.Lagged<>(oldest - want);
    }

    /** How many events wait for this reader, read or overwritten. */
    public long lag() {
        return (broadcast.head() & ~Broadcast.CLOSED) - next;
    }

    @Override
    public void close() {
        if (watch.closed()) {
            closed = true;
            broadcast.unsubscribed();
        }
    }
}
