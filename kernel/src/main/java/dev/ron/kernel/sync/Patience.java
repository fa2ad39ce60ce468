package dev.ron.kernel.sync;

/** How a thread passes the few instructions that another one needs to finish what it has begun. */
public final class Patience {
    private static final int SPINS = 128;
    /** Where to begin when it is worth eight spins before cores are given away. */
    public static final int SHORT = SPINS - 8;

    private Patience() {}

    /** One step of waiting; the other thread may have been taken off its core, so later steps give ours away. */
    @SuppressWarnings("ThreadPriorityCheck") // nothing depends on the order in which the scheduler runs them
    public static int step(int steps) {
        if (steps < SPINS) {
            Thread.onSpinWait();
        } else {
            Thread.yield();
        }
        return steps + 1;
    }
}
