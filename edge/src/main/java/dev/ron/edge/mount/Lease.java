package dev.ron.edge.mount;

import dev.ron.edge.pack.Pack;
import java.util.concurrent.atomic.AtomicBoolean;

/** One request's hold on a pack: until it is closed the pack stays open, replaced or not. */
public final class Lease implements AutoCloseable {
    private final SharedPack shared;
    private final AtomicBoolean open = new AtomicBoolean(true);

    Lease(SharedPack shared) {
        this.shared = shared;
    }

    public Pack pack() {
        return shared.pack();
    }

    /** The number of the pack it holds. */
    public long generation() {
        return shared.generation();
    }

    SharedPack shared() {
        return shared;
    }

    @Override
    public void close() {
        if (open.compareAndSet(true, false)) {
            shared.release();
        }
    }
}
