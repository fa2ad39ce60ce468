package dev.ron.kernel.channel;

import dev.ron.kernel.meter.Meter;
import dev.ron.kernel.sync.Waiters;
import dev.ron.kernel.topology.BroadcastSpec;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * A ring from many publishers to many readers; the slowest reader never slows a publisher.
 *
 * <p>A publisher takes the next number and writes an immutable node with that number into its slot, unless a later lap
 * has already been there. A reader that wants number n and finds a later number knows that n is gone, and how many with
 * it; so for every reader, received + missed = published since it subscribed.
 */
public final class Broadcast<T> implements AutoCloseable {
    static final long CLOSED = 1L << 62;

    private final BroadcastSpec spec;
    private final Meter meter;
    private final Meter.Count published;
    private final AtomicLong next = new AtomicLong();
    private final AtomicReferenceArray<@Nullable Node<T>> ring;
    private final AtomicInteger subscribers = new AtomicInteger();
    final Waiters readers = new Waiters();

    record Node<T>(long seq, T value) {}

    public Broadcast(BroadcastSpec spec, Meter meter) {
        this.spec = spec;
        this.meter = meter;
        this.published = meter.counter("bus_published_total", "bus", spec.name());
        this.ring = new AtomicReferenceArray<>(spec.capacity());
    }

    public Broadcast(BroadcastSpec spec) {
        this(spec, Meter.none());
    }

    /** Publishes to whoever listens; never waits. False once closed. */
    public boolean publish(T value) {
        long seq = next.getAndUpdate(n -> (n & CLOSED) != 0 ? n : n + 1);
        if ((seq & CLOSED) != 0) {
            return false;
        }
        Node<T> node = new Node<>(seq, value);
        int slot = slot(seq);
        Node<T> old = ring.get(slot);
        // A publisher that slept for a whole lap must not put an old event over a newer one.
        while (old == null || old.seq() < seq) {
            if (ring.compareAndSet(slot, old, node)) {
                break;
            }
            old = ring.get(slot);
        }
        published.increment();
        readers.signalAll();
        return true;
    }

    /** Starts reading at the next event; the name is the {@code consumer} label of the lag counter. */
    public Subscription<T> subscribe(String consumer) {
        // Before it is counted: whoever sees it counted may rely on it to hear what is published from then on.
        long from = next.get() & ~CLOSED;
        subscribers.incrementAndGet();
        return new Subscription<>(this, from, meter.counter("bus_lagged_total", "consumer", consumer), consumer);
    }

    void unsubscribed() {
        subscribers.decrementAndGet();
        readers.signalAll();
    }

    public int subscribers() {
        return subscribers.get();
    }

    /** Readers still get what is in the ring. */
    @Override
    public void close() {
        next.getAndUpdate(n -> n | CLOSED);
        readers.signalAll();
    }

    /** The number the next event will have; with {@link #CLOSED} set once closed. */
    long head() {
        return next.get();
    }

    @Nullable
    Node<T> at(long seq) {
        return ring.get(slot(seq));
    }

    int capacity() {
        return spec.capacity();
    }

    private int slot(long seq) {
        return (int) (seq % ring.length());
    }

    public BroadcastSpec spec() {
        return spec;
    }
}
