package dev.ron.ledger.tree;

import java.util.Arrays;

/** One level of tiles: full tiles of 256 hashes, then the growing one; immutable, sharing full tiles with its past. */
final class TileRow {
    static final int WIDTH = 256;
    static final TileRow EMPTY = new TileRow(new byte[0][], new byte[0]);

    private final byte[][] full;
    private final byte[] partial;

    private TileRow(byte[][] full, byte[] partial) {
        this.full = full;
        this.partial = partial;
    }

    TileRow append(TreeHash hash) {
        byte[] grown = Arrays.copyOf(partial, partial.length + TreeHash.BYTES);
        hash.copyTo(grown, partial.length);
        if (grown.length < WIDTH * TreeHash.BYTES) {
            return new TileRow(full, grown);
        }
        byte[][] more = Arrays.copyOf(full, full.length + 1);
        more[full.length] = grown;
        return new TileRow(more, new byte[0]);
    }

    /** True right after an append that completed a tile. */
    boolean endsFull() {
        return partial.length == 0;
    }

    int fullTiles() {
        return full.length;
    }

    TreeHash hash(long index) {
        return TreeHash.of(tile(index / WIDTH), (int) (index % WIDTH) * TreeHash.BYTES);
    }

    /** The first {@code width} hashes of a tile, as the bytes that are published. */
    byte[] bytes(long tile, int width) {
        return Arrays.copyOf(tile(tile), width * TreeHash.BYTES);
    }

    private byte[] tile(long index) {
        return index < full.length ? full[(int) index] : partial;
    }
}
