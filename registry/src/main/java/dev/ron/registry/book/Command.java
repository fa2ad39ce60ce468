package dev.ron.registry.book;

import dev.ron.ledger.hash.B3;
import dev.ron.ledger.model.AuditRecord;
import dev.ron.ledger.model.Proposal;
import java.util.Optional;

/** What the committer is asked to do. */
public sealed interface Command {

    record Propose(Proposal proposal) implements Command {}

    record Approve(String proposalId, Admitted vote) implements Command {}

    /** @param ifMatch the head the caller has seen, where the caller wants that checked */
    record Commit(String proposalId, Optional<B3> ifMatch) implements Command {}

    record Withdraw(String proposalId) implements Command {}

    /** Stops every change until thawed; operators may do that, and nothing else. */
    record Freeze(String reason) implements Command {}

    record Thaw(String reason) implements Command {}

    /** Payloads before this version may be gone. */
    record Pruned(long minimumVersion, String what) implements Command {}

    /** Puts a line into the audit chain. */
    record Note(AuditRecord.Action action, String subject, String result) implements Command {}
}
