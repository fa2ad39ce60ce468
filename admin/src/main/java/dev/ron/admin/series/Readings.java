package dev.ron.admin.series;

import dev.ron.admin.series.Column.Kind;
import dev.ron.admin.view.Points;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A ring, asked by the names of metrics: a counter answers with its increase per second over the window, a gauge with its
 * last value; null where there is no such series.
 *
 * <p>It looks into the ring and so lives only as long as the ring's lock is held.
 */
public final class Readings {
    private final NodeSeries ring;
    private final int[] order;

    public Readings(NodeSeries ring) {
        this.ring = ring;
        this.order = ring.order();
    }

    /** The services that the node's own metrics name. */
    public Set<String> services() {
        Set<String> names = new TreeSet<>();
        for (Column column : ring.columns().scalars().values()) {
            names.add(column.name().value("service"));
        }
        names.remove("");
        return names;
    }

    public boolean hasFamily(String prefix) {
        return ring.columns().scalars().keySet().stream()
                .anyMatch(name -> name.family().startsWith(prefix));
    }

    /** The sum over all series of a family. */
    public @Nullable Double sum(String family) {
        return sum(family, Map.of());
    }

    /** The sum over the series of a family that have these labels. */
    public @Nullable Double sum(String family, Map<String, String> where) {
        Double sum = null;
        for (Column column : ring.columns().scalars().values()) {
            if (fits(column.name(), family, where)) {
                sum = add(sum, now(column));
            }
        }
        return sum;
    }

    /** Each value of a label, with the sum over the series that carry it. */
    public Map<String, Double> by(String family, String label) {
        return by(family, label, Map.of());
    }

    public Map<String, Double> by(String family, String label, Map<String, String> where) {
        Map<String, Double> values = new TreeMap<>();
        for (Column column : ring.columns().scalars().values()) {
            SeriesName name = column.name();
            double now = now(column);
            if (fits(name, family, where) && name.labels().contains(label) && !Double.isNaN(now)) {
                values.merge(name.value(label), now, Double::sum);
            }
        }
        return values;
    }

    /** Each value of a label, with the highest value that a series which carries it had in the window. */
    public Map<String, Double> peaks(String family, String label) {
        Map<String, Double> peaks = new TreeMap<>();
        for (Column column : ring.columns().scalars().values()) {
            SeriesName name = column.name();
            double peak = name.family().equals(family) && name.labels().contains(label) ? ring.max(column) : Double.NaN;
            if (!Double.isNaN(peak)) {
                peaks.merge(name.value(label), peak, Math::max);
            }
        }
        return peaks;
    }

    /** A quantile of a histogram that has exactly these labels, in milliseconds for one in seconds. */
    public @Nullable Double millis(double q, String family, List<String> labels, List<String> values) {
        HistogramColumn column = ring.columns().histograms().get(new SeriesName(family, labels, values));
        return column == null ? null : Digest.orNull(column.quantile(q, order) * 1000);
    }

    /** In each step, how much of two counters together the first one was; a gap where neither moved. */
    public Points ratio(String part, String rest) {
        double[] parts = steps(part);
        double[] rests = steps(rest);
        double[] ratios = new double[order.length];
        for (int i = 0; i < ratios.length; i++) {
            double all = parts[i] + (Double.isNaN(rests[i]) ? 0 : rests[i]);
            ratios[i] = all > 0 ? parts[i] / all : Double.NaN;
        }
        return new Points(ratios);
    }

    private double[] steps(String family) {
        double[] sums = Traffic.nan(order.length);
        for (Column column : ring.columns().scalars().values()) {
            for (int i = 0; column.name().family().equals(family) && i < sums.length; i++) {
                double more = column.at(order[i]);
                sums[i] = Double.isNaN(more) ? sums[i] : Double.isNaN(sums[i]) ? more : sums[i] + more;
            }
        }
        return sums;
    }

    private double now(Column column) {
        return column.kind() == Kind.COUNTER ? ring.rate(column) : ring.last(column);
    }

    private static boolean fits(SeriesName name, String family, Map<String, String> where) {
        if (!name.family().equals(family)) {
            return false;
        }
        for (Map.Entry<String, String> label : where.entrySet()) {
            if (!name.value(label.getKey()).equals(label.getValue())) {
                return false;
            }
        }
        return true;
    }

    private static @Nullable Double add(@Nullable Double sum, double more) {
        return Double.isNaN(more) ? sum : sum == null ? Double.valueOf(more) : Double.valueOf(sum + more);
    }
}
