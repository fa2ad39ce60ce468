package dev.ron.admin.sample;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * When a node is scraped: at a fixed rate with a tenth of jitter, from a start that its id decides.
 *
 * <p>A tick that comes while the one before still runs is skipped, never queued. Where more than a tenth of the ticks of
 * a minute were skipped the pace is halved, down to once a minute; after five minutes without a skip it doubles again.
 */
final class Pace {
    private static final long MINUTE = Duration.ofMinutes(1).toNanos();
    private static final long CLEAN = Duration.ofMinutes(5).toNanos();
    private static final double JITTER = 0.1;

    private final long interval;
    private final RandomGenerator random;
    private long stretched;
    private long base; // the tick without its jitter
    private long due;
    private boolean hurried; // the tick that is due is one more, before its turn
    private long windowStart;
    private int ticks;
    private int skipped;
    private long cleanSince;

    Pace(Duration interval, String nodeId, long now, RandomGenerator random) {
        this.interval = interval.toNanos();
        this.stretched = this.interval;
        this.random = random;
        this.base = now + Math.floorMod((long) nodeId.hashCode() * 0x9E3779B97F4A7C15L, this.interval);
        this.due = base;
        this.windowStart = now;
        this.cleanSince = now;
    }

    long due() {
        return due;
    }

    Duration effective() {
        return Duration.ofNanos(stretched);
    }

    boolean isStretched() {
        return stretched > interval;
    }

    /** A tick is over; returns how many others came due meanwhile and are skipped. */
    int next(long now, boolean missed) {
        ticks++;
        int lost = missed ? 1 : 0;
        if (!hurried) {
            base += stretched;
        }
        hurried = false;
        while (base <= now) {
            base += stretched;
            lost++;
            ticks++;
        }
        skipped += lost;
        due = base + (long) (stretched * JITTER * (2 * random.nextDouble() - 1));
        adapt(now, lost);
        return lost;
    }

    private void adapt(long now, int lost) {
        cleanSince = lost > 0 ? now : cleanSince;
        if (now - windowStart >= MINUTE) {
            if (skipped * 10 > ticks && stretched < MINUTE) {
                stretched = Math.min(MINUTE, stretched * 2);
            }
            windowStart = now;
            ticks = 0;
            skipped = 0;
        }
        if (isStretched() && now - cleanSince >= CLEAN) {
            stretched = Math.max(interval, stretched / 2);
            cleanSince = now;
        }
    }

    /** Asked for out of turn: the next tick is now, and those after it come as if nobody had asked. */
    void hurry(long now) {
        if (due > now) {
            due = now;
            // A tick that only its jitter held back is the regular one.
            hurried = base > now;
        }
    }
}
