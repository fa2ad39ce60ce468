package dev.ron.edge.pack;

/** Sees the tiles of a pack one by one. */
@FunctionalInterface
public interface TileVisitor {

    /** False ends the walk. */
    boolean visit(TileCoord at, Tile tile);
}
