package dev.ron.ledger.state;

import dev.ron.ledger.Reason;
import dev.ron.ledger.Refused;
import dev.ron.ledger.json.Fields;
import dev.ron.ledger.json.Json;
import dev.ron.ledger.json.ObjWriter;
import dev.ron.ledger.json.Quoted;
import dev.ron.ledger.model.Descriptor;
import dev.ron.ledger.tree.TreeHash;
import java.util.List;
import java.util.Optional;

/**
 * What the state holds under an id, or that it holds nothing: the whole bucket and its path to {@code state_root}.
 *
 * <p>Which bucket is computed from the id, so an absent row is a proof of absence and not a row hidden elsewhere.
 */
public record StateProof(String id, List<Row> rows, List<TreeHash> siblings) {
    private static final int HEIGHT = 8;
    private static final int MAX_ROWS = 65_536;

    public StateProof {
        rows = List.copyOf(rows);
        siblings = List.copyOf(siblings);
    }

    /** The row of the id under this root; empty when the root has none. */
    public Optional<Row> open(TreeHash root) throws Refused {
        if (siblings.size() != HEIGHT) {
            throw refused(siblings.size() + " sibling hashes (expected: " + HEIGHT + ")");
        }
        for (int i = 1; i < rows.size(); i++) {
            if (rows.get(i - 1).id().compareTo(rows.get(i).id()) >= 0) {
                throw refused("rows are not sorted by id, each once");
            }
        }
        TreeHash hash = Bucket.leaf(rows);
        int node = State.BUCKETS + Row.bucketOf(id);
        for (TreeHash sibling : siblings) {
            hash = (node & 1) == 0 ? TreeHash.node(hash, sibling) : TreeHash.node(sibling, hash);
            node /= 2;
        }
        if (!hash.equals(root)) {
            throw refused("leads to state_root " + hash + " (expected: " + root + ")");
        }
        return rows.stream().filter(row -> row.id().equals(id)).findFirst();
    }

    /** Refuses unless exactly this descriptor is current under the root. */
    public void proves(Descriptor descriptor, TreeHash root) throws Refused {
        Row row = open(root).orElseThrow(() -> refused("the state holds no such descriptor"));
        if (!row.equals(Row.of(descriptor))) {
            throw refused("descriptor at revision " + descriptor.rev() + " with hash " + descriptor.hash()
                    + " (expected: revision " + row.rev() + " with " + row.descriptorB3() + ")");
        }
    }

    /** Refuses unless the root holds nothing under the id, not even a tombstone. */
    public void provesAbsence(TreeHash root) throws Refused {
        if (open(root).isPresent()) {
            throw refused("the state does hold such a descriptor");
        }
    }

    public static StateProof fromJson(Json value, String what) throws Refused {
        Fields fields = Fields.of(value, what);
        String id = fields.string("id");
        List<Row> rows = fields.list("rows", MAX_ROWS, Row::fromJson);
        List<TreeHash> siblings = fields.list("siblings", HEIGHT, TreeHash::fromJson);
        return fields.build(() -> new StateProof(id, rows, siblings));
    }

    public Json toJson() {
        return new ObjWriter()
                .put("id", id)
                .putAll("rows", rows, Row::toJson)
                .putAll("siblings", siblings, TreeHash::toJson)
                .end();
    }

    private Refused refused(String problem) {
        return new Refused(Reason.STATE_MISMATCH, "state proof of " + Quoted.of(id) + ": " + problem);
    }
}
