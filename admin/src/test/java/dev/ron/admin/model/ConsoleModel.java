package dev.ron.admin.model;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * The console as its seed draws it, small enough to try every order of its steps: a sampler, two requests, a refresher of
 * keys, a configuration task and a shutdown, around a ring and a set of keys with a lock each.
 *
 * <p>Each task is a place in its program; one step of one task is one move. Whatever is read or written in two pieces in
 * memory takes two moves, so that an order which shows half of it is among those that are tried.
 */
final class ConsoleModel {
    private static final int TICKS = 2;
    private static final int FREE = 0;

    // Tasks; as holders of a lock, one more.
    private static final int SAMPLER = 0;
    private static final int HANDLER_A = 1;
    private static final int HANDLER_B = 2;
    private static final int REFRESHER = 3;
    private static final int CONFIG = 4;
    private static final int SHUTDOWN = 5;
    private static final int TASKS = 6;
    private static final int END = 99;

    // What they share.
    private static final int STOP = 6;
    private static final int DRAINING = 7;
    private static final int INFLIGHT = 8;
    private static final int CLOSED = 9;
    private static final int AUTH_LOCK = 10;
    private static final int RING_LOCK = 11;
    private static final int RING_LEFT = 12;
    private static final int RING_RIGHT = 13;
    private static final int KEYS_LEFT = 14;
    private static final int KEYS_RIGHT = 15;
    private static final int SAMPLED = 16;
    private static final int REFRESHED = 17;
    private static final int SEEN_A = 18; // what each request saw of the keys first
    private static final int SEEN_B = 19;
    private static final int SIZE = 20;

    private final Mutant mutant;
    private final Set<String> broken = new TreeSet<>();

    /** A rule that is left out. */
    enum Mutant {
        NONE,
        READ_WITHOUT_LOCK,
        LOCKS_BACKWARDS,
        LOCK_ACROSS_FETCH,
        DEAF_SAMPLER,
        DEAF_REFRESHER,
        CLOSE_BEFORE_JOIN,
        ADMIT_WHILE_DRAINING,
        KEYS_READ_TWICE
    }

    /** What was found: the promises that some order breaks, and how many states there are. */
    record Finding(Set<String> broken, int states) {}

    ConsoleModel(Mutant mutant) {
        this.mutant = mutant;
    }

    Finding explore() {
        Set<List<Integer>> seen = new HashSet<>();
        ArrayDeque<int[]> open = new ArrayDeque<>();
        add(new int[SIZE], seen, open);
        while (!open.isEmpty()) {
            int[] at = open.remove();
            boolean moved = false;
            for (int task = 0; task < TASKS; task++) {
                for (int[] next : moves(task, at)) {
                    moved = true;
                    add(next, seen, open);
                }
            }
            boolean over = at[SHUTDOWN] == END && at[SAMPLER] == END && at[REFRESHER] == END && at[CONFIG] == END;
            if (!moved && !over) {
                broken.add("stuck");
            }
        }
        return new Finding(broken, seen.size());
    }

    private static void add(int[] state, Set<List<Integer>> seen, ArrayDeque<int[]> open) {
        if (seen.add(java.util.Arrays.stream(state).boxed().toList())) {
            open.add(state);
        }
    }

    private List<int[]> moves(int task, int[] at) {
        return switch (task) {
            case SAMPLER -> sampler(at);
            case HANDLER_A, HANDLER_B -> handler(task, at);
            case REFRESHER -> refresher(at);
            case CONFIG -> config(at);
            default -> shutdown(at);
        };
    }

    /** Sleeps until a tick or the stop, fetches without a lock, writes under it. */
    private List<int[]> sampler(int[] at) {
        boolean across = mutant == Mutant.LOCK_ACROSS_FETCH;
        List<int[]> next = new ArrayList<>();
        switch (at[SAMPLER]) {
            case 0 -> {
                if (at[STOP] == 1 && mutant != Mutant.DEAF_SAMPLER) {
                    next.add(to(at, SAMPLER, END));
                }
                if (at[SAMPLED] < TICKS && (at[STOP] == 0 || mutant == Mutant.DEAF_SAMPLER)) {
                    next.add(to(at, SAMPLER, across ? 2 : 1));
                }
            }
            case 1 -> {
                waitsForNode(at, SAMPLER);
                next.add(to(at, SAMPLER, across ? 3 : 2)); // the node answers
                if (at[STOP] == 1) {
                    next.add(across ? release(to(at, SAMPLER, 0), RING_LOCK) : to(at, SAMPLER, 0));
                }
            }
            case 2 -> lock(next, at, SAMPLER, RING_LOCK, across ? 1 : 3);
            case 3 -> next.add(use(to(at, SAMPLER, 4), RING_LEFT, at[RING_LEFT] + 1));
            case 4 -> {
                int[] written = use(to(at, SAMPLER, 0), RING_RIGHT, at[RING_RIGHT] + 1);
                written[SAMPLED]++;
                next.add(release(written, RING_LOCK));
            }
            default -> {
                // Over.
            }
        }
        return next;
    }

