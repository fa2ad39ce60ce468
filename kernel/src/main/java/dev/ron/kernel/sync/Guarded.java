package dev.ron.kernel.sync;

import dev.ron.kernel.topology.LockSpec;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;

/**
 * State behind a lock that cannot escape: a function is run on it, and may neither wait nor take a lock of the same or a
 * lower rank. Prefer {@link Snapshot}.
 */
public final class Guarded<S> {
    private final LockSpec spec;
    private final S state;
    private final ReentrantLock lock = new ReentrantLock();

    public Guarded(LockSpec spec, S state) {
        this.spec = spec;
        this.state = state;
    }

    public <R> R with(Function<? super S, ? extends R> body) {
        Held held = Held.current();
        if (!held.none() && held.innermost().rank() >= spec.rank()) {
            LockViolations.report("lock order", held.innermost().name() + " before " + spec.name(), "with");
        }
        lock.lock();
        held.push(spec);
        try {
            return body.apply(state);
        } finally {
            held.pop();
            lock.unlock();
        }
    }

    public LockSpec spec() {
        return spec;
    }
}
