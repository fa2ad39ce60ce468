package dev.ron.ledger.state;

import dev.ron.ledger.hash.Sha256;
import dev.ron.ledger.tree.TreeHash;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** The descriptors whose ids fall together, sorted by id; immutable. */
final class Bucket {
    static final Bucket EMPTY = new Bucket(List.of());

    private final List<Held> sorted;

    private Bucket(List<Held> sorted) {
        this.sorted = sorted;
    }

    Bucket with(Collection<Held> changed) {
        List<Held> list = new ArrayList<>(sorted);
        for (Held held : changed) {
            int at = find(list, held.id());
            if (at >= 0) {
                list.set(at, held);
            } else {
                list.add(-at - 1, held);
            }
        }
        return new Bucket(List.copyOf(list));
    }

    Optional<Held> get(String id) {
        int at = find(sorted, id);
        return at < 0 ? Optional.empty() : Optional.of(sorted.get(at));
    }

    List<Held> all() {
        return sorted;
    }

    List<Row> rows() {
        return sorted.stream().map(Held::row).toList();
    }

    TreeHash leaf() {
        return leaf(sorted, Held::rowBytes);
    }

    /** The leaf over the canonical list of rows; the same function makes it and checks it. */
    static <T> TreeHash leaf(List<T> rows, Function<T, byte[]> bytes) {
        MessageDigest digest = Sha256.start();
        digest.update((byte) '[');
        for (int i = 0; i < rows.size(); i++) {
            if (i > 0) {
                digest.update((byte) ',');
            }
            digest.update(bytes.apply(rows.get(i)));
        }
        digest.update((byte) ']');
        return TreeHash.leaf(digest.digest());
    }

    /** As {@link java.util.Collections#binarySearch}, by id. */
    private static int find(List<Held> list, String id) {
        int low = 0;
        int high = list.size() - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            int order = list.get(middle).id().compareTo(id);
            if (order == 0) {
                return middle;
            }
            low = order < 0 ? middle + 1 : low;
            high = order < 0 ? high : middle - 1;
        }
        return -low - 1;
    }
}
