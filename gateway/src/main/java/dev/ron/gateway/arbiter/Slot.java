package dev.ron.gateway.arbiter;

import dev.ron.gateway.arbiter.drr.Usage;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Optional;
import java.util.concurrent.Executor;

/** The right to have one exchange in flight at the upstream, until it is released. */
public final class Slot {
    private static final VarHandle HELD;

    static {
        try {
            HELD = MethodHandles.lookup().findVarHandle(Slot.class, "held", boolean.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final Arbiter arbiter;
    private final Usage usage;
    private final Executor loop;
    private final long startMicros;
    private volatile boolean held = true;

    Slot(Arbiter arbiter, Usage usage, Executor loop, long startMicros) {
        this.arbiter = arbiter;
        this.usage = usage;
        this.loop = loop;
        this.startMicros = startMicros;
    }

    /**
     * The upstream is done: its last byte was read or its channel closed. Not merely because the client left: the upstream
     * would still be working. Only the first call counts; false for the others.
     */
    public boolean release(long nowNanos) {
        if (!HELD.compareAndSet(this, true, false)) {
            return false;
        }
        long now = nowNanos / 1_000;
        usage.end(startMicros, now);
        arbiter.released(now, loop);
        return true;
    }

    /**
     * The answer turned out to be a stream: exchanges the slot for a stream permit, since a stream may last for hours.
     * Empty when there are too many streams; the slot then stays with the caller.
     */
    public Optional<StreamPermit> toStream(long nowNanos) {
        Optional<StreamPermit> permit = held ? arbiter.openStream(usage) : Optional.empty();
        permit.ifPresent(p -> release(nowNanos));
        return permit;
    }

    /** Given back unused by someone who has no time at hand. */
    void abandon() {
        release(startMicros * 1_000);
    }
}
