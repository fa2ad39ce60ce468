package dev.ron.edge.pack;

/** One tile of the XYZ scheme: zoom, column from the west, row from the north. */
public record TileCoord(int z, int x, int y) {
    /** Identifiers of deeper zooms would not fit 63 bits. */
    public static final int MAX_ZOOM = 31;

    public TileCoord {
        if (!exists(z, x, y)) {
            throw new IllegalArgumentException(
                    "tile " + z + "/" + x + "/" + y + " (expected: z 0.." + MAX_ZOOM + ", x and y below 2^z)");
        }
    }

    public static boolean exists(long z, long x, long y) {
        return z >= 0 && z <= MAX_ZOOM && x >= 0 && y >= 0 && x < 1L << z && y < 1L << z;
    }

    /** The row as TMS and MBTiles count it, from the south. */
    public int tmsRow() {
        return (int) ((1L << z) - 1 - y);
    }

    @Override
    public String toString() {
        return z + "/" + x + "/" + y;
    }
}
