package dev.ron.registry.book;

import dev.ron.ledger.model.Entry;
import dev.ron.ledger.quorum.Tally;

/** What the committer answers, once it is durable. */
public sealed interface Answer {

    /** @param repeated it was there already */
    record Proposed(String proposalId, Standing standing, boolean repeated) implements Answer {}

    record Approved(Tally tally, int approvals, boolean repeated) implements Answer {}

    record Committed(Entry entry, boolean repeated) implements Answer {}

    record Done(String what) implements Answer {}
}
