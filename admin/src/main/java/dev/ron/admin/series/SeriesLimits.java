package dev.ron.admin.series;

/** Bounds on what is kept of one node. */
public record SeriesLimits(int slots, int maxSeries, int maxHistograms, int maxFacets) {
    /** Raw series behind the kept ones: a node with more is cut here, not in memory. */
    static final int MAX_RAW = 20_000;

    static final int MAX_BUCKETS = 24;
}
