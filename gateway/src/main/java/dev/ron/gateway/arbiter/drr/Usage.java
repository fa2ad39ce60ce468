package dev.ron.gateway.arbiter.drr;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * What one tenant holds and has used of an upstream: written by every event loop, read by the scheduler.
 *
 * <p>The time of the running exchanges needs no list of them: it is held x now - (sum of their starts). Held slots and
 * that sum change together, so they share one word.
 */
public final class Usage {
    private static final VarHandle RUNNING;
    private static final VarHandle FINISHED_MICROS;
    private static final VarHandle GRANTED;
    private static final VarHandle STREAMS;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            RUNNING = lookup.findVarHandle(Usage.class, "running", long.class);
            FINISHED_MICROS = lookup.findVarHandle(Usage.class, "finishedMicros", long.class);
            GRANTED = lookup.findVarHandle(Usage.class, "granted", long.class);
            STREAMS = lookup.findVarHandle(Usage.class, "streams", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private static final int HELD_BITS = 16;
    private static final int HELD_MASK = (1 << HELD_BITS) - 1;

    // Low 16 bits: slots held. High 48 bits: the sum of their starts modulo 2^48, so that a carry falls off the end.
    private volatile long running;
    private volatile long finishedMicros;
    private volatile long granted;
    private volatile int streams;

    /** A slot was taken at {@code start}. */
    public void begin(long start) {
        GRANTED.getAndAdd(this, 1L);
        RUNNING.getAndAdd(this, (start << HELD_BITS) + 1);
    }

    /** A slot taken at {@code start} was given back. */
    public void end(long start, long now) {
        // Finished before no longer running: for a moment the time counts twice, it is never missing.
        FINISHED_MICROS.getAndAdd(this, Math.max(0, now - start));
        RUNNING.getAndAdd(this, -((start << HELD_BITS) + 1));
    }

    public int held() {
        return (int) running & HELD_MASK;
    }

    /** Slots granted since the start, running ones included. */
    public long granted() {
        return granted;
    }

    public int streams() {
        return streams;
    }

    /** Counts one more open stream unless there are {@code limit} already. */
    public boolean tryOpenStream(int limit) {
        int open = streams;
        while (open < limit) {
            if (STREAMS.compareAndSet(this, open, open + 1)) {
                return true;
            }
            open = streams;
        }
        return false;
    }

    public void closeStream() {
        STREAMS.getAndAdd(this, -1);
    }

    /** The slot time of what is finished. */
    public long usedMicros() {
        return finishedMicros;
    }

    /** Exchanges that gave their slot back. */
    long finished() {
        return granted - held();
    }

    long finishedMicros() {
        return finishedMicros;
    }

    /** The slot time of the exchanges now running. */
    long runningMicros(long now) {
        long word = running;
        long elapsed = (word & HELD_MASK) * now - (word >>> HELD_BITS);
        // Back from modulo 2^48 with its sign: a start on another loop may be a little later than our now.
        return Math.max(0, elapsed << HELD_BITS >> HELD_BITS);
    }
}
