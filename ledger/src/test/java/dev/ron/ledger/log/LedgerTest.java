package dev.ron.ledger.log;

import static dev.ron.ledger.Council.HOUR;
import static dev.ron.ledger.Council.NOW;
import static dev.ron.ledger.Refusals.refuses;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.ledger.Council;
import dev.ron.ledger.Reason;
import dev.ron.ledger.Refused;
import dev.ron.ledger.TestLog;
import dev.ron.ledger.hash.B3;
import dev.ron.ledger.model.Approval;
import dev.ron.ledger.model.Approvals;
import dev.ron.ledger.model.Artifact;
import dev.ron.ledger.model.Base;
import dev.ron.ledger.model.Body;
import dev.ron.ledger.model.Correction;
import dev.ron.ledger.model.Entry;
import dev.ron.ledger.model.Item;
import dev.ron.ledger.model.Op;
import dev.ron.ledger.model.Proposal;
import dev.ron.ledger.model.SignerSet;
import dev.ron.ledger.tree.NaiveTree;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

class LedgerTest {
    private static final Council COUNCIL = new Council(5, 3);

    @Example
    void genesisMayCarryDescriptorsAndNeedsNoApproval() throws Refused {
        TestLog log = new TestLog(COUNCIL.set(3), new Item("policy", Council.draft("p")));
        assertThat(log.ledger.head().version()).isEqualTo(1);
        assertThat(log.ledger.head().prevHash()).isEqualTo(B3.ZERO);
        assertThat(log.ledger.state().get("policy").orElseThrow().descriptor().rev())
                .isEqualTo(1);
        assertThat(log.ledger.rotations()).containsExactly(1L);
    }

    @Example
    void oneSignerIsAQuorumWhenGenesisSaysSo() throws Refused {
        Council alone = new Council(1, 1);
        TestLog log = new TestLog(alone.set(1));
        log.commit(put("a", 0), alone, 0);
        assertThat(log.ledger.head().version()).isEqualTo(2);
    }

    @Example
    void anUnrelatedCommitDoesNotVoidApprovals() throws Refused {
        TestLog log = new TestLog(COUNCIL.set(3));
        Proposal waiting = log.propose(put("a", 0));
        List<Approval> approvals = COUNCIL.approve(waiting, 1, 0, 1, 2);
        log.commit(put("b", 0), COUNCIL, 0, 1, 2);
        assertThat(log.commit(waiting, approvals).entry().version()).isEqualTo(3);
        Proposal stale = log.propose(put("b", 0));
        refuses(
                () -> log.commit(stale, COUNCIL.approve(stale, 1, 0, 1, 2)),
                Reason.STALE_PRECONDITION,
                "descriptor b is at revision 1 (expected: 0)");
    }

    @Example
    void fewerThanMNeverCommit() throws Refused {
        TestLog log = new TestLog(COUNCIL.set(3));
        Proposal proposal = log.propose(put("a", 0));
        List<Approval> two = new ArrayList<>(COUNCIL.approve(proposal, 1, 0, 1));
        refuses(() -> log.commit(proposal, two), Reason.QUORUM_FAILED, "2 of 3 approvals");
        two.addAll(COUNCIL.approve(proposal, 1, 0, 1, 0));
        refuses(() -> log.commit(proposal, two), Reason.QUORUM_FAILED, "2 of 3 approvals");
    }

    @Example
    void anExpiredProposalOrApprovalDoesNotCommit() throws Refused {
        TestLog log = new TestLog(COUNCIL.set(3));
        Proposal proposal = log.propose(put("a", 0));
        List<Approval> approvals = COUNCIL.approve(proposal, 1, 0, 1, 2);
        refuses(() -> log.ledger.commit(proposal, approvals, NOW + 2 * HOUR, 0), Reason.QUORUM_FAILED, "0 of 3");
        refuses(() -> log.ledger.commit(proposal, approvals, NOW + 73 * HOUR, 0), Reason.EXPIRED, "proposal expired");
    }

