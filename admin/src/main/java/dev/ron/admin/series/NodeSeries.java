package dev.ron.admin.series;

import dev.ron.admin.series.Column.Kind;
import dev.ron.admin.view.Points;
import dev.ron.admin.view.SeriesKeys;
import dev.ron.admin.view.SeriesView;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The ring of one node: what its scrapes have shown over the window; the newest replaces the oldest.
 *
 * <p>Its sampler writes, under the node's metrics lock; others read under that lock.
 */
public final class NodeSeries {
    private static final double GAP = 2.5;
    private static final long NEVER = Long.MIN_VALUE;

    private final SeriesLimits limits;
    private final Columns columns;
    private final long[] times;
    private final double[] covered;
    private final boolean[] resets;
    private final List<Raw> raws = new ArrayList<>();
    private SeriesIndex index = SeriesIndex.EMPTY;
    private int next;
    private int filled;
    private long tick;
    private long lastNanos = NEVER;
    private @Nullable Raw start;
    private double startedAt = Double.NaN;
    private long overwritten;
    private long beyond;

    public NodeSeries(SeriesLimits limits) {
        this.limits = limits;
        this.columns = new Columns(limits);
        this.times = new long[limits.slots()];
        this.covered = new double[limits.slots()];
        this.resets = new boolean[limits.slots()];
        Arrays.fill(covered, Double.NaN);
    }

    /** An empty scrape that knows the series of this node. */
    public Scrape scrape() {
        return new Scrape(index);
    }

    /** Takes a whole, good scrape in. */
    public void commit(Scrape scrape, long epochMillis, long nanos, Duration interval) {
        tick++;
        take(scrape);
        boolean first = lastNanos == NEVER;
        double elapsed = first ? 0 : (nanos - lastNanos) / 1e9;
        boolean contiguous = !first && elapsed > 0 && elapsed <= GAP * interval.toNanos() / 1e9;
        boolean restarted = restarted();
        boolean reset = false;
        for (Raw raw : raws) {
            if (raw.tick() == tick) {
                reset |= raw.settle(restarted, contiguous);
            }
        }
        append(epochMillis, contiguous ? elapsed : Double.NaN, reset || restarted);
        lastNanos = nanos;
        if (tick % limits.slots() == 0) {
            sweep();
        }
    }

    private void take(Scrape scrape) {
        for (int i = 0; i < scrape.size(); i++) {
            scrape.raw(i).note(scrape.value(i), tick);
        }
        boolean grown = false;
        for (Scrape.Fresh series : scrape.fresh()) {
            Raw known = grown ? find(series.series()) : null;
            if (known != null) {
                known.note(series.value(), tick);
            } else if (raws.size() < SeriesLimits.MAX_RAW) {
                Raw raw = columns.place(series, scrape, tick);
                raw.note(series.value(), tick);
                raws.add(raw);
                start = series.name().equals(Wanted.STARTED) ? raw : start;
                grown = true;
            } else {
                beyond++;
            }
        }
        beyond += scrape.unnamed();
        if (grown) {
            index = new SeriesIndex(raws);
        }
    }

    /** A series that came twice in the scrape that made it known; the last of its values counts. */
    private @Nullable Raw find(long series) {
        for (int i = raws.size() - 1; i >= 0 && raws.get(i).tick() == tick; i--) {
            if (raws.get(i).series() == series) {
                return raws.get(i);
            }
        }
        return null;
    }

    /** Whether the process behind the numbers is another one than before. */
    private boolean restarted() {
        double now = start == null || start.tick() != tick ? Double.NaN : start.current();
        boolean changed = !Double.isNaN(now) && !Double.isNaN(startedAt) && Math.abs(now - startedAt) > 1;
        startedAt = Double.isNaN(now) ? startedAt : now;
        return changed;
    }

    private void append(long epochMillis, double seconds, boolean reset) {
        overwritten += filled == limits.slots() ? 1 : 0;
        for (Column column : columns.scalars().values()) {
            column.commit(next);
        }
        for (HistogramColumn column : columns.histograms().values()) {
            column.commit(next);
        }
        times[next] = epochMillis;
        covered[next] = seconds;
        resets[next] = reset;
        next = (next + 1) % limits.slots();
        filled = Math.min(filled + 1, limits.slots());
    }

    /** A scrape that failed: nothing is known about this moment. */
    public void gap(long epochMillis) {
        append(epochMillis, Double.NaN, false);
    }

