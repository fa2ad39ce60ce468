package dev.ron.ledger.tree;

import dev.ron.ledger.Reason;
import dev.ron.ledger.Refused;
import java.util.List;

/** That a leaf sits at an index of a tree: the hashes beside its path to the root. */
public record InclusionProof(long index, long size, List<TreeHash> hashes) {
    public InclusionProof {
        if (index < 0 || index >= size) {
            throw new IllegalArgumentException("leaf " + index + " of a tree of " + size);
        }
        hashes = List.copyOf(hashes);
    }

    /** RFC 9162 §2.1.3.2; {@code what} names the leaf in the refusal. */
    public void verify(TreeHash leaf, TreeHash root, String what) throws Refused {
        long node = index;
        long last = size - 1;
        TreeHash hash = leaf;
        for (TreeHash sibling : hashes) {
            if (last == 0) {
                throw new Refused(
                        Reason.LEAF_MISMATCH, what + ": inclusion proof has more hashes than the tree is high");
            }
            if ((node & 1) == 1 || node == last) {
                hash = TreeHash.node(sibling, hash);
                // On the right edge, levels without a right sibling contribute nothing.
                while ((node & 1) == 0 && node != 0) {
                    node >>= 1;
                    last >>= 1;
                }
            } else {
                hash = TreeHash.node(hash, sibling);
            }
            node >>= 1;
            last >>= 1;
        }
        if (last != 0) {
            throw new Refused(Reason.LEAF_MISMATCH, what + ": inclusion proof has too few hashes");
        }
        if (!hash.equals(root)) {
            throw new Refused(
                    Reason.LEAF_MISMATCH,
                    what + ": leaf " + index + " leads to root " + hash + ", the checkpoint of size " + size + " has "
                            + root);
        }
    }
}
