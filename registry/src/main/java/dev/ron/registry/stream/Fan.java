package dev.ron.registry.stream;

import dev.ron.ledger.json.Json;
import io.netty.channel.EventLoop;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/** The readers of one event loop; one pass serves them all, however many commits have gathered. */
final class Fan implements Runnable {
    private final EventLoop loop;
    private final Set<Reader> readers = new HashSet<>(); // on the loop only
    private final AtomicBoolean awake = new AtomicBoolean();

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
        // Cleared before the ring is read, so a commit that comes after the last look wakes the loop again.
        if (awake.compareAndSet(false, true)) {
            execute(this);
        }
    }

    @Override
    public void run() {
        awake.set(false);
        each(Reader::pump);
    }

    void beat(Json.Obj head) {
        execute(() -> each(reader -> reader.say("heartbeat", head)));
    }

    private void each(Consumer<Reader> what) {
        List<Reader> now = new ArrayList<>(readers);
        now.forEach(what);
    }

    private void execute(Runnable what) {
        try {
            loop.execute(what);
        } catch (RejectedExecutionException loopEnded) {
            awake.set(true);
        }
    }
}
