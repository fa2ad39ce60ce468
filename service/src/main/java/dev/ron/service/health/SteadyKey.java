package dev.ron.service.health;

import java.time.Duration;

/**
 * A condition that is sampled and would flutter: a dependency, or the fill of a queue.
 *
 * <p>It turns bad after it was bad for a while, and good after three good samples in a row. Used by one sampler
 * at a time; what it says is published as an immutable {@link KeyState}.
 */
final class SteadyKey {
    static final int GOOD_SAMPLES = 3;

    /** One look at the condition. */
    record Sample(boolean good, String cause) {}

    @FunctionalInterface
    interface Probe {
        Sample look();
    }

    private final Key key;
    private final Probe probe;
    private final long patienceNanos;
    // The first good look is believed at once: before it nothing was said, so there is nothing to flutter.
    private boolean met;
    private int goodInARow = GOOD_SAMPLES - 1;
    private long badSince = -1;

    SteadyKey(Key key, Duration patience, Probe probe) {
        this.key = key;
        this.probe = probe;
        this.patienceNanos = patience.toNanos();
    }

    void sample(long nowNanos) {
        Sample now = probe.look();
        if (now.good()) {
            badSince = -1;
            goodInARow = Math.min(goodInARow + 1, GOOD_SAMPLES);
            if (!met && goodInARow >= GOOD_SAMPLES) {
                met = true;
                key.met();
            }
            return;
        }
        goodInARow = 0;
        badSince = badSince < 0 ? nowNanos : badSince;
        if (nowNanos - badSince >= patienceNanos) {
            met = false;
            key.unmet(now.cause());
        }
    }
}
