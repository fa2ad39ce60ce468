package dev.ron.bench.side;

import java.util.Locale;
import java.util.concurrent.Callable;

/** Runs a round again during which other processes took too much of a core; a round is never chosen by its result. */
public final class Undisturbed {
    private static final int MAX_REPEATS = 6;

    private final double tolerated;
    private int repeated;

    /** {@code tolerated} is a share of one core. */
    public Undisturbed(double tolerated) {
        this.tolerated = tolerated;
    }

    public <T> T run(Callable<T> round) throws Exception {
        while (true) {
            long busy = Machine.busyTicks();
            long own = Machine.ownTicks();
            long start = System.nanoTime();
            T result = round.call();
            double seconds = (System.nanoTime() - start) / 1e9;
            double others = Machine.others(Machine.busyTicks() - busy, Machine.ownTicks() - own, seconds);
            if (others <= tolerated) {
                return result;
            }
            System.out.printf(Locale.ROOT, "  ... others took %.2f of a core", others);
            if (repeated >= MAX_REPEATS) {
                System.out.println(", and again and again: this round counts all the same");
                return result;
            }
            repeated++;
            System.out.println("; this round is run again");
        }
    }
}
