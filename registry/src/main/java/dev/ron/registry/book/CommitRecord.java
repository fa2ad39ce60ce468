package dev.ron.registry.book;

import dev.ron.ledger.Refused;
import dev.ron.ledger.json.CanonicalWriter;
import dev.ron.ledger.json.Fields;
import dev.ron.ledger.json.Json;
import dev.ron.ledger.json.StrictJson;
import dev.ron.ledger.model.Entry;
import dev.ron.registry.store.Ref;
import java.util.List;

/** A commit as it is logged: the entry, and where its proposal and the approvals it counts stand. */
record CommitRecord(Entry entry, Ref proposal, List<Ref> approvals) {
    private static final String TAG = "registry.commit/v1";
    private static final int MAX_APPROVALS = 256;

    CommitRecord {
        approvals = List.copyOf(approvals);
    }

    byte[] bytes() {
        return CanonicalWriter.object(
                out -> out.putAll("approvals", approvals, (items, ref) -> items.write(ref.packed()))
                        .putWritten("entry", entry.bytes())
                        .put("proposal", proposal.packed())
                        .put("t", TAG));
    }

    static CommitRecord read(byte[] bytes) throws Refused {
        Fields fields = Fields.of(StrictJson.HASHED.read(bytes, "commit record"), "commit record")
                .tag(TAG);
        Entry entry = fields.one("entry", Entry::fromJson);
        Ref proposal = Ref.unpack(fields.natural("proposal"));
        List<Ref> approvals = fields.list("approvals", MAX_APPROVALS, CommitRecord::ref);
        return fields.build(() -> new CommitRecord(entry, proposal, approvals));
    }

    private static Ref ref(Json value, String what) throws Refused {
        if (!(value instanceof Json.Int(long packed)) || packed < 0) {
            throw new Refused(dev.ron.ledger.Reason.MALFORMED, what + ": not a place in the log");
        }
        return Ref.unpack(packed);
    }
}
