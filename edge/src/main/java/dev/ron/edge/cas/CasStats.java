package dev.ron.edge.cas;

/** Numbers for metrics and status; the totals count since the store was opened. */
public record CasStats(
        long bytes, long maxBytes, long blobs, long committed, long duplicates, long evictions, long damaged) {}
