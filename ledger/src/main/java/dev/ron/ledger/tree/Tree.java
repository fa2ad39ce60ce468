package dev.ron.ledger.tree;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * An RFC 6962 tree that grows by appending and answers every proof for every size it ever had.
 *
 * <p>It is a value: appending gives a new tree that shares all full tiles with the old, so a reader with a snapshot needs
 * no lock. Only every eighth level is stored, in the tiles that are published anyway; the levels between are hashed
 * again when a proof asks for them (at most 255 hashes per tile). The newest root is asked for after every batch, so the
 * roots of the full subtrees that it is made of are kept.
 */
public final class Tree {
    public static final Tree EMPTY = new Tree(0, List.of(), List.of());

    private static final int TILE_HEIGHT = 8;

    private final long size;
    private final List<TileRow> rows;
    // One for each bit of the size, the largest first.
    private final List<TreeHash> peaks;

    private Tree(long size, List<TileRow> rows, List<TreeHash> peaks) {
        this.size = size;
        this.rows = rows;
        this.peaks = peaks;
    }

    public long size() {
        return size;
    }

    public Tree append(TreeHash leaf) {
        List<TileRow> grown = new ArrayList<>(rows);
        TreeHash carry = leaf;
        for (int level = 0; ; level++) {
            if (level == grown.size()) {
                grown.add(TileRow.EMPTY);
            }
            TileRow row = grown.get(level).append(carry);
            grown.set(level, row);
            if (!row.endsFull()) {
                return new Tree(size + 1, List.copyOf(grown), peaksWith(leaf));
            }
            // A completed tile is one hash of the level above.
            carry = subtree(row, (row.fullTiles() - 1L) * TileRow.WIDTH, TileRow.WIDTH);
        }
    }

    // As a binary counter: every trailing one of the size is a subtree that the new leaf completes.
    private List<TreeHash> peaksWith(TreeHash leaf) {
        List<TreeHash> higher = new ArrayList<>(peaks);
        TreeHash peak = leaf;
        for (long bits = size; (bits & 1) == 1; bits >>= 1) {
            peak = TreeHash.node(higher.removeLast(), peak);
        }
        higher.add(peak);
        return List.copyOf(higher);
    }

    public TreeHash root() {
        if (peaks.isEmpty()) {
            return TreeHash.EMPTY_ROOT;
        }
        TreeHash root = peaks.getLast();
        for (int i = peaks.size() - 2; i >= 0; i--) {
            root = TreeHash.node(peaks.get(i), root);
        }
        return root;
    }

    public TreeHash rootAt(long atSize) {
        Objects.checkIndex(atSize, size + 1);
        return atSize == 0 ? TreeHash.EMPTY_ROOT : range(0, atSize);
    }

    public InclusionProof inclusion(long index, long atSize) {
        Objects.checkIndex(atSize, size + 1);
        Objects.checkIndex(index, atSize);
        List<TreeHash> path = new ArrayList<>();
        path(index, 0, atSize, path);
        return new InclusionProof(index, atSize, path);
    }

    public ConsistencyProof consistency(long from, long to) {
        Objects.checkIndex(to, size + 1);
        Objects.checkIndex(from, to + 1);
        List<TreeHash> path = new ArrayList<>();
        if (from > 0 && from < to) {
            subproof(from, 0, to, true, path);
        }
        return new ConsistencyProof(from, to, path);
    }

    /** The bytes of a hash tile; its width may be smaller than the tree has by now. */
    public byte[] tile(TilePath path) {
        if (path.level() < 0 || path.width() > TilePath.widthAt(path.level(), path.index(), size)) {
            throw new IllegalArgumentException(path + " is not a hash tile of a tree of " + size);
        }
        return rows.get(path.level()).bytes(path.index(), path.width());
    }

    // RFC 6962 §2.1.1, PATH(m, D[n]), for the leaves from..to.
    private void path(long index, long from, long to, List<TreeHash> out) {
        if (to - from == 1) {
            return;
        }
        long middle = from + split(to - from);
        if (index < middle) {
            path(index, from, middle, out);
            out.add(range(middle, to));
        } else {
            path(index, middle, to, out);
            out.add(range(from, middle));
        }
    }

    // RFC 6962 §2.1.2, SUBPROOF(m, D[n], b): `known` is b, true while the old root itself is the subtree in hand.
    private void subproof(long old, long from, long to, boolean known, List<TreeHash> out) {
        if (old == to) {
            if (!known) {
                out.add(range(from, to));
            }
            return;
        }
        long middle = from + split(to - from);
        if (old <= middle) {
            subproof(old, from, middle, known, out);
            out.add(range(middle, to));
        } else {
            subproof(old, middle, to, false, out);
            out.add(range(from, middle));
        }
    }

    // MTH of the leaves from..to; `from` is always a multiple of the power of two that covers the range.
    private TreeHash range(long from, long to) {
        long count = to - from;
        if (Long.bitCount(count) == 1) {
            int height = Long.numberOfTrailingZeros(count);
            int below = height % TILE_HEIGHT;
            int width = 1 << below;
            return subtree(rows.get(height / TILE_HEIGHT), from >> (height - below), width);
        }
        long middle = from + split(count);
        return TreeHash.node(range(from, middle), range(middle, to));
    }

    private static TreeHash subtree(TileRow row, long index, int width) {
        if (width == 1) {
            return row.hash(index);
        }
        int half = width / 2;
        return TreeHash.node(subtree(row, index, half), subtree(row, index + half, half));
    }

    /** The largest power of two below {@code count}. */
    private static long split(long count) {
        return Long.highestOneBit(count - 1);
    }
}
