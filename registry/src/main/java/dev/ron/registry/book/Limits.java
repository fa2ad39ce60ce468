package dev.ron.registry.book;

/** How much may wait for a vote. */
public record Limits(int maxPending, int maxPendingPerProposer, long maxPendingBytes) {
    public static final Limits DEFAULT = new Limits(10_000, 64, 64L << 20);
}
