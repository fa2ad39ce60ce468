package dev.ron.http.server;

/**
 * How many frames that ask for nothing a caller may send: settings, pings, priorities, window updates, frames without
 * content. Each costs little, so only a flood of them is an attack.
 */
final class FrameBudget {
    private static final int MOST = 1000;
    private static final long WINDOW_NANOS = 10_000_000_000L;

    private long windowEnds;
    private int left;

    /** False when this one is too many. */
    boolean take(long now) {
        if (now >= windowEnds) {
            windowEnds = now + WINDOW_NANOS;
            left = MOST;
        }
        return left-- > 0;
    }

    /** A frame of real work went either way: the caller may answer it. */
    void earn() {
        left = Math.min(left + 2, MOST);
    }
}