    @Example
    void strictBasesRefuseAMovedHead() throws Refused {
        TestLog log = new TestLog(COUNCIL.set(3));
        Base old = log.base();
        log.commit(put("a", 0), COUNCIL, 0, 1, 2);
        for (Body body : List.of(
                new Body.ReplaceAll(old, List.of()),
                new Body.Rotate(old, next(log, COUNCIL.signers().toArray(dev.ron.ledger.model.Signer[]::new))),
                new Body.Supersede(old, correction(1), List.of(new Op.Remove("a", 1))))) {
            Proposal proposal = log.propose(body);
            refuses(
                    () -> log.commit(proposal, COUNCIL.approve(proposal, 1, 0, 1, 2, 3)),
                    Reason.CHAIN_MISMATCH,
                    "written against version 1",
                    "the head is version 2");
        }
    }

    @Example
    void supersedeNeedsItsOwnThreshold() throws Refused {
        TestLog log = new TestLog(COUNCIL.set(3));
        log.commit(put("a", 0), COUNCIL, 0, 1, 2);
        Proposal proposal = log.propose(new Body.Supersede(log.base(), correction(2), List.of(new Op.Remove("a", 1))));
        refuses(() -> log.commit(proposal, COUNCIL.approve(proposal, 1, 0, 1, 2)), Reason.QUORUM_FAILED, "3 of 4");
        log.commit(proposal, COUNCIL.approve(proposal, 1, 0, 1, 2, 3));
        assertThat(log.ledger.state().get("a").orElseThrow().descriptor().isLive())
                .isFalse();
    }

    @Example
    void rotationTakesEffectAtItsOwnVersionAndRevocationAtOnce() throws Refused {
        TestLog log = new TestLog(COUNCIL.set(3));
        Proposal open = log.propose(put("a", 0));
        List<Approval> early = COUNCIL.approve(open, 1, 0, 1, 2);
        SignerSet next = next(
                log,
                COUNCIL.signer(0).revokedAt(2),
                COUNCIL.signer(1),
                COUNCIL.signer(2),
                COUNCIL.signer(3),
                COUNCIL.signer(4));
        log.commit(new Body.Rotate(log.base(), next), COUNCIL, 1, 2, 3);
        assertThat(log.ledger.signers().setVersion()).isEqualTo(2);
        assertThat(log.ledger.head().signerSetVersion()).isEqualTo(2);
        assertThat(log.ledger.rotations()).containsExactly(1L, 2L);
        // The vote of the revoked member is gone; those of the others survive one rotation.
        refuses(() -> log.commit(open, early), Reason.QUORUM_FAILED, "signer set 2: 2 of 3 approvals");
        List<Approval> more = new ArrayList<>(early);
        more.add(COUNCIL.approve(3, open, 2));
        Artifact commit = log.commit(open, more);
        assertThat(commit.approvals().list())
                .extracting(Approval::signerId)
                .doesNotContain(COUNCIL.signer(0).signerId());
    }

    @Example
    void aRotationThatForgetsTheRevokedDoesNotCommit() throws Refused {
        TestLog log = new TestLog(COUNCIL.set(3));
        log.commit(new Body.Rotate(log.base(), revoking(log, 0)), COUNCIL, 1, 2, 3);
        SignerSet forgetting = next(log, COUNCIL.signers().toArray(dev.ron.ledger.model.Signer[]::new));
        Proposal proposal = log.propose(new Body.Rotate(log.base(), forgetting));
        List<Approval> approvals = COUNCIL.approve(proposal, 2, 1, 2, 3);
        refuses(() -> log.commit(proposal, approvals), Reason.BAD_SIGNER_SET, "must stay listed");
    }

