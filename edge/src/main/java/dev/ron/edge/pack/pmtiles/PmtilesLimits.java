package dev.ron.edge.pack.pmtiles;

/** Bounds on what one archive can make us hold, whatever it says. */
public record PmtilesLimits(
        int maxTileBytes,
        int maxRootBytes,
        int maxStoredDirectoryBytes,
        int maxDirectoryBytes,
        int maxStoredMetadataBytes,
        int maxMetadataBytes,
        long maxEntries) {
    private static final int MIB = 1 << 20;

    /** A root stays in memory; what fits 16 KiB is rarely longer than 100. A leaf of 4 MiB has a million entries. */
    public static final PmtilesLimits DEFAULT =
            new PmtilesLimits(8 * MIB, MIB, 4 * MIB, 4 * MIB, 8 * MIB, 8 * MIB, 1_000_000_000L);

    /** For who reads one archive and then ends: tools have written leaves of ten million entries. */
    public static final PmtilesLimits LAX =
            new PmtilesLimits(8 * MIB, 16 * MIB, 64 * MIB, 64 * MIB, 8 * MIB, 8 * MIB, 1_000_000_000L);

    public PmtilesLimits withMaxTileBytes(int bytes) {
        return new PmtilesLimits(
                bytes,
                maxRootBytes,
                maxStoredDirectoryBytes,
                maxDirectoryBytes,
                maxStoredMetadataBytes,
                maxMetadataBytes,
                maxEntries);
    }
}
