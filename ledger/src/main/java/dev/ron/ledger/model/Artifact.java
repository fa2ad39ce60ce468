package dev.ron.ledger.model;

import dev.ron.ledger.Reason;
import dev.ron.ledger.Refused;

/** A commit with everything it binds: the entry, the payload it hashes, the approvals it hashes. */
public record Artifact(Entry entry, ChangeSet payload, Approvals approvals) {
    /** Refuses unless payload and approvals are the ones the entry names. */
    public void mustBeWhole() throws Refused {
        byte[] bytes = payload.bytes();
        if (bytes.length != entry.payloadLen() || payload.kind() != entry.kind()) {
            throw new Refused(
                    Reason.PAYLOAD_HASH_MISMATCH,
                    "payload of kind " + payload.kind().wire() + " with " + bytes.length + " bytes (expected: "
                            + entry.kind().wire() + " with " + entry.payloadLen() + ")");
        }
        entry.payloadB3().expect(dev.ron.ledger.hash.B3.of(bytes), Reason.PAYLOAD_HASH_MISMATCH, "payload hash");
        approvals.mustBeOf(entry);
    }
}
