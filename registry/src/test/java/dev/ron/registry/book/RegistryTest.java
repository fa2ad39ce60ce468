package dev.ron.registry.book;

import static dev.ron.registry.book.Signers.cast;
import static dev.ron.registry.book.Signers.take;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ron.kernel.error.RonException;
import dev.ron.ledger.hash.B3;
import dev.ron.ledger.json.Json;
import dev.ron.ledger.json.ObjWriter;
import dev.ron.ledger.model.Approval;
import dev.ron.ledger.model.Body;
import dev.ron.ledger.model.ChangeSet;
import dev.ron.ledger.model.Draft;
import dev.ron.ledger.model.Op;
import dev.ron.ledger.model.Proposal;
import dev.ron.ledger.model.Statement;
import dev.ron.registry.disk.FaultyDisk;
import dev.ron.registry.keys.SignerKey;
import dev.ron.registry.store.MemoryStore;
import dev.ron.registry.store.SegmentStore;
import java.io.IOException;
import java.security.SecureRandom;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Propose, approve, commit: who may, what repeats answer, what is refused. */
class RegistryTest {
    private final Signers council = new Signers(2, 3);
    private Registry registry;

    @BeforeEach
    void create() throws IOException {
        registry = council.create(new MemoryStore());
    }

    private static void refused(String reason, ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        RonException.class, e -> assertThat(e.reason()).isEqualTo(reason));
    }

    private Command.Approve approve(int member, Proposal proposal) {
        return cast(registry, proposal, council.approve(member, proposal, 1));
    }

    private static Command.Commit commit(Proposal proposal) {
        return new Command.Commit(proposal.proposalId(), Optional.empty());
    }

    @Test
    void nothingIsCommittedWithoutItsQuorum() throws IOException {
        Proposal proposal = council.put("svc.a", 0, "http://a");
        take(registry, new Command.Propose(proposal));
        refused("quorum_failed", () -> take(registry, commit(proposal)));
        take(registry, approve(0, proposal));
        refused("quorum_failed", () -> take(registry, commit(proposal)));
        Answer.Approved second = (Answer.Approved) take(registry, approve(2, proposal));
        assertThat(second.tally().satisfied()).isTrue();
        Answer.Committed done = (Answer.Committed) take(registry, commit(proposal));
        assertThat(done.entry().version()).isEqualTo(2);
        assertThat(registry.view().ledger().state().get("svc.a")).isPresent();
    }

    @Test
    void everyRepeatGetsTheSameAnswer() throws IOException {
        Proposal proposal = council.put("svc.a", 0, "http://a");
        assertThat(((Answer.Proposed) take(registry, new Command.Propose(proposal))).repeated())
                .isFalse();
        assertThat(((Answer.Proposed) take(registry, new Command.Propose(proposal))).repeated())
                .isTrue();
        take(registry, approve(0, proposal));
        assertThat(((Answer.Approved) take(registry, approve(0, proposal))).repeated())
                .isTrue();
        take(registry, approve(1, proposal));
        Answer.Committed first = (Answer.Committed) take(registry, commit(proposal));
        Answer.Committed again = (Answer.Committed) take(registry, commit(proposal));
        assertThat(again.repeated()).isTrue();
        assertThat(again.entry()).isEqualTo(first.entry());
        assertThat(((Answer.Proposed) take(registry, new Command.Propose(proposal))).standing())
                .isEqualTo(Standing.COMMITTED);
        assertThat(registry.view().version()).isEqualTo(2);
    }

    @Test
    void anOldCommitIsStillAnsweredWhenItLeftMemory() throws IOException {
        Proposal old = council.put("svc.old", 0, "http://old");
        council.commit(registry, old);
        registry.reopen();
        Answer.Committed again = (Answer.Committed) take(registry, commit(old));
        assertThat(again.repeated()).isTrue();
        assertThat(again.entry().version()).isEqualTo(2);
    }

    @Test
    void anUnrelatedCommitKeepsApprovalsAndARelatedOneVoidsThem() throws IOException {
        Proposal mine = council.put("svc.a", 0, "http://mine");
        take(registry, new Command.Propose(mine));
        take(registry, approve(0, mine));
        take(registry, approve(1, mine));
        council.commit(registry, council.put("svc.b", 0, "http://b"));
        assertThat(((Answer.Committed) take(registry, commit(mine))).entry().version())
                .isEqualTo(3);

        Proposal late = council.put("svc.b", 1, "http://late");
        take(registry, new Command.Propose(late));
        take(registry, approve(0, late));
        take(registry, approve(1, late));
        council.commit(registry, council.put("svc.b", 1, "http://first"));
        refused("stale_precondition", () -> take(registry, commit(late)));
        assertThat(registry.book().closed(late.proposalId()).orElseThrow().standing())
                .isEqualTo(Standing.STALE);
        refused("stale", () -> take(registry, commit(late)));
    }

    @Test
    void aSignerVotesOnceAndStrangersNever() throws IOException {
        Proposal proposal = council.put("svc.a", 0, "http://a");
        take(registry, new Command.Propose(proposal));
        take(registry, approve(0, proposal));
        Approval second = council.vote(0, proposal, 1, Statement.Decision.REJECT);
        refused("duplicate_approval", () -> take(registry, cast(registry, proposal, second)));
        Approval stranger = new Signers(1, 9).approve(7, proposal, 1);
        refused("unknown_signer", () -> take(registry, cast(registry, proposal, stranger)));
        Proposal other = council.put("svc.b", 0, "http://b");
        take(registry, new Command.Propose(other));
        refused(
                "foreign_approval",
                () -> take(
                        registry,
                        new Command.Approve(
                                other.proposalId(), approve(1, proposal).vote())));
    }

    @Test
    void aForgedApprovalNeverBecomesACommand() throws IOException {
        Proposal proposal = council.put("svc.a", 0, "http://a");
        take(registry, new Command.Propose(proposal));
        Approval forged = new Approval(
                council.approve(0, proposal, 1).statement(),
                council.approve(0, council.put("svc.b", 0, "http://b"), 1).signatures());
        refused("invalid_sig", () -> take(registry, cast(registry, proposal, forged)));
        refused("quorum_failed", () -> take(registry, commit(proposal)));
    }

    @Test
    void enoughRejectionsCloseAProposal() throws IOException {
        Proposal proposal = council.put("svc.a", 0, "http://a");
        take(registry, new Command.Propose(proposal));
        for (int member : new int[] {1, 2}) {
            take(registry, cast(registry, proposal, council.vote(member, proposal, 1, Statement.Decision.REJECT)));
        }
        refused("rejected", () -> take(registry, approve(0, proposal)));
    }

    @Test
    void aRotationTakesTheOldAndTheNewQuorumAndARevokedKeyNoLongerCounts() throws IOException {
        SignerKey added = SignerKey.generate("org:new#n", false, new SecureRandom());
        Proposal open = council.put("svc.a", 0, "http://a");
        take(registry, new Command.Propose(open));
        take(registry, approve(2, open));
        take(registry, approve(0, open));
        Body.Rotate rotate = council.replacing(registry, 2, added);
        assertThat(council.commit(registry, council.propose(rotate))).isEqualTo(2);
        assertThat(registry.view().ledger().signers().setVersion()).isEqualTo(2);
        refused("quorum_failed", () -> take(registry, commit(open)));
        Proposal next = council.put("svc.n", 0, "http://n");
        take(registry, new Command.Propose(next));
        refused("revoked_key", () -> take(registry, approve(2, next)));
    }

    @Test
    void aWrongBaseIsStaleAndAWrongHeadIsRefused() throws IOException {
        SignerKey added = SignerKey.generate("org:new#n", false, new SecureRandom());
        Proposal rotation = council.propose(council.replacing(registry, 2, added));
        take(registry, new Command.Propose(rotation));
        take(registry, approve(0, rotation));
        take(registry, approve(1, rotation));
        council.commit(registry, council.put("svc.b", 0, "http://b"));
        refused("chain_mismatch", () -> take(registry, commit(rotation)));

        Proposal proposal = council.put("svc.c", 0, "http://c");
        take(registry, new Command.Propose(proposal));
        take(registry, approve(0, proposal));
        take(registry, approve(1, proposal));
        refused(
                "precondition_failed",
                () -> take(registry, new Command.Commit(proposal.proposalId(), Optional.of(B3.ZERO))));
    }

    @Test
    void anOperatorCanFreezeAndNothingElse() throws IOException {
        take(registry, new Command.Freeze("incident"));
        refused("frozen", () -> take(registry, new Command.Propose(council.put("svc.a", 0, "http://a"))));
        assertThat(registry.view().frozen()).contains("incident");
        take(registry, new Command.Thaw("over"));
        assertThat(council.commit(registry, council.put("svc.a", 0, "http://a")))
                .isEqualTo(2);
    }

    @Test
    void whatHasWaitedTooLongExpires() throws IOException {
        Proposal proposal = council.put("svc.a", 0, "http://a");
        take(registry, new Command.Propose(proposal));
        Turn late = registry.begin(Signers.NOW + 100 * Signers.HOUR);
        late.expire();
        registry.write(late);
        assertThat(registry.book().closed(proposal.proposalId()).orElseThrow().standing())
                .isEqualTo(Standing.EXPIRED);
        refused("expired", () -> take(registry, approve(0, proposal)));
    }

    @Test
    void proposalsOfOneProposerAreBounded() throws IOException {
        Registry small = council.create(new MemoryStore(), new Limits(100, 3, 1 << 20));
        for (int i = 0; i < 3; i++) {
            take(small, new Command.Propose(council.put("svc." + i, 0, "http://a")));
        }
        refused("quota", () -> take(small, new Command.Propose(council.put("svc.more", 0, "http://a"))));
    }

    /** Three bytes of text for each empty object, which takes a hundred in memory. */
    private static Proposal hollow(String proposer, String nonce, int objects) {
        Json.Arr list = new Json.Arr(Collections.nCopies(objects, new Json.Obj(new TreeMap<>())));
        Draft draft = Draft.of("service", new ObjWriter().put("a", list).end());
        return Proposal.of(
                ChangeSet.of(new Body.Change(List.of(new Op.Put("svc.hollow", 0, draft)))),
                proposer,
                nonce,
                Signers.NOW,
                Signers.NOW + Signers.HOUR);
    }

    @Test
    void aProposalIsChargedForWhatItTakesInMemory() throws IOException {
        Registry small = council.create(new MemoryStore(), new Limits(100, 100, 4 << 20));
        Proposal large = hollow("acme/ann", "large", 10_000);
        assertThat(large.payloadLen()).isLessThan(32 << 10);
        refused("quota", () -> take(small, new Command.Propose(large)));
        take(small, new Command.Propose(hollow("acme/ann", "less", 7_000)));
    }

    @Test
    void whoHasFilledItsShareLeavesRoomForOthersAlsoAfterARestart() throws IOException {
        Registry small = council.create(new MemoryStore(), new Limits(100, 100, 4 << 20));
        take(small, new Command.Propose(hollow("acme/ann", "1", 4_500)));
        Proposal second = hollow("acme/ann", "2", 4_500);
        refused("quota", () -> take(small, new Command.Propose(second)));
        small.reopen();
        refused("quota", () -> take(small, new Command.Propose(second)));
        take(small, new Command.Propose(hollow("acme/bob", "1", 4_500)));
        take(small, new Command.Withdraw(hollow("acme/ann", "1", 4_500).proposalId()));
        take(small, new Command.Propose(second));
    }

    @Test
    void votesInABatchAreNotTakenForMoreProposals() throws IOException {
        Registry small = council.create(new MemoryStore(), new Limits(100, 3, 4 << 20));
        List<Proposal> two = List.of(council.put("svc.1", 0, "http://a"), council.put("svc.2", 0, "http://a"));
        for (Proposal proposal : two) {
            take(small, new Command.Propose(proposal));
        }
        Turn votes = small.begin(Signers.NOW + 1);
        for (Proposal proposal : two) {
            votes.take(cast(small, proposal, council.approve(0, proposal, 1)), Signers.ANN);
        }
        votes.take(new Command.Propose(council.put("svc.3", 0, "http://a")), Signers.ANN);
        small.write(votes);
        assertThat(small.book().pending()).isEqualTo(3);
    }

    @Test
    void aBatchIsTriedInOrderOnWhatItWillBe() throws IOException {
        Turn turn = registry.begin(Signers.NOW + 1);
        Proposal first = council.put("svc.a", 0, "http://1");
        Proposal second = council.propose(new Body.Change(List.of(new Op.Put("svc.a", 1, Signers.draft("http://2")))));
        for (Proposal proposal : List.of(first, second)) {
            turn.take(new Command.Propose(proposal), Signers.ANN);
            turn.take(approve(0, proposal), Signers.ANN);
            turn.take(approve(1, proposal), Signers.ANN);
            turn.take(commit(proposal), Signers.ANN);
        }
        assertThat(registry.view().version())
                .as("nothing shows before it is durable")
                .isEqualTo(1);
        assertThat(registry.book().docket(first.proposalId())).isEmpty();
        registry.write(turn);
        assertThat(registry.view().version()).isEqualTo(3);
        assertThat(registry.artifact(3).orElseThrow().entry().proposalId()).isEqualTo(second.proposalId());
        assertThat(registry.audit(registry.view().auditSeq()).hash())
                .isEqualTo(registry.view().auditHash());
    }

    // more have expired than a batch has places for -> each sweep closes a part, until none is left
    @Test
    void howeverManyHaveExpiredTheyAreClosed() throws IOException {
        try (SegmentStore store = SegmentStore.open(new FaultyDisk(), 16 << 20)) {
            Registry many = council.create(store, new Limits(5000, 5000, 1L << 30));
            for (int i = 0; i < 5; i++) {
                Turn turn = many.begin(Signers.NOW);
                for (int j = 0; j < 900; j++) {
                    turn.take(new Command.Propose(council.put("svc.a", 0, "http://a")), Signers.ANN);
                }
                many.write(turn);
            }
            int sweeps = 0;
            while (many.book().pending() > 0 && sweeps < 100) {
                Turn turn = many.begin(Signers.NOW + 100 * Signers.HOUR);
                turn.expire();
                many.write(turn);
                sweeps++;
            }
            assertThat(many.book().pending()).isZero();
        }
    }

    @Test
    void aLongReasonIsCutBetweenCharacters() throws IOException {
        take(registry, new Command.Freeze("x".repeat(119) + "\uD83D\uDE00 and more"));
        assertThat(registry.audit(registry.view().auditSeq()).reason()).contains("x".repeat(119));
        registry.reopen();
        assertThat(registry.view().frozen()).contains("x".repeat(119));
    }
}