    /** Is admitted, takes the keys as they are, then reads the ring under its lock. */
    private List<int[]> handler(int task, int[] at) {
        boolean backwards = mutant == Mutant.LOCKS_BACKWARDS;
        int seen = task == HANDLER_A ? SEEN_A : SEEN_B;
        List<int[]> next = new ArrayList<>();
        switch (at[task]) {
            case 0 -> {
                if (at[DRAINING] == 0 || mutant == Mutant.ADMIT_WHILE_DRAINING) {
                    int[] admitted = to(at, task, 1);
                    admitted[INFLIGHT]++;
                    next.add(admitted);
                }
                if (at[DRAINING] == 1) {
                    next.add(to(at, task, END)); // nobody came
                }
            }
            case 1 -> lock(next, at, task, backwards ? RING_LOCK : AUTH_LOCK, 2);
            case 2 -> {
                int[] read = use(to(at, task, 3), seen, at[KEYS_LEFT]);
                next.add(mutant == Mutant.KEYS_READ_TWICE ? release(read, AUTH_LOCK) : read);
            }
            case 3 -> {
                used(at);
                if (at[seen] != at[KEYS_RIGHT]) {
                    broken.add("mixed keys");
                }
                if (mutant == Mutant.READ_WITHOUT_LOCK) {
                    next.add(release(to(at, task, 5), AUTH_LOCK));
                } else if (mutant == Mutant.KEYS_READ_TWICE) {
                    next.add(to(at, task, 4));
                } else {
                    // Both at once, in the order of their ranks.
                    lock(next, at, task, backwards ? AUTH_LOCK : RING_LOCK, 5);
                }
            }
            case 4 -> lock(next, at, task, RING_LOCK, 5);
            case 5 -> {
                used(at);
                if (at[RING_LEFT] != at[RING_RIGHT]) {
                    broken.add("torn read");
                }
                int[] answered = to(at, task, END);
                answered[INFLIGHT]--;
                next.add(releaseAll(answered, task));
            }
            default -> {
                // Answered.
            }
        }
        return next;
    }

    /** Fetches keys without a lock and swaps them under it. */
    private List<int[]> refresher(int[] at) {
        List<int[]> next = new ArrayList<>();
        switch (at[REFRESHER]) {
            case 0 -> {
                if (at[STOP] == 1 && mutant != Mutant.DEAF_REFRESHER) {
                    next.add(to(at, REFRESHER, END));
                }
                if (at[REFRESHED] == 0 && at[STOP] == 0) {
                    next.add(to(at, REFRESHER, 1));
                }
            }
            case 1 -> {
                waitsForNode(at, REFRESHER);
                next.add(to(at, REFRESHER, 2));
                if (at[STOP] == 1) {
                    next.add(to(at, REFRESHER, 0));
                }
            }
            case 2 -> lock(next, at, REFRESHER, AUTH_LOCK, 3);
            case 3 -> next.add(use(to(at, REFRESHER, 4), KEYS_LEFT, at[KEYS_LEFT] + 1));
            case 4 -> {
                int[] written = use(to(at, REFRESHER, 0), KEYS_RIGHT, at[KEYS_RIGHT] + 1);
                written[REFRESHED]++;
                next.add(release(written, AUTH_LOCK));
            }
            default -> {
                // Over.
            }
        }
        return next;
    }

    /** A reload takes both locks, in the order of their ranks, and swaps nothing that others hold. */
    private List<int[]> config(int[] at) {
        List<int[]> next = new ArrayList<>();
        switch (at[CONFIG]) {
            case 0 -> {
                if (at[STOP] == 1) {
                    next.add(to(at, CONFIG, END));
                } else {
                    lock(next, at, CONFIG, AUTH_LOCK, 1);
                }
            }
            case 1 -> lock(next, at, CONFIG, RING_LOCK, 2);
            case 2 -> {
                used(at);
                next.add(releaseAll(to(at, CONFIG, 3), CONFIG));
            }
            case 3 -> {
                if (at[STOP] == 1) {
                    next.add(to(at, CONFIG, END));
                }
            }
            default -> {
                // Over.
            }
        }
        return next;
    }

    /** Closes the door, tells everybody, waits for requests and tasks, and only then lets go of what they use. */
    private List<int[]> shutdown(int[] at) {
        List<int[]> next = new ArrayList<>();
        switch (at[SHUTDOWN]) {
            case 0 -> {
                int[] draining = to(at, SHUTDOWN, 1);
                draining[DRAINING] = 1;
                next.add(draining);
            }
            case 1 -> {
                int[] told = to(at, SHUTDOWN, mutant == Mutant.CLOSE_BEFORE_JOIN ? 4 : 2);
                told[STOP] = 1;
                next.add(told);
            }
            case 2 -> {
                if (at[INFLIGHT] == 0) {
                    next.add(to(at, SHUTDOWN, 3));
                }
            }
            case 3 -> {
                if (at[SAMPLER] == END && at[REFRESHER] == END && at[CONFIG] == END) {
                    next.add(to(at, SHUTDOWN, 4));
                }
            }
            case 4 -> {
                int[] closed = to(at, SHUTDOWN, END);
                closed[CLOSED] = 1;
                next.add(closed);
            }
            default -> {
                // Over.
            }
        }
        return next;
    }

    private void waitsForNode(int[] at, int task) {
        if (at[AUTH_LOCK] == task + 1 || at[RING_LOCK] == task + 1) {
            broken.add("lock across a wait");
        }
    }

    private void used(int[] at) {
        if (at[CLOSED] == 1) {
            broken.add("used after close");
        }
    }

    private int[] use(int[] next, int what, int value) {
        used(next);
        next[what] = value;
        return next;
    }

    private static int[] to(int[] at, int task, int place) {
        int[] next = at.clone();
        next[task] = place;
        return next;
    }

    /** A move that waits: there is none while another holds the lock. */
    private static void lock(List<int[]> moves, int[] at, int task, int lock, int place) {
        if (at[lock] == FREE) {
            int[] next = to(at, task, place);
            next[lock] = task + 1;
            moves.add(next);
        }
    }

    private static int[] release(int[] next, int lock) {
        next[lock] = FREE;
        return next;
    }

    private static int[] releaseAll(int[] next, int task) {
        for (int lock : new int[] {AUTH_LOCK, RING_LOCK}) {
            next[lock] = next[lock] == task + 1 ? FREE : next[lock];
        }
        return next;
    }
}
