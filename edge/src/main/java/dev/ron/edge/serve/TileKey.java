package dev.ron.edge.serve;

import dev.ron.edge.pack.TileCoord;

/**
 * One tile of one mounted pack, as stored or with its coding undone, and what is said of keeping it; a replaced pack
 * leaves keys nobody asks for, and so does a Cache-Control that was configured before.
 */
record TileKey(long generation, int z, int x, int y, boolean plain, String cacheControl) {

    static TileKey of(long generation, TileCoord at, boolean plain, String cacheControl) {
        return new TileKey(generation, at.z(), at.x(), at.y(), plain, cacheControl);
    }

    @Override
    public int hashCode() {
        int hash = (z * 31 + x) * 0x9E3779B1 + y;
        return hash * 31 + (int) generation * 2 + (plain ? 1 : 0);
    }
}
