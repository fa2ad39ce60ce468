package dev.ron.ledger.state;

import dev.ron.ledger.hash.Sha256;
import dev.ron.ledger.json.CanonicalJson;
import dev.ron.ledger.json.Json;
import dev.ron.ledger.tree.TreeHash;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/** The descriptors whose ids fall together, sorted by id; immutable. */
final class Bucket {
    static final Bucket EMPTY = new Bucket(List.of());

    private final List<Held> sorted;

    private Bucket(List<Held> sorted) {
        this.sorted = sorted;
    }

    Bucket with(Collection<Held> changed) {
        TreeMap<String, Held> byId = new TreeMap<>();
        sorted.forEach(held -> byId.put(held.id(), held));
        changed.forEach(held -> byId.put(held.id(), held));
        return new Bucket(List.copyOf(byId.values()));
    }

    Optional<Held> get(String id) {
        int low = 0;
        int high = sorted.size();
        while (low < high) {
            int middle = (low + high) >>> 1;
            int order = sorted.get(middle).id().compareTo(id);
            if (order == 0) {
                return Optional.of(sorted.get(middle));
            }
            low = order < 0 ? middle + 1 : low;
            high = order < 0 ? high : middle;
        }
        return Optional.empty();
    }

    List<Held> all() {
        return sorted;
    }

    List<Row> rows() {
        return sorted.stream().map(Held::row).toList();
    }

    /** The leaf over a list of rows; the same function makes it and checks it. */
    static TreeHash leaf(List<Row> rows) {
        Json.Arr list = new Json.Arr(rows.stream().map(Row::toJson).toList());
        return TreeHash.leaf(Sha256.of(CanonicalJson.bytes(list)));
    }
}
