package dev.ron.edge.pack.pmtiles;

import dev.ron.edge.pack.Coding;
import dev.ron.edge.pack.Packing;
import java.io.ByteArrayOutputStream;

/** All entries as one root directory, or, where that is longer than readers take, as a root over leaves. */
final class DirectoryTree {
    private static final int FIRST_LEAF_ENTRIES = 4096;

    private final byte[] root;
    private final byte[] leaves;

    private DirectoryTree(byte[] root, byte[] leaves) {
        this.root = root;
        this.leaves = leaves;
    }

    /** The root directory, packed. */
    byte[] root() {
        return root;
    }

    /** The section of leaf directories, each packed on its own. */
    byte[] leaves() {
        return leaves;
    }

    static DirectoryTree of(Directory all, Coding coding) {
        byte[] plain = DirectoryEncoder.encode(all);
        byte[] root = Packing.pack(coding, plain);
        if (fits(root) && plain.length <= PmtilesLimits.DEFAULT.maxRootBytes()) {
            return new DirectoryTree(root, new byte[0]);
        }
        // Larger leaves make a shorter root; grow them until it fits.
        for (int leafEntries = FIRST_LEAF_ENTRIES; ; leafEntries += leafEntries / 4) {
            DirectoryTree tree = split(all, coding, leafEntries);
            if (fits(tree.root())) {
                return tree;
            }
        }
    }

    private static boolean fits(byte[] root) {
        return root.length <= Header.ROOT_END - Header.BYTES;
    }

    private static DirectoryTree split(Directory all, Coding coding, int leafEntries) {
        ByteArrayOutputStream leaves = new ByteArrayOutputStream();
        Entries root = new Entries();
        for (int from = 0; from < all.size(); from += leafEntries) {
            int to = Math.min(all.size(), from + leafEntries);
            byte[] leaf = Packing.pack(coding, DirectoryEncoder.encode(all, from, to));
            root.add(all.id(from), 0, leaf.length, leaves.size());
            leaves.writeBytes(leaf);
        }
        byte[] packed = Packing.pack(coding, DirectoryEncoder.encode(root.directory()));
        return new DirectoryTree(packed, leaves.toByteArray());
    }
}