    @Example
    void aReplayBySomeoneElseReachesTheSameHead() throws Refused {
        TestLog log = history();
        for (Rigor rigor : Rigor.values()) {
            Ledger replay = Ledger.open(log.artifacts.getFirst());
            for (Artifact artifact : log.artifacts.subList(1, log.artifacts.size())) {
                replay = replay.accept(artifact, rigor);
            }
            assertThat(replay.headHash()).isEqualTo(log.ledger.headHash());
            assertThat(replay.checkpoint()).isEqualTo(log.ledger.checkpoint());
            assertThat(replay.state().root()).isEqualTo(log.ledger.state().root());
            assertThat(replay.rotations()).isEqualTo(log.ledger.rotations());
        }
        assertThat(log.ledger.tree().root())
                .isEqualTo(NaiveTree.root(
                        log.artifacts.stream().map(a -> a.entry().leaf()).toList()));
    }

    @Example
    void acceptingRefusesEachKindOfForgery() throws Refused {
        TestLog log = new TestLog(COUNCIL.set(3));
        Ledger before = log.ledger;
        Artifact good = log.commit(put("a", 0), COUNCIL, 0, 1, 2);
        Entry e = good.entry();
        before.accept(good, Rigor.SIGNATURES);

        refuseEntry(
                before,
                good,
                with(e, 3, e.prevHash(), e.stateRoot(), e.committedAtMs(), 1),
                Reason.CHAIN_MISMATCH,
                "does not follow entry 1");
        refuseEntry(
                before,
                good,
                with(e, 2, B3.ZERO, e.stateRoot(), e.committedAtMs(), 1),
                Reason.CHAIN_MISMATCH,
                "entry 2: prev_hash");
        refuseEntry(
                before,
                good,
                with(e, 2, e.prevHash(), e.leaf(), e.committedAtMs(), 1),
                Reason.STATE_MISMATCH,
                "entry 2: state_root");
        refuseEntry(
                before, good, with(e, 2, e.prevHash(), e.stateRoot(), NOW - 1, 1), Reason.CHAIN_MISMATCH, "runs back");
        refuseEntry(
                before,
                good,
                with(e, 2, e.prevHash(), e.stateRoot(), NOW + 2 * HOUR, 1),
                Reason.EXPIRED,
                "approval 1 of 3");
        refuseEntry(
                before,
                good,
                with(e, 2, e.prevHash(), e.stateRoot(), e.committedAtMs(), 2),
                Reason.VERSION_SKEW,
                "a rotation is missing");
        refuses(
                () -> before.accept(
                        new Artifact(e, log.propose(put("b", 0)).payload(), good.approvals()), Rigor.HASHES),
                Reason.PAYLOAD_HASH_MISMATCH,
                "entry 2: payload hash");
        Approvals fewer = new Approvals(good.approvals().list().subList(0, 2));
        refuses(
                () -> before.accept(new Artifact(e, good.payload(), fewer), Rigor.HASHES),
                Reason.APPROVALS_HASH_MISMATCH,
                "2 approvals (expected: 3)");
        refuses(
                () -> before.accept(rebind(good, fewer), Rigor.HASHES),
                Reason.QUORUM_FAILED,
                "entry 2: quorum: signer set 1: 2 of 3 approvals");
        Approval forged = Approval.sign(good.approvals().list().get(1).statement(), COUNCIL.key(4));
        List<Approval> swapped = new ArrayList<>(good.approvals().list());
        swapped.set(1, forged);
        refuses(
                () -> before.accept(rebind(good, new Approvals(swapped)), Rigor.SIGNATURES),
                Reason.INVALID_SIG,
                "entry 2: approval 2 of 3: signer " + forged.signerId());
    }

