package dev.ron.registry.book;

/**
 * How much may wait for a vote.
 *
 * @param maxPendingBytes the memory for it, of which one proposer has a quarter
 */
public record Limits(int maxPending, int maxPendingPerProposer, long maxPendingBytes) {
    public static final Limits DEFAULT = new Limits(10_000, 64, 32L << 20);

    long maxBytesPerProposer() {
        return maxPendingBytes / 4;
    }
}
