package dev.ron.service.health;

import dev.ron.kernel.channel.Mailbox;
import dev.ron.kernel.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** The readiness keys of one service, and what they add up to at this moment. */
public final class Readiness {
    private static final double QUEUE_HIGH = 0.8;
    private static final Duration QUEUE_PATIENCE = Duration.ofSeconds(2);

    private final Clock clock;
    private final List<Key> keys = new CopyOnWriteArrayList<>();
    private final List<Supplier<List<KeyState>>> live = new CopyOnWriteArrayList<>();
    private final List<SteadyKey> steady = new CopyOnWriteArrayList<>();
    private final AtomicBoolean sampling = new AtomicBoolean();
    private final AtomicReference<Verdict> last;

    private record Verdict(boolean ready, boolean writeReady, Instant since) {}

    public Readiness(Clock clock) {
        this.clock = clock;
        this.last = new AtomicReference<>(new Verdict(false, false, clock.now()));
    }

    /** A key that its owner sets, such as {@code listener_bound}; missing until met. */
    public Key require(String name, Need need) {
        Key key = new Key(name, need);
        keys.add(key);
        return key;
    }

    /** Keys that are looked up whenever somebody asks; it must answer without waiting. */
    public void requireLive(Supplier<List<KeyState>> states) {
        live.add(states);
    }

    /** {@code dep:<name>}: sampled every second, back after three good samples. */
    public void dependency(String name, Need need, BooleanSupplier up, String cause) {
        steady.add(new SteadyKey(
                require("dep:" + name, need), Duration.ZERO, () -> new SteadyKey.Sample(up.getAsBoolean(), cause)));
    }

    /** {@code queue:<name>}: missing while the queue stays above 80 % for 2 s, back after three good samples. */
    public void queue(Mailbox<?> mailbox, Need need) {
        String name = mailbox.spec().name();
        int high = (int) Math.ceil(QUEUE_HIGH * mailbox.spec().capacity());
        steady.add(new SteadyKey(require("queue:" + name, need), QUEUE_PATIENCE, () -> {
            int depth = mailbox.depth();
            return new SteadyKey.Sample(
                    depth <= high, depth + " of " + mailbox.spec().capacity() + " places taken");
        }));
    }

    /** Looks at everything that is sampled; called at start and then once a second. */
    public void sample() {
        // One sampler at a time owns the keys' counts; who comes second has nothing to add.
        if (sampling.compareAndSet(false, true)) {
            try {
                long now = clock.nanos();
                steady.forEach(k -> k.sample(now));
            } finally {
                sampling.set(false);
            }
        }
    }

    /** What the keys add up to now. */
    public ReadyView view() {
        List<KeyState> states = new ArrayList<>();
        keys.forEach(k -> states.add(k.state()));
        live.forEach(l -> states.addAll(l.get()));
        ReadyView view = ReadyView.of(states, Instant.EPOCH);
        Verdict verdict = last.updateAndGet(v -> v.ready() == view.ready() && v.writeReady() == view.writeReady()
                ? v
                : new Verdict(view.ready(), view.writeReady(), clock.now()));
        return new ReadyView(states, verdict.since());
    }
}
