package dev.ron.ledger.tree;

import dev.ron.ledger.Reason;
import dev.ron.ledger.Refused;
import java.util.List;

/** That a tree of one size is the beginning of a tree of another. */
public record ConsistencyProof(long from, long to, List<TreeHash> hashes) {
    public ConsistencyProof {
        if (from < 0 || from > to) {
            throw new IllegalArgumentException("consistency from " + from + " to " + to);
        }
        hashes = List.copyOf(hashes);
    }

    /** RFC 9162 §2.1.4.2. */
    public void verify(TreeHash oldRoot, TreeHash newRoot) throws Refused {
        if (from == 0 || from == to) {
            verifyTrivial(oldRoot, newRoot);
            return;
        }
        long node = from - 1;
        long last = to - 1;
        while ((node & 1) == 1) {
            node >>= 1;
            last >>= 1;
        }
        // An old tree of a power of two is itself the first subtree, and the proof does not repeat its root.
        boolean whole = Long.bitCount(from) == 1;
        if (!whole && hashes.isEmpty()) {
            throw refused("has too few hashes");
        }
        TreeHash oldHash = whole ? oldRoot : hashes.getFirst();
        TreeHash newHash = oldHash;
        for (TreeHash sibling : whole ? hashes : hashes.subList(1, hashes.size())) {
            if (last == 0) {
                throw refused("has more hashes than the tree is high");
            }
            if ((node & 1) == 1 || node == last) {
                oldHash = TreeHash.node(sibling, oldHash);
                newHash = TreeHash.node(sibling, newHash);
                while ((node & 1) == 0 && node != 0) {
                    node >>= 1;
                    last >>= 1;
                }
            } else {
                newHash = TreeHash.node(newHash, sibling);
            }
            node >>= 1;
            last >>= 1;
        }
        if (last != 0) {
            throw refused("has too few hashes");
        }
        expect(oldRoot, oldHash, from);
        expect(newRoot, newHash, to);
    }

    private void verifyTrivial(TreeHash oldRoot, TreeHash newRoot) throws Refused {
        if (!hashes.isEmpty()) {
            throw refused("must have no hashes");
        }
        expect(oldRoot, from == 0 ? TreeHash.EMPTY_ROOT : newRoot, from);
        if (to == 0) {
            expect(newRoot, TreeHash.EMPTY_ROOT, 0);
        }
    }

    private void expect(TreeHash root, TreeHash computed, long size) throws Refused {
        if (!root.equals(computed)) {
            throw refused("leads to root " + computed + " at size " + size + ", not " + root);
        }
    }

    private Refused refused(String problem) {
        return new Refused(Reason.ROOT_MISMATCH, "consistency proof from " + from + " to " + to + " " + problem);
    }
}
