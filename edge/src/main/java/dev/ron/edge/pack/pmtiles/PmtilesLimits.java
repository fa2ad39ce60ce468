package dev.ron.edge.pack.pmtiles;

/** Bounds on what one archive can make us hold, whatever it says. */
public record PmtilesLimits(
        int maxTileBytes,
        int maxStoredDirectoryBytes,
        int maxDirectoryBytes,
        int maxStoredMetadataBytes,
        int maxMetadataBytes,
        long directoryCacheBytes,
        long maxEntries) {
    private static final int MIB = 1 << 20;

    /** A directory of 4 MiB has room for a million entries; usual writers stay near 10,000. */
    public static final PmtilesLimits DEFAULT =
            new PmtilesLimits(8 * MIB, 4 * MIB, 4 * MIB, 8 * MIB, 8 * MIB, 64L * MIB, 1_000_000_000L);
}
