package dev.ron.gateway.arbiter;

/**
 * The counts of an arbiter in one 64-bit word, and every step between two words.
 *
 * <p>In-flight, waiting and the limit itself share the word, so each step sees and changes all of them at one instant:
 * "in-flight below the limit of that moment" is one compare-and-set, also while the limit changes. The steps are pure
 * functions; {@link Occupancy} makes them atomic, and a model checks every order of them.
 */
public final class Word {
    /** How many may ask at once whether someone gives way; a bound on what is neither waiting nor answered. */
    static final int DOORWAY = 64;

    static final int MAX_LIMIT = 0xffff;
    static final int MAX_SEATS = 0xffff;

    /** Keep so much free that no arrival gets a slot without queueing. */
    public static final int QUEUE_FIRST = Integer.MAX_VALUE;

    /** No step: the word does not allow it. */
    static final long REFUSED = -1;

    private static final long IN_FLIGHT = 1;
    private static final long WAITING = 1L << 16;
    private static final long KNOCKING = 1L << 32;
    private static final long LIMIT = 1L << 40;
    private static final long CLOSED = 1L << 56;

    private Word() {}

    static long open(int limit) {
        return checked(limit) * LIMIT;
    }

    public static int inFlight(long word) {
        return (int) word & 0xffff;
    }

    public static int waiting(long word) {
        return (int) (word >>> 16) & 0xffff;
    }

    static int knocking(long word) {
        return (int) (word >>> 32) & 0xff;
    }

    public static int limit(long word) {
        return (int) (word >>> 40) & 0xffff;
    }

    static boolean closed(long word) {
        return (word & CLOSED) != 0;
    }

    /** Whether anyone is undecided: then a free slot belongs to the scheduler, and no arrival may take it. */
    static boolean anyQueued(long word) {
        return (word & (0xffL * KNOCKING | 0xffffL * WAITING)) != 0;
    }

    /**
     * What an arrival gets.
     *
     * @param keepFree slots it must leave free to run at once
     */
    static Entry entry(long word, int keepFree, int seats, boolean mayKnock) {
        if (closed(word)) {
            return Entry.CLOSED;
        }
        if (!anyQueued(word) && limit(word) - inFlight(word) > keepFree) {
            return Entry.SLOT;
        }
        if (waiting(word) < seats) {
            return Entry.SEAT;
        }
        return mayKnock && knocking(word) < DOORWAY ? Entry.DOORWAY : Entry.FULL;
    }

    static long enter(long word, Entry entry) {
        return switch (entry) {
            case SLOT -> word + IN_FLIGHT;
            case SEAT -> word + WAITING;
            case DOORWAY -> word + KNOCKING;
            case FULL, CLOSED -> word;
        };
    }

    /** A waiting job gets a slot. */
    static long promote(long word) {
        return inFlight(word) < limit(word) ? word - WAITING + IN_FLIGHT : REFUSED;
    }

    /** From the doorway to a seat that came free. */
    static long sitDown(long word, int seats) {
        return waiting(word) < seats ? word - KNOCKING + WAITING : REFUSED;
    }

    static long vacate(long word) {
        return word - IN_FLIGHT;
    }

    static long leave(long word, Job.Place place) {
        return switch (place) {
            case SEAT -> word - WAITING;
            case DOORWAY -> word - KNOCKING;
            case NONE -> word;
        };
    }

    static long resize(long word, int limit) {
        return word - limit(word) * LIMIT + checked(limit) * LIMIT;
    }

    static long close(long word) {
        return word | CLOSED;
    }

    private static long checked(int limit) {
        if (limit < 1 || limit > MAX_LIMIT) {
            throw new IllegalArgumentException("limit: " + limit + " (expected: 1.." + MAX_LIMIT + ")");
        }
        return limit;
    }
}
