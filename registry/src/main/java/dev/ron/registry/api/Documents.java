package dev.ron.registry.api;

import dev.ron.ledger.json.CanonicalWriter;
import dev.ron.ledger.json.Json;
import dev.ron.ledger.json.ObjWriter;
import dev.ron.ledger.log.Ledger;
import dev.ron.ledger.model.Approval;
import dev.ron.ledger.model.Approvals;
import dev.ron.ledger.model.Entry;
import dev.ron.ledger.model.Proposal;
import dev.ron.registry.book.Docket;
import dev.ron.registry.book.Standing;
import java.time.Instant;
import java.util.Optional;

/** Things of the book as they are served. */
final class Documents {
    private Documents() {}

    static String at(long ms) {
        return Instant.ofEpochMilli(ms).toString();
    }

    /** A proposal without its payload. */
    static ObjWriter proposal(Proposal proposal, Standing standing) {
        return new ObjWriter()
                .put("proposal_id", proposal.proposalId())
                .put("payload_b3", proposal.payloadB3().toJson())
                .put("kind", proposal.payload().kind().wire())
                .put("proposer", proposal.proposer())
                .put("created_at", at(proposal.createdAtMs()))
                .put("expires_at", at(proposal.expiresAtMs()))
                .put("state", standing.wire())
                .putIf("note", proposal.payload().note(), Json.Str::new);
    }

    static ObjWriter open(Docket docket, Ledger ledger, long nowMs) {
        return proposal(docket.proposal(), docket.standing(ledger, nowMs))
                .put("quorum", docket.tally(ledger, nowMs).toJson())
                .putAll(
                        "signers",
                        docket.approvals().stream()
                                .filter(Approval::approves)
                                .map(Approval::signerId)
                                .toList(),
                        Json.Str::new);
    }

    static byte[] committed(Entry entry, boolean repeated) {
        return CanonicalWriter.object(out -> out.put("committed_at", at(entry.committedAtMs()))
                .put("entry_hash", entry.hash().text())
                .put("idempotent", repeated)
                .put("payload_b3", entry.payloadB3().text())
                .put("proposal_id", entry.proposalId())
                .put("state_root", entry.stateRoot().toString())
                .put("version", entry.version()));
    }

    static ObjWriter artifact(Entry entry, Optional<Json> payload, Approvals approvals) {
        return new ObjWriter()
                .put("schema_version", "1.0.0")
                .put("entry", entry.toJson())
                .put("entry_hash", entry.hash().toJson())
                .put("committed_at", at(entry.committedAtMs()))
                .putIf("payload", payload, value -> value)
                .put("approvals", approvals.toJson());
    }
}
