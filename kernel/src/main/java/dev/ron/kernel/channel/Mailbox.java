package dev.ron.kernel.channel;

import dev.ron.kernel.call.Ask;
import dev.ron.kernel.call.CallContext;
import dev.ron.kernel.error.Code;
import dev.ron.kernel.error.RonException;
import dev.ron.kernel.meter.Meter;
import dev.ron.kernel.sync.Blocking;
import dev.ron.kernel.sync.Patience;
import dev.ron.kernel.sync.Waiters;
import dev.ron.kernel.time.Deadline;
import dev.ron.kernel.topology.MailboxSpec;
import dev.ron.kernel.topology.OnFull;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A bounded queue from many senders to one or more receivers.
 *
 * <p>A send takes effect when it claims a place in the {@link Ring}, a receive when it takes one: the bound holds at
 * every instant, FULL is answered only when every place is taken, and a send that races with {@link #close} either came
 * first, and will be delivered or handed back, or is answered CLOSED.
 */
public final class Mailbox<T> implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Mailbox.class);
    // Model checks turn it off, to look at what matters.
    private static final int PATIENCE = Patience.SHORT + Integer.getInteger("ron.patience", 10);

    private final MailboxSpec spec;
    private final boolean dropOldest;
    private final Dropped<? super T> onDropped;
    private final Meter.Count evicted;
    private final Meter.Count expired;
    private final Meter.Count drained;
    private final Ring<T> ring;
    private final AtomicInteger peak = new AtomicInteger();
    private final Waiters receivers = new Waiters();
    private final Supplier<@Nullable Delivery<T>> attempt = this::poll;
    private final Delivery<T> end;
    private volatile boolean closed;

    public Mailbox(MailboxSpec spec, Meter meter, Dropped<? super T> onDropped) {
        this.spec = spec;
        this.dropOldest = spec.onFull() == OnFull.DROP_OLDEST;
        this.onDropped = onDropped;
        this.ring = new Ring<>(spec.capacity());
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
        // Looked at first, so that a refusal costs no allocation.
        Sent answer = ring.probe();
        if (answer == Sent.CLOSED || (answer == Sent.FULL && !dropOldest)) {
            return answer;
        }
        Delivery<T> delivery = new Delivery<>(item, CallContext.current(), this);
        answer = ring.offer(delivery);
        while (answer == Sent.FULL && dropOldest) {
            Delivery<T> oldest = ring.replaceOldest(delivery);
            if (oldest != null) {
                receivers.signal();
                drop(oldest, Dropped.Cause.EVICTED);
                return Sent.ACCEPTED;
            }
            Thread.onSpinWait();
            answer = ring.offer(delivery);
        }
        if (answer == Sent.ACCEPTED) {
            // The ring's tail moved before this looks for a waiter, and a waiter looks at the tail after it has joined:
            // one of the two sees the other.
            receivers.signal();
            notePeak(delivery.place);
        }
        return answer;
    }

    private void notePeak(long place) {
        int known = peak.getPlain();
        int depth = ring.depthAt(place, known);
        if (depth > known) {
            peak.accumulateAndGet(depth, Math::max);
        }
    }

    /** The oldest item if there is one; empty also when the box is closed. */
    public Optional<Delivery<T>> tryReceive() {
        return present(poll());
    }

    /** Waits for the oldest item; empty when the deadline passes first or the box is closed and nothing is left. */
    public Optional<Delivery<T>> receive(Deadline deadline) {
        Blocking.enter(spec.name());
        Delivery<T> next = soon();
        return present(next == null ? receivers.await(spec.name(), deadline, attempt) : next);
    }

    // A sender that is at work brings the next item sooner than a park and an unpark take; where it has no core of its
    // own, giving ours away lets it bring several. Only the slot is looked at: the tail is the senders'.
    private @Nullable Delivery<T> soon() {
        Delivery<T> next = take();
        for (int steps = Patience.SHORT; next == null && steps < PATIENCE; ) {
            steps = Patience.step(steps);
            next = take();
        }
        return next;
    }

    private @Nullable Delivery<T> take() {
        Delivery<T> next = ring.poll();
        if (next != null && closed && ring.finished()) {
            receivers.signalAll();
        }
        return next;
    }

    private Optional<Delivery<T>> present(@Nullable Delivery<T> next) {
        return next == null || next == end ? Optional.empty() : Optional.of(next);
    }

    /** True once the box is closed and everything it had accepted has been taken. */
    public boolean finished() {
        return ring.finished();
    }

    /** An item, or {@link #end} when closed and done, or null when one must wait. */
    private @Nullable Delivery<T> poll() {
        for (int steps = 0; ; steps = Patience.step(steps)) {
            Delivery<T> next = take();
            if (next != null) {
                return next;
            }
            switch (ring.state()) {
                case EMPTY -> {
                    return null;
                }
                case END -> {
                    return end;
                }
                case READY -> {
                    // Its sender has the place and is about to fill it.
                }
            }
        }
    }

    /** Refuses new items; receivers still get every item that was accepted. */
    @Override
    public void close() {
        if (ring.close()) {
            closed = true;
            receivers.signalAll();
        }
    }

    /** Closes, and hands back whatever no receiver has taken; each item to exactly one caller. */
    public List<T> drain() {
        List<T> rest = new ArrayList<>();
        drainTo(delivery -> rest.add(delivery.item()));
        return rest;
    }

    /** Closes, and has whatever no receiver has taken answered as {@code draining}. */
    public void drainAndAnswer() {
        drainTo(delivery -> drop(delivery, Dropped.Cause.DRAINED));
    }

    private void drainTo(Consumer<Delivery<T>> taker) {
        close();
        for (Delivery<T> next = poll(); next != null && next != end; next = poll()) {
            taker.accept(next);
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
        try {
            onDropped.dropped(delivery.item(), cause);
        } catch (RuntimeException e) {
            // One bad answer must not cost the items behind it theirs, nor the sender that evicted it its own.
            LOG.error("queue {}: answering a dropped item failed", spec.name(), e);
        }
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
        return ring.depth();
    }

    /** The greatest depth since the last call. */
    public int takePeak() {
        return Math.max(peak.getAndSet(0), depth());
    }

    public MailboxSpec spec() {
        return spec;
    }
}
