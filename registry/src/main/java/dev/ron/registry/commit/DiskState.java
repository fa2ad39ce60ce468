package dev.ron.registry.commit;

import dev.ron.kernel.time.Clock;
import dev.ron.registry.store.StoreFault;
import java.util.Optional;

/** How the disk does, as the committer finds it; read by the health gate. */
public final class DiskState {
    private static final long SLOW = 1_000_000_000L;
    private static final long REMEMBERED = 10_000_000_000L;

    private final Clock clock;
    private volatile Optional<StoreFault> fault = Optional.empty();
    private volatile long writingSince = -1;
    private volatile long slowAt = -1;

    DiskState(Clock clock) {
        this.clock = clock;
    }

    void begins() {
        writingSince = clock.nanos();
    }

    long ends() {
        long now = clock.nanos();
        long took = now - writingSince;
        writingSince = -1;
        if (took > SLOW) {
            slowAt = now;
        }
        return took;
    }

    void good() {
        fault = Optional.empty();
    }

    void bad(StoreFault what) {
        fault = Optional.of(what);
    }

    public Optional<StoreFault> fault() {
        return fault;
    }

    /** True while a write takes longer than a second, and for ten seconds after one did. */
    public boolean slow() {
        long now = clock.nanos();
        long since = writingSince;
        long last = slowAt;
        return (since >= 0 && now - since > SLOW) || (last >= 0 && now - last < REMEMBERED);
    }
}
