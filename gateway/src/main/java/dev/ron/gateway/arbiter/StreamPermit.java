package dev.ron.gateway.arbiter;

import dev.ron.gateway.arbiter.drr.Usage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/** The right to keep one stream open at the upstream, until it is closed. */
public final class StreamPermit implements AutoCloseable {
    private final AtomicInteger open;
    private final Usage usage;
    private final AtomicBoolean held = new AtomicBoolean(true);

    StreamPermit(AtomicInteger open, Usage usage) {
        this.open = open;
        this.usage = usage;
    }

    /** Only the first call counts. */
    @Override
    public void close() {
        if (held.compareAndSet(true, false)) {
            usage.closeStream();
            open.decrementAndGet();
        }
    }
}
