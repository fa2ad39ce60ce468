package dev.ron.kernel.channel;

import dev.ron.kernel.call.Ask;
import dev.ron.kernel.call.CallContext;
import dev.ron.kernel.error.Code;
import dev.ron.kernel.error.RonException;
import dev.ron.kernel.meter.Meter;
import dev.ron.kernel.sync.Waiters;
import dev.ron.kernel.time.Deadline;
import dev.ron.kernel.topology.MailboxSpec;
import dev.ron.kernel.topology.OnFull;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A bounded queue from many senders to one or more receivers.
 *
 * <p>One word holds the number of accepted items and whether the box is closed. A sender first claims a place in that
 * word and then appends, a receiver first takes and then gives the place back. Hence the bound holds at every instant,
 * FULL is answered only when every place is claimed, and a send that races with {@link #close} is either counted before
 * it, and will be delivered or handed back, or is answered CLOSED.
 */
public final class Mailbox<T> implements AutoCloseable {
    private static final long CLOSED = 1L << 62;
    private static final long COUNT = CLOSED - 1;

    private final MailboxSpec spec;
    private final Dropped<? super T> onDropped;
    private final Meter.Count evicted;
    private final Meter.Count expired;
    private final Meter.Count drained;
    private final AtomicLong word = new AtomicLong();
    private final AtomicInteger peak = new AtomicInteger();
    private final ConcurrentLinkedQueue<Delivery<T>> items = new ConcurrentLinkedQueue<>();
    private final Waiters receivers = new Waiters();
    private final Supplier<@Nullable Delivery<T>> attempt = this::poll;
    private final Delivery<T> end;

    public Mailbox(MailboxSpec spec, Meter meter, Dropped<? super T> onDropped) {
        this.spec = spec;
        this.onDropped = onDropped;
        this.end = Delivery.end(this);
        this.evicted = meter.counter("queue_dropped_total", "queue", spec.name());
        this.expired = meter.counter("queue_expired_total", "queue", spec.name());
        this.drained = meter.counter("queue_drained_total", "queue", spec.name());
    }

    public Mailbox(MailboxSpec spec) {
        this(spec, Meter.none(), (item, cause) -> {});
    }

    /** Offers an item; never waits. */
    public Sent trySend(T item) {
        Delivery<T> delivery = new Delivery<>(item, CallContext.current(), this);
        while (true) {
            long now = word.get();
            if ((now & CLOSED) != 0) {
                return Sent.CLOSED;
            }
            if (now < spec.capacity()) {
                if (word.compareAndSet(now, now + 1)) {
                    append(delivery, (int) now + 1);
                    return Sent.ACCEPTED;
                }
            } else if (spec.onFull() == OnFull.REJECT_NEW) {
                return Sent.FULL;
            } else if (replaceOldest(delivery)) {
                return Sent.ACCEPTED;
            }
        }
    }

    private void append(Delivery<T> delivery, int depth) {
        items.add(delivery);
        if (depth > peak.getPlain()) {
            peak.accumulateAndGet(depth, Math::max);
        }
        receivers.signal();
    }

    // The new item takes over the place of the oldest one, so the count does not move and the bound holds throughout. A
    // close in between comes after this send: the place is still counted, so receivers wait for what fills it.
    private boolean replaceOldest(Delivery<T> delivery) {
        Delivery<T> oldest = items.poll();
        if (oldest == null) {
            return false;
        }
        items.add(delivery);
        receivers.signal();
        drop(oldest, Dropped.Cause.EVICTED);
        return true;
    }

    /** The oldest item if there is one; empty also when the box is closed. */
    public Optional<Delivery<T>> tryReceive() {
        return present(poll());
    }

    /** Waits for the oldest item; empty when the deadline passes first or the box is closed and nothing is left. */
    public Optional<Delivery<T>> receive(Deadline deadline) {
        return present(receivers.await(spec.name(), deadline, attempt));
    }

    private Optional<Delivery<T>> present(@Nullable Delivery<T> next) {
        return next == null || next == end ? Optional.empty() : Optional.of(next);
    }

    /** True once the box is closed and everything it had accepted has been taken. */
    public boolean finished() {
        return word.get() == CLOSED;
    }

    /** An item, or {@link #end} when closed and done, or null when one must wait. */
    private @Nullable Delivery<T> poll() {
        while (true) {
            Delivery<T> next = items.poll();
            if (next != null) {
                if (word.decrementAndGet() == CLOSED) {
                    receivers.signalAll();
                }
                return next;
            }
            long now = word.get();
            if (now == CLOSED) {
                return end;
            }
            if ((now & COUNT) == 0) {
                return null;
            }
            // A sender has claimed a place and is about to append, or a receiver is about to give one back.
            Thread.onSpinWait();
        }
    }

    /** Refuses new items; receivers still get every item that was accepted. */
    @Override
    public void close() {
        long before = word.getAndUpdate(now -> now | CLOSED);
        if ((before & CLOSED) == 0) {
            receivers.signalAll();
        }
    }

    /** Closes, and hands back whatever no receiver has taken; each item to exactly one caller. */
    public List<T> drain() {
        close();
        List<T> rest = new ArrayList<>();
        for (Optional<Delivery<T>> next = tryReceive(); next.isPresent(); next = tryReceive()) {
            rest.add(next.get().item());
        }
        return rest;
    }

    /** Closes, and has whatever no receiver has taken answered as {@code draining}. */
    public void drainAndAnswer() {
        close();
        for (Optional<Delivery<T>> next = tryReceive(); next.isPresent(); next = tryReceive()) {
            drop(next.get(), Dropped.Cause.DRAINED);
        }
    }

    void drop(Delivery<T> delivery, Dropped.Cause cause) {
        switch (cause) {
            case EVICTED -> evicted.increment();
            case EXPIRED -> expired.increment();
            case DRAINED -> drained.increment();
        }
        if (delivery.item() instanceof Ask<?, ?> ask) {
            ask.reply().fail(refusal(cause));
        }
        onDropped.dropped(delivery.item(), cause);
    }

    private RonException refusal(Dropped.Cause cause) {
        return switch (cause) {
            case EVICTED ->
                new RonException(Code.UNAVAILABLE, "shed", "queue " + spec.name() + " gave its place to newer work");
            case EXPIRED -> new RonException(Code.TIMEOUT, "queue_timeout", "deadline passed in queue " + spec.name());
            case DRAINED -> new RonException(Code.DRAINING, "draining", "the service is stopping; send it elsewhere");
        };
    }

    public int depth() {
        return (int) (word.get() & COUNT);
    }

    /** The greatest depth since the last call. */
    public int takePeak() {
        return Math.max(peak.getAndSet(0), depth());
    }

    public MailboxSpec spec() {
        return spec;
    }
}
