package dev.ron.edge.serve;

import dev.ron.edge.pack.TileCoord;

/** One tile of one mounted pack, as stored or with its coding undone; a replaced pack leaves keys nobody asks for. */
record TileKey(long generation, int z, int x, int y, boolean plain) {

    static TileKey of(long generation, TileCoord at, boolean plain) {
        return new TileKey(generation, at.z(), at.x(), at.y(), plain);
    }

    @Override
    public int hashCode() {
        int hash = (z * 31 + x) * 0x9E3779B1 + y;
        return hash * 31 + (int) generation * 2 + (plain ? 1 : 0);
    }
}
