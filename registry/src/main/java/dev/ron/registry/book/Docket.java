package dev.ron.registry.book;

import dev.ron.ledger.json.Json;
import dev.ron.ledger.log.Ledger;
import dev.ron.ledger.model.Approval;
import dev.ron.ledger.model.Proposal;
import dev.ron.ledger.quorum.Tally;
import dev.ron.registry.store.Ref;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * An open proposal with the votes on it; a value.
 *
 * @param weight about what it takes in memory, in bytes
 */
public record Docket(Proposal proposal, Ref ref, int weight, SortedMap<String, Vote> votes) {
    // An empty object is two tokens and a hundred bytes, a name with a small value two and 112.
    private static final int TOKEN_BYTES = 64;

    /** An approval or rejection, and where it stands in the log. */
    public record Vote(Approval approval, Ref ref) {}

    public Docket {
        votes = Collections.unmodifiableSortedMap(votes);
    }

    static Docket of(Proposal proposal, Ref ref, int weight) {
        return new Docket(proposal, ref, weight, new TreeMap<>());
    }

    /** Of a proposal as it is logged, whose text has so many bytes. */
    static int weight(Json logged, int bytes) {
        return Math.max(bytes, TOKEN_BYTES * Json.tokens(logged));
    }

    Docket with(Vote vote) {
        SortedMap<String, Vote> more = new TreeMap<>(votes);
        more.put(vote.approval().signerId(), vote);
        return new Docket(proposal, ref, weight, more);
    }

    public String id() {
        return proposal.proposalId();
    }

    public List<Approval> approvals() {
        return votes.values().stream().map(Vote::approval).toList();
    }

    /** How the vote stands in this log at this moment; it may change with the signer set and with time. */
    public Tally tally(Ledger ledger, long nowMs) {
        return ledger.ballot(proposal, nowMs).tally(approvals());
    }

    public Standing standing(Ledger ledger, long nowMs) {
        return tally(ledger, nowMs).satisfied() ? Standing.APPROVED : Standing.PENDING;
    }

    /** The votes of these signers, in order. */
    Stream<Vote> votesOf(Collection<String> signers) {
        return votes.values().stream()
                .filter(vote -> signers.contains(vote.approval().signerId()));
    }
}