    private void sweep() {
        long old = tick - limits.slots() + 1;
        raws.removeIf(raw -> raw.tick() < old);
        columns.sweep(old);
        index = new SeriesIndex(raws);
    }

    /** The slots in order of time. */
    int[] order() {
        int[] order = new int[filled];
        for (int i = 0; i < filled; i++) {
            order[i] = Math.floorMod(next - filled + i, limits.slots());
        }
        return order;
    }

    Columns columns() {
        return columns;
    }

    long time(int slot) {
        return times[slot];
    }

    double coveredSeconds(int slot) {
        return covered[slot];
    }

    int resetCount() {
        int count = 0;
        for (int slot : order()) {
            count += resets[slot] ? 1 : 0;
        }
        return count;
    }

    public int tracked() {
        return columns.scalars().size() + columns.histograms().size();
    }

    /** Series that found no room. */
    public long dropped() {
        return columns.dropped() + beyond;
    }

    /** Points that made room for newer ones. */
    public long overwritten() {
        return overwritten;
    }

    public long bytes() {
        return columns.bytes() + 17L * limits.slots() + 96L * raws.size();
    }

    /** The increase per second over the window: what was observed, over the time it was observed for. */
    double rate(Column column) {
        double sum = 0;
        double seconds = 0;
        // A slot that was never filled covers nothing.
        for (int slot = 0; slot < covered.length; slot++) {
            double value = column.at(slot);
            if (!Double.isNaN(value) && !Double.isNaN(covered[slot])) {
                sum += value;
                seconds += covered[slot];
            }
        }
        return seconds > 0 ? sum / seconds : Double.NaN;
    }

    /** The last value of a gauge, where the last scrape had one. */
    double last(Column column) {
        return filled == 0 ? Double.NaN : column.at(Math.floorMod(next - 1, limits.slots()));
    }

    double max(Column column) {
        double max = Double.NaN;
        for (int slot = 0; slot < covered.length; slot++) {
            double value = column.at(slot);
            max = Double.isNaN(max) || value > max ? value : max;
        }
        return max;
    }

    /** Every series that can be asked for. */
    public List<SeriesKeys.Key> keys() {
        List<SeriesKeys.Key> keys = new ArrayList<>();
        for (Column column : columns.scalars().values()) {
            boolean counter = column.kind() == Kind.COUNTER;
            double last = counter ? rate(column) : last(column);
            keys.add(new SeriesKeys.Key(
                    column.name().key(), column.name().family(), counter ? "rate" : "gauge", Digest.orNull(last)));
        }
        for (HistogramColumn column : columns.histograms().values()) {
            for (String q : List.of("p50", "p95", "p99")) {
                keys.add(new SeriesKeys.Key(
                        column.name().key() + ":" + q,
                        column.name().family(),
                        "quantile",
                        Digest.orNull(column.quantile(quantile(q), order()))));
            }
        }
        return keys;
    }

    private static double quantile(String word) {
        return Integer.parseInt(word.substring(1)) / 100.0;
    }

    /** The named series over the window. */
    public SeriesView read(String nodeId, List<String> keys) {
        int[] order = order();
        Map<String, double[]> all = new LinkedHashMap<>();
        for (Column column : columns.scalars().values()) {
            if (keys.contains(column.name().key())) {
                all.put(column.name().key(), points(column, order));
            }
        }
        for (HistogramColumn column : columns.histograms().values()) {
            for (String q : List.of("p50", "p95", "p99")) {
                String key = column.name().key() + ":" + q;
                if (keys.contains(key)) {
                    all.put(key, points(column, quantile(q), order));
                }
            }
        }
        List<String> unknown =
                keys.stream().filter(key -> !all.containsKey(key)).toList();
        Map<String, Points> cols = new LinkedHashMap<>();
        all.forEach((key, points) -> cols.put(key, new Points(points)));
        return new SeriesView(nodeId, times(order), cols, unknown);
    }

    List<Long> times(int[] order) {
        return Arrays.stream(order).mapToObj(slot -> times[slot]).toList();
    }

    double[] points(Column column, int[] order) {
        double[] points = new double[order.length];
        for (int i = 0; i < order.length; i++) {
            double value = column.at(order[i]);
            points[i] = column.kind() == Kind.COUNTER ? value / covered[order[i]] : value;
        }
        return points;
    }

    double[] points(HistogramColumn column, double q, int[] order) {
        double[] points = new double[order.length];
        for (int i = 0; i < order.length; i++) {
            int slot = order[i];
            points[i] = column.quantile(q, slot);
        }
        return points;
    }
}
