package dev.ron.gateway.arbiter;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** The word of an arbiter, changed only by compare-and-set, one step at a time. */
public final class Occupancy {
    private static final VarHandle WORD;

    static {
        try {
            WORD = MethodHandles.lookup().findVarHandle(Occupancy.class, "word", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final int seats;
    private volatile long word;

    public Occupancy(int limit, int seats) {
        if (seats < 1 || seats > Word.MAX_SEATS) {
            throw new IllegalArgumentException("seats: " + seats + " (expected: 1.." + Word.MAX_SEATS + ")");
        }
        this.seats = seats;
        this.word = Word.open(limit);
    }

    public long word() {
        return word;
    }

    public Entry enter(int keepFree, boolean mayKnock) {
        while (true) {
            long seen = word;
            Entry entry = Word.entry(seen, keepFree, seats, mayKnock);
            if (step(seen, Word.enter(seen, entry))) {
                return entry;
            }
        }
    }

    /** Turns a seat into a slot; false when the limit is reached, also if it shrank a moment ago. */
    public boolean promote() {
        while (true) {
            long seen = word;
            long next = Word.promote(seen);
            if (next == Word.REFUSED || step(seen, next)) {
                return next != Word.REFUSED;
            }
        }
    }

    /** Turns a place in the doorway into a seat; false when there is none. */
    boolean sitDown() {
        while (true) {
            long seen = word;
            long next = Word.sitDown(seen, seats);
            if (next == Word.REFUSED || step(seen, next)) {
                return next != Word.REFUSED;
            }
        }
    }

    /**
     * Gives a slot back; true when someone is queued.
     *
     * <p>Then the slot is handed over rather than freed: arrivals take a slot only when nobody is queued, so the scheduler
     * is the only one who can. The caller must wake it.
     */
    public boolean vacate() {
        while (true) {
            long seen = word;
            if (step(seen, Word.vacate(seen))) {
                return Word.anyQueued(seen);
            }
        }
    }

    void leave(Job.Place place) {
        while (true) {
            long seen = word;
            if (step(seen, Word.leave(seen, place))) {
                return;
            }
        }
    }

    public void resize(int limit) {
        while (true) {
            long seen = word;
            if (step(seen, Word.resize(seen, limit))) {
                return;
            }
        }
    }

    public void close() {
        while (true) {
            long seen = word;
            if (step(seen, Word.close(seen))) {
                return;
            }
        }
    }

    private boolean step(long from, long to) {
        return from == to || WORD.compareAndSet(this, from, to);
    }
}
