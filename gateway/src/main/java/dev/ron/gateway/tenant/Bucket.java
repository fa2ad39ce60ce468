package dev.ron.gateway.tenant;

import java.util.concurrent.atomic.AtomicReference;

/** Tokens that refill continuously at a rate which may change from one look to the next; it may go into debt. */
final class Bucket {
    private static final double NANOS = 1e9;

    private record State(double tokens, long at) {}

    private final AtomicReference<State> state = new AtomicReference<>(new State(Double.MAX_VALUE, Long.MIN_VALUE));

    /** What is there now, refilled up to the depth. */
    double level(double perSecond, double depth, long now) {
        return level(state.get(), perSecond, depth, now);
    }

    private static double level(State state, double perSecond, double depth, long now) {
        if (state.at() == Long.MIN_VALUE) {
            return depth;
        }
        double refilled = state.tokens() + Math.max(0, now - state.at()) * perSecond / NANOS;
        return Math.min(depth, refilled);
    }

    /** Takes one if the level stays at or above {@code least} after it. */
    boolean take(double perSecond, double depth, double least, long now) {
        while (true) {
            State seen = state.get();
            double level = level(seen, perSecond, depth, now);
            if (level - 1 < least) {
                return false;
            }
            if (state.compareAndSet(seen, new State(level - 1, now))) {
                return true;
            }
        }
    }
}
