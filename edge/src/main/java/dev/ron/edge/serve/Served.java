package dev.ron.edge.serve;

import dev.ron.kernel.meter.Meter;
import dev.ron.service.metrics.ServiceMetrics;

/** Counts where answers came from: {@code edge_cache_hits_total} and {@code edge_cache_misses_total}. */
public final class Served {
    private final Meter.Count ram;
    private final Meter.Count pack;
    private final Meter.Count cas;
    private final Meter.Count files;
    private final Meter.Count negative;
    private final Meter.Count cold;
    private final Meter.Count stale;

    public Served(ServiceMetrics metrics) {
        ServiceMetrics.Counters hits = metrics.counters("edge_cache_hits_total", "Answers from what is here.", "kind");
        this.ram = hits.with("ram");
        this.pack = hits.with("pack");
        this.cas = hits.with("cas");
        this.files = hits.with("static");
        this.negative = hits.with("negative");
        ServiceMetrics.Counters misses =
                metrics.counters("edge_cache_misses_total", "Requests that had to be fetched.", "cause");
        this.cold = misses.with("cold");
        this.stale = misses.with("stale");
    }

    public void ram() {
        ram.increment();
    }

    public void pack() {
        pack.increment();
    }

    public void cas() {
        cas.increment();
    }

    public void file() {
        files.increment();
    }

    public void negative() {
        negative.increment();
    }

    public void miss(boolean wasStale) {
        (wasStale ? stale : cold).increment();
    }
}
