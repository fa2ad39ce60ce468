package dev.ron.ledger.tree;

import java.util.ArrayList;
import java.util.List;

/** RFC 6962 §2.1 word for word over a plain list: the oracle. It shares only the two hash functions with {@link Tree}. */
public final class NaiveTree {
    private NaiveTree() {}

    public static TreeHash root(List<TreeHash> leaves) {
        int n = leaves.size();
        if (n == 0) {
            return TreeHash.EMPTY_ROOT;
        }
        if (n == 1) {
            return leaves.getFirst();
        }
        int k = split(n);
        return TreeHash.node(root(leaves.subList(0, k)), root(leaves.subList(k, n)));
    }

    static List<TreeHash> path(int m, List<TreeHash> leaves) {
        int n = leaves.size();
        if (n == 1) {
            return List.of();
        }
        int k = split(n);
        return m < k
                ? plus(path(m, leaves.subList(0, k)), root(leaves.subList(k, n)))
                : plus(path(m - k, leaves.subList(k, n)), root(leaves.subList(0, k)));
    }

    static List<TreeHash> proof(int m, List<TreeHash> leaves) {
        return m == 0 || m == leaves.size() ? List.of() : subproof(m, leaves, true);
    }

    private static List<TreeHash> subproof(int m, List<TreeHash> leaves, boolean b) {
        int n = leaves.size();
        if (m == n) {
            return b ? List.of() : List.of(root(leaves));
        }
        int k = split(n);
        return m <= k
                ? plus(subproof(m, leaves.subList(0, k), b), root(leaves.subList(k, n)))
                : plus(subproof(m - k, leaves.subList(k, n), false), root(leaves.subList(0, k)));
    }

    private static int split(int n) {
        int k = 1;
        while (k * 2 < n) {
            k *= 2;
        }
        return k;
    }

    private static List<TreeHash> plus(List<TreeHash> list, TreeHash last) {
        List<TreeHash> longer = new ArrayList<>(list);
        longer.add(last);
        return longer;
    }
}
