package dev.ron.ledger.bundle;

import dev.ron.ledger.Refused;
import dev.ron.ledger.json.Fields;
import dev.ron.ledger.json.Json;
import dev.ron.ledger.json.ObjWriter;
import dev.ron.ledger.model.Approvals;
import dev.ron.ledger.model.Artifact;
import dev.ron.ledger.model.ChangeSet;
import dev.ron.ledger.model.Entry;
import dev.ron.ledger.tree.TreeHash;
import java.util.List;

/** One commit with its place in the tree of the bundle's checkpoint. */
public record Step(Artifact artifact, List<TreeHash> inclusion) {
    private static final int MAX_HASHES = 63;

    public Step {
        inclusion = List.copyOf(inclusion);
    }

    static Step fromJson(Json value, String what) throws Refused {
        Fields fields = Fields.of(value, what);
        Entry entry = fields.one("entry", Entry::fromJson);
        ChangeSet payload = fields.one("payload", ChangeSet::fromJson);
        Approvals approvals = fields.one("approvals", Approvals::fromJson);
        List<TreeHash> inclusion = fields.list("inclusion", MAX_HASHES, TreeHash::fromJson);
        return fields.build(() -> new Step(new Artifact(entry, payload, approvals), inclusion));
    }

    Json toJson() {
        return new ObjWriter()
                .put("entry", artifact.entry().toJson())
                .put("payload", artifact.payload().toJson())
                .put("approvals", artifact.approvals().toJson())
                .putAll("inclusion", inclusion, TreeHash::toJson)
                .end();
    }
}
