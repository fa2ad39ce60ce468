package dev.ron.edge.pack.pmtiles;

import dev.ron.edge.pack.Bounds;
import dev.ron.edge.pack.Center;
import dev.ron.edge.pack.Coding;
import dev.ron.edge.pack.TileType;

/** The 127 bytes at the start of an archive; {@link HeaderCodec} reads, checks and writes them. */
record Header(
        Section root,
        Section metadata,
        Section leaves,
        Section data,
        long addressedTiles,
        long tileEntries,
        long tileContents,
        boolean clustered,
        Coding internalCoding,
        Coding tileCoding,
        TileType tileType,
        int minZoom,
        int maxZoom,
        Bounds bounds,
        Center center) {

    static final int BYTES = 127;

    /** The root directory must end here, so that one read of 16 KiB gets header and root. */
    static final int ROOT_END = 16_384;
}
