package dev.ron.edge.pack.pmtiles;

import dev.ron.edge.pack.TileCoord;

/** PMTiles' number of a tile: all lower zooms first, then the place on the zoom's Hilbert curve. */
final class TileId {
    /** One past the last identifier of zoom 31. */
    static final long END = firstOf(TileCoord.MAX_ZOOM + 1);

    private TileId() {}

    /** The number of tiles of all zooms below {@code zoom}: (4^z - 1) / 3, here as the bits 0101...01. */
    static long firstOf(int zoom) {
        return zoom == 0 ? 0 : 0x5555_5555_5555_5555L >>> (64 - 2 * zoom);
    }

    static long of(TileCoord tile) {
        long x = tile.x();
        long y = tile.y();
        long index = 0;
        for (long side = (1L << tile.z()) >> 1; side > 0; side >>= 1) {
            int right = (x & side) != 0 ? 1 : 0;
            int down = (y & side) != 0 ? 1 : 0;
            index += side * side * ((3 * right) ^ down);
            x &= side - 1;
            y &= side - 1;
            if (down == 0) {
                long wasX = x;
                x = right == 1 ? side - 1 - y : y;
                y = right == 1 ? side - 1 - wasX : wasX;
            }
        }
        return firstOf(tile.z()) + index;
    }

    static int zoomOf(long id) {
        int zoom = 0;
        while (id >= firstOf(zoom + 1)) {
            zoom++;
        }
        return zoom;
    }

    static TileCoord toTile(long id) {
        if (id < 0 || id >= END) {
            throw new IllegalArgumentException("tile id " + id + " (expected: 0.." + (END - 1) + ")");
        }
        int zoom = zoomOf(id);
        long index = id - firstOf(zoom);
        long x = 0;
        long y = 0;
        for (long side = 1; side < 1L << zoom; side <<= 1) {
            long right = (index >> 1) & 1;
            long down = (index ^ right) & 1;
            if (down == 0) {
                long wasX = x;
                x = right == 1 ? side - 1 - y : y;
                y = right == 1 ? side - 1 - wasX : wasX;
            }
            x += side * right;
            y += side * down;
            index >>= 2;
        }
        return new TileCoord(zoom, (int) x, (int) y);
    }
}
