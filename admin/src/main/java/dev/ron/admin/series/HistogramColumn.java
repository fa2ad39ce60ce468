package dev.ron.admin.series;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A histogram over time: per step, how much each cumulative bucket grew.
 *
 * <p>Bounds are fixed by the first scrape that shows the histogram. A scrape with others starts it anew: buckets of
 * different bounds cannot be added.
 */
final class HistogramColumn {
    private final SeriesName name;
    private final int slots;
    private final List<Double> bounds = new ArrayList<>();
    private float[] @Nullable [] ring;
    private int[] order = new int[0]; // places by growing bound
    private double[] edges = new double[0];
    private double[] pending = new double[0];
    private double count = Double.NaN;
    private boolean fixed;
    private long lastTick;

    HistogramColumn(SeriesName name, int slots, long tick) {
        this.name = name;
        this.slots = slots;
        this.ring = new float[slots][];
        this.lastTick = tick;
    }

    SeriesName name() {
        return name;
    }

    /** The place of a bound; -1 where there are too many. */
    int place(double bound) {
        int at = bounds.indexOf(bound);
        if (at >= 0 || bounds.size() == SeriesLimits.MAX_BUCKETS) {
            return at;
        }
        if (fixed) {
            restart();
        }
        bounds.add(bound);
        pending = Arrays.copyOf(pending, bounds.size());
        pending[bounds.size() - 1] = Double.NaN;
        sort();
        return bounds.size() - 1;
    }

    private void sort() {
        order = IntStream.range(0, bounds.size())
                .boxed()
                .sorted(Comparator.comparingDouble(bounds::get))
                .mapToInt(Integer::intValue)
                .toArray();
        edges = Arrays.stream(order).mapToDouble(bounds::get).toArray();
    }

    private void restart() {
        ring = new float[slots][];
    }

    void add(int place, double increase, long tick) {
        lastTick = tick;
        if (!Double.isNaN(increase)) {
            pending[place] = Double.isNaN(pending[place]) ? increase : pending[place] + increase;
        }
    }

    void addCount(double increase, long tick) {
        lastTick = tick;
        if (!Double.isNaN(increase)) {
            count = Double.isNaN(count) ? increase : count + increase;
        }
    }

    void commit(int slot) {
        boolean any = false;
        boolean all = true;
        for (int i = 0; i < pending.length; i++) {
            any |= !Double.isNaN(pending[i]);
            all &= !Double.isNaN(pending[i]);
        }
        float[] step = null;
        if (any && all) {
            step = new float[pending.length + 1];
            for (int i = 0; i < pending.length; i++) {
                step[i] = (float) pending[i];
            }
            step[pending.length] = (float) count;
        }
        ring[slot] = step;
        fixed |= pending.length > 0;
        Arrays.fill(pending, Double.NaN);
        count = Double.NaN;
    }

    /** The quantile in seconds over these slots; NaN where nothing was observed. */
    double quantile(double q, int... which) {
        return quantiles(which, q)[0];
    }

    /** Several quantiles of the same observations. */
    double[] quantiles(int[] which, double... qs) {
        double[] sums = new double[bounds.size()];
        double total = 0;
        for (int slot : which) {
            float[] step = ring[slot];
            // A step from before the bounds were complete does not count.
            if (step != null && step.length == sums.length + 1) {
                for (int i = 0; i < sums.length; i++) {
                    sums[i] += step[order[i]];
                }
                total += Float.isNaN(step[sums.length]) ? 0 : step[sums.length];
            }
        }
        double[] answers = new double[qs.length];
        for (int i = 0; i < qs.length; i++) {
            answers[i] = Quantiles.of(qs[i], edges, sums, total);
        }
        return answers;
    }

    boolean idleSince(long tick) {
        return lastTick < tick;
    }

    long bytes() {
        return (long) slots * (16 + 4L * (bounds.size() + 1)) + 200;
    }
}
