package dev.ron.admin.series;

import java.util.Arrays;

/** One number over time: for a counter its increase per step, for a gauge its value; NaN where nothing is known. */
final class Column {
    /** What the numbers are. */
    enum Kind {
        COUNTER,
        GAUGE
    }

    private final SeriesName name;
    private final Kind kind;
    private final double[] ring;
    private double pending = Double.NaN;
    private long lastTick;

    Column(SeriesName name, Kind kind, int slots, long tick) {
        this.name = name;
        this.kind = kind;
        this.ring = new double[slots];
        this.lastTick = tick;
        Arrays.fill(ring, Double.NaN);
    }

    SeriesName name() {
        return name;
    }

    Kind kind() {
        return kind;
    }

    /** Adds to the step in hand; NaN says that a series was there and its increase is not known. */
    void add(double value, long tick) {
        lastTick = tick;
        if (!Double.isNaN(value)) {
            pending = Double.isNaN(pending) ? value : pending + value;
        }
    }

    void commit(int slot) {
        ring[slot] = pending;
        pending = Double.NaN;
    }

    double at(int slot) {
        return ring[slot];
    }

    boolean idleSince(long tick) {
        return lastTick < tick;
    }

    long bytes() {
        return 8L * ring.length + 160;
    }
}
