package dev.ron.edge.pack.mbtiles;

/**
 * Bounds on what a database can make us do: a table can be a view, and a view can be an endless query.
 *
 * @param readers connections, one per thread that may read at once
 * @param maxTileBytes the largest blob that is read
 * @param maxMetadataChars all names and values of the metadata together
 * @param maxLookUpSteps instructions of SQLite's machine per look-up of a tile, in thousands
 * @param maxSteps instructions per question at the mount, or from one row to the next of all, in thousands
 * @param maxRows rows that a look at all of them takes
 */
public record MbtilesLimits(
        int readers, int maxTileBytes, int maxMetadataChars, int maxLookUpSteps, int maxSteps, long maxRows) {
    /**
     * A look-up through an index takes some hundred instructions; a million are some ten milliseconds and read a table
     * of a quarter of a million rows. All packs share the threads that look up: none may keep one for long.
     */
    public static final MbtilesLimits DEFAULT = new MbtilesLimits(4, 8 << 20, 8 << 20, 1000, 20_000, 1_000_000_000L);

    public MbtilesLimits withMaxTileBytes(int bytes) {
        return new MbtilesLimits(readers, bytes, maxMetadataChars, maxLookUpSteps, maxSteps, maxRows);
    }
}