    /** Random votes and rotations: whatever was committed is accepted, and had a quorum of keys active at its version. */
    @Property(tries = 25)
    void noEntryEverCountsAnInactiveKey(@ForAll @Size(min = 3, max = 12) List<@IntRange(max = 9999) Integer> choices)
            throws Refused {
        TestLog log = new TestLog(COUNCIL.set(2));
        Ledger mirror = log.ledger;
        for (int choice : choices) {
            SignerSet set = log.ledger.signers();
            int revoke = choice % 5;
            boolean rotate = choice % 4 == 0
                    && set.n() > 3
                    && set.signer(COUNCIL.signer(revoke).signerId())
                            .orElseThrow()
                            .isActive();
            Body body = rotate ? new Body.Rotate(log.base(), revoking(log, revoke)) : put("svc." + choice, 0);
            int[] voters = {choice % 5, (choice / 5) % 5, (choice / 25) % 5};
            Proposal proposal = log.propose(body);
            try {
                Artifact committed = log.commit(proposal, COUNCIL.approve(proposal, set.setVersion(), voters));
                for (Approval approval : committed.approvals().list()) {
                    assertThat(set.signer(approval.signerId()).orElseThrow().isActive())
                            .isTrue();
                }
                assertThat(committed.approvals().size()).isGreaterThanOrEqualTo(2);
                mirror = mirror.accept(committed, Rigor.SIGNATURES);
                assertThat(mirror.headHash()).isEqualTo(log.ledger.headHash());
            } catch (Refused refused) {
                assertThat(refused.reason()).isIn(Reason.QUORUM_FAILED, Reason.STALE_PRECONDITION);
            }
        }
    }

    private static TestLog history() throws Refused {
        TestLog log = new TestLog(COUNCIL.set(3), new Item("policy", Council.draft("p")));
        log.commit(put("a", 0), COUNCIL, 0, 1, 2);
        log.commit(put("b", 0), COUNCIL, 2, 3, 4);
        log.commit(new Body.Rotate(log.base(), revoking(log, 0)), COUNCIL, 1, 2, 3);
        log.commit(new Body.ReplaceAll(log.base(), List.of(new Item("c", Council.draft("c")))), COUNCIL, 1, 2, 3);
        log.commit(
                new Body.Supersede(log.base(), correction(5), List.of(new Op.Deprecate("c", 1))), COUNCIL, 1, 2, 3, 4);
        return log;
    }

    private static Body put(String id, long expectRev) {
        return new Body.Change(List.of(new Op.Put(id, expectRev, Council.draft(id))));
    }

    private static Correction correction(long of) {
        return new Correction(of, Correction.Cause.DATA_ERROR, "wrong");
    }

    private static SignerSet revoking(TestLog log, int member) {
        return next(
                log,
                log.ledger.signers().signers().stream()
                        .map(signer ->
                                signer.signerId().equals(COUNCIL.signer(member).signerId())
                                        ? signer.revokedAt(log.ledger.head().version() + 1)
                                        : signer)
                        .toArray(dev.ron.ledger.model.Signer[]::new));
    }

    private static SignerSet next(TestLog log, dev.ron.ledger.model.Signer... signers) {
        SignerSet now = log.ledger.signers();
        return new SignerSet(
                now.setVersion() + 1,
                now.m(),
                0,
                1,
                72,
                false,
                new SignerSet.Thresholds(now.m(), now.m(), now.m()),
                List.of(signers));
    }

    private static void refuseEntry(Ledger before, Artifact good, Entry forged, Reason reason, String part) {
        refuses(
                () -> before.accept(new Artifact(forged, good.payload(), good.approvals()), Rigor.SIGNATURES),
                reason,
                part);
    }

    private static Artifact rebind(Artifact artifact, Approvals approvals) {
        Entry e = artifact.entry();
        Entry entry = new Entry(
                e.origin(),
                e.version(),
                e.prevHash(),
                e.kind(),
                e.proposalId(),
                e.payloadB3(),
                e.payloadLen(),
                approvals.hash(),
                approvals.size(),
                e.signerSetVersion(),
                e.stateRoot(),
                e.committedAtMs(),
                e.epoch());
        return new Artifact(entry, artifact.payload(), approvals);
    }

    private static Entry with(
            Entry e, long version, B3 prev, dev.ron.ledger.tree.TreeHash stateRoot, long at, long signerSetVersion) {
        return new Entry(
                e.origin(),
                version,
                prev,
                e.kind(),
                e.proposalId(),
                e.payloadB3(),
                e.payloadLen(),
                e.approvalsB3(),
                e.approvalsN(),
                signerSetVersion,
                stateRoot,
                at,
                e.epoch());
    }
}
