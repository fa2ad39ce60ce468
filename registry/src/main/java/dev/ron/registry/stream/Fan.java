package dev.ron.registry.stream;

import dev.ron.ledger.json.Json;
import io.netty.channel.EventLoop;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * The readers of one event loop; one pass serves them all, however many commits have gathered.
 *
 * <p>A thousand readers must stand neither before the answer of the commit that they read about nor before the next one.
 * So a pass begins a moment after the commit, when its answer is out, and goes in slices with pauses in which the loop
 * reads its sockets and other threads have the core. Commits that come meanwhile go with the same pass.
 */
final class Fan {
    private static final int SLICE = 32;
    private static final long LINGER_NANOS = 1_000_000;
    // A task that was merely queued would run before the loop looks at its sockets again; one that is due later does
    // not.
    private static final long PAUSE_NANOS = 100_000;

    private final EventLoop loop;
    private final AtomicBoolean awake = new AtomicBoolean();
    // The rest is touched on the loop only.
    private final Set<Reader> readers = new HashSet<>();
    private boolean passing;
    private boolean again;

    Fan(EventLoop loop) {
        this.loop = loop;
    }

    void add(Reader reader) {
        readers.add(reader);
    }

    void remove(Reader reader) {
        readers.remove(reader);
    }

    /** From any thread. */
    void wake() {
        if (awake.compareAndSet(false, true)) {
            after(LINGER_NANOS, this::begin);
        }
    }

    private void begin() {
        // Cleared before the ring is read, so a commit that comes after the last look wakes the loop again.
        awake.set(false);
        if (passing) {
            again = true;
            return;
        }
        passing = true;
        step(List.copyOf(readers), 0, Reader::pump, this::passed);
    }

    private void passed() {
        passing = false;
        if (again) {
            again = false;
            begin();
        }
    }

    /** Says that the head is still what it is, and offers again what a reader had no room for. */
    void beat(Json.Obj head) {
        Consumer<Reader> what = reader -> {
            reader.pump();
            reader.say("heartbeat", head);
        };
        after(0, () -> step(List.copyOf(readers), 0, what, () -> {}));
    }

    private void step(List<Reader> all, int from, Consumer<Reader> what, Runnable then) {
        int to = Math.min(all.size(), from + SLICE);
        for (Reader reader : all.subList(from, to)) {
            // Who has left since the pass began is passed over.
            if (readers.contains(reader)) {
                what.accept(reader);
            }
        }
        if (to == all.size()) {
            then.run();
        } else {
            after(PAUSE_NANOS, () -> step(all, to, what, then));
        }
    }

    private void after(long nanos, Runnable what) {
        try {
            Future<?> _ = loop.schedule(what, nanos, TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException loopEnded) {
            awake.set(true);
        }
    }
}
