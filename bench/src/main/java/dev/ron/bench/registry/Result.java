package dev.ron.bench.registry;

import java.util.List;
import java.util.Locale;

/** How a run went; times are sorted, in nanoseconds. */
record Result(int count, long nanos, long ticks, List<Long> times) {
    private static final double MICROS_PER_TICK = 10_000;

    Result of(int done, long cpuTicks) {
        return new Result(done, nanos, cpuTicks, times);
    }

    double rate() {
        return count / (nanos / 1e9);
    }

    /** In microseconds. */
    double p50() {
        return at(0.5);
    }

    /** In microseconds. */
    double p99() {
        return at(0.99);
    }

    private double at(double share) {
        return times.isEmpty() ? 0 : times.get((int) Math.min(times.size() - 1L, (long) (share * times.size()))) / 1e3;
    }

    @Override
    public String toString() {
        return String.format(
                Locale.ROOT,
                "%7.0f/s  p50 %.0f us  p99 %.0f us  cpu %.0f us each",
                rate(),
                p50(),
                p99(),
                ticks * MICROS_PER_TICK / Math.max(1, count));
    }
}
