package dev.ron.registry.stream;

import dev.ron.ledger.json.Json;
import io.netty.channel.EventLoop;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * The readers of one event loop; one pass serves them all, however many commits have gathered.
 *
 * <p>A pass goes in slices and lets the loop do other things in between: a thousand readers must not stand before the
 * answer of the commit that they read about.
 */
final class Fan {
    private static final int SLICE = 16;

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
            execute(this::begin);
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

    void beat(Json.Obj head) {
        execute(() -> step(List.copyOf(readers), 0, reader -> reader.say("heartbeat", head), () -> {}));
    }

    private void step(List<Reader> all, int from, Consumer<Reader> what, Runnable then) {
        int to = Math.min(all.size(), from + SLICE);
        // Who has left since the pass began is passed over.
        all.subList(from, to).stream().filter(readers::contains).forEach(what);
        if (to == all.size()) {
            then.run();
        } else {
            execute(() -> step(all, to, what, then));
        }
    }

    private void execute(Runnable what) {
        try {
            loop.execute(what);
        } catch (RejectedExecutionException loopEnded) {
            awake.set(true);
        }
    }
}
