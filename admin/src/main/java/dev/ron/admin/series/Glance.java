package dev.ron.admin.series;

import dev.ron.admin.view.Points;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The few numbers of a node that every row shows; made with each scrape, so that a fleet costs little while nobody looks.
 *
 * <p>Everything else is worked out from the ring when it is asked for: see {@link Digest} and {@link Readings}.
 */
public record Glance(
        @Nullable Double rps,
        @Nullable Double errorRate,
        @Nullable Double p95Ms,
        Points spark,
        int tracked,
        long dropped,
        long bytes) {
    private static final int SPARK = 30;

    /** Before the first scrape. */
    public static final Glance NOTHING = new Glance(null, null, null, Points.NONE, 0, 0, 0);

    /** Called by the ring's sampler, or under its lock. */
    public static Glance of(NodeSeries ring) {
        int[] order = ring.order();
        Traffic all = new Traffic(ring, order);
        for (Column column : ring.columns().scalars().values()) {
            SeriesName name = column.name();
            if (name.family().equals(Wanted.REQUESTS) && name.labels().contains("status")) {
                all.add(column, name.value("status").equals("5xx"));
            }
        }
        HistogramColumn latency = ring.columns().histograms().get(new SeriesName(Wanted.LATENCY, List.of(), List.of()));
        double p95 = latency == null ? Double.NaN : latency.quantile(0.95, order);
        return new Glance(
                Digest.orNull(all.rate()),
                Digest.orNull(all.errorRate()),
                Digest.orNull(p95 * 1000),
                new Points(all.rates(SPARK)),
                ring.tracked(),
                ring.dropped(),
                ring.bytes());
    }
}
