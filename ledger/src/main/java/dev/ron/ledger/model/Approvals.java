package dev.ron.ledger.model;

import dev.ron.ledger.Reason;
import dev.ron.ledger.Refused;
import dev.ron.ledger.hash.B3;
import dev.ron.ledger.json.CanonicalWriter;
import dev.ron.ledger.json.Fields;
import dev.ron.ledger.json.Json;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/** The approvals an entry was committed with: sorted by signer, one each, so that the same votes have one hash. */
public record Approvals(List<Approval> list) {
    public static final Approvals NONE = new Approvals(List.of());

    private static final String TAG = "registry.approvals/v1";
    private static final int MAX = 256;

    public Approvals {
        for (int i = 1; i < list.size(); i++) {
            if (list.get(i - 1).signerId().compareTo(list.get(i).signerId()) >= 0) {
                throw new IllegalArgumentException("approvals must be sorted by signer_id, each signer once");
            }
        }
        list = List.copyOf(list);
    }

    public static Approvals sorted(Collection<Approval> approvals) {
        return new Approvals(approvals.stream()
                .sorted(Comparator.comparing(Approval::signerId))
                .toList());
    }

    public int size() {
        return list.size();
    }

    public B3 hash() {
        return B3.of(CanonicalWriter.object(
                out -> out.putAll("approvals", list, (items, approval) -> items.written(approval.bytes()))
                        .put("t", TAG)));
    }

    /** Refuses unless these are the approvals that the entry names. */
    public void mustBeOf(Entry entry) throws Refused {
        if (size() != entry.approvalsN()) {
            throw new Refused(
                    Reason.APPROVALS_HASH_MISMATCH, size() + " approvals (expected: " + entry.approvalsN() + ")");
        }
        entry.approvalsB3().expect(hash(), Reason.APPROVALS_HASH_MISMATCH, "approvals hash");
    }

    public static Approvals fromJson(Json value, String what) throws Refused {
        List<Approval> list = Fields.items(value, MAX, what, Approval::fromJson);
        return Fields.checked(what, () -> new Approvals(list));
    }

    public Json toJson() {
        return new Json.Arr(
                list.stream().map(approval -> (Json) approval.toJson()).toList());
    }
}
