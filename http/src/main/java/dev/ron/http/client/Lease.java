package dev.ron.http.client;

import dev.ron.kernel.sync.Permits;
import java.util.concurrent.atomic.AtomicBoolean;

/** The right to one connection of a target, given back once however many ways lead there. */
final class Lease {
    private final Permits permits;
    private final AtomicBoolean returned = new AtomicBoolean();

    Lease(Permits permits) {
        this.permits = permits;
    }

    void giveBack() {
        if (returned.compareAndSet(false, true)) {
            permits.release();
        }
    }
}
