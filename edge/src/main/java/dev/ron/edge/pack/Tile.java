package dev.ron.edge.pack;

import dev.ron.edge.digest.Blake3;
import dev.ron.edge.range.EntityTag;

/** The stored bytes of one tile, still in their coding; nobody changes them. */
public final class Tile {
    private final byte[] bytes;
    private final Coding coding;

    public Tile(byte[] bytes, Coding coding) {
        this.bytes = bytes;
        this.coding = coding;
    }

    public byte[] bytes() {
        return bytes;
    }

    public Coding coding() {
        return coding;
    }

    /**
     * The tag of these bytes, {@code "b3:<hex>"}: an unchanged tile keeps its tag when the pack is rebuilt. It hashes;
     * whoever caches the tile asks once and keeps the answer.
     */
    public EntityTag tag() {
        return EntityTag.ofContent(Blake3.hash(bytes));
    }

    @Override
    public String toString() {
        return bytes.length + " bytes, " + coding;
    }
}
