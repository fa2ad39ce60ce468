package dev.ron.ledger.log;

import dev.ron.ledger.Reason;
import dev.ron.ledger.Refused;
import dev.ron.ledger.hash.B3;
import dev.ron.ledger.model.Approval;
import dev.ron.ledger.model.Approvals;
import dev.ron.ledger.model.Artifact;
import dev.ron.ledger.model.Body;
import dev.ron.ledger.model.ChangeSet;
import dev.ron.ledger.model.Entry;
import dev.ron.ledger.model.Kind;
import dev.ron.ledger.model.Proposal;
import dev.ron.ledger.model.SignerSet;
import dev.ron.ledger.note.Checkpoint;
import dev.ron.ledger.quorum.Ballot;
import dev.ron.ledger.state.State;
import dev.ron.ledger.tree.Tree;
import dev.ron.ledger.tree.TreeHash;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * A log at one version: head, signer set, state and tree; a value, so a batch can be tried on a copy and dropped.
 *
 * <p>That a proposal is committed at most once is the caller's to check: only the caller has the index of all proposals.
 */
public final class Ledger {
    private static final Comparator<Approval> FULLEST = Comparator.comparingInt(
                    (Approval approval) -> -approval.signatures().size())
            .thenComparing(Approval::bytes, Arrays::compare);

    private final Body.Genesis genesis;
    private final Entry head;
    private final B3 headHash;
    private final SignerSet signers;
    private final State state;
    private final Tree tree;
    private final List<Long> rotations;

    private Ledger(Body.Genesis genesis, Entry head, SignerSet signers, State state, Tree tree, List<Long> rotations) {
        this.genesis = genesis;
        this.head = head;
        this.headHash = head.hash();
        this.signers = signers;
        this.state = state;
        this.tree = tree;
        this.rotations = rotations;
    }

    /** A commit and the ledger after it. */
    public record Commit(Artifact artifact, Ledger after) {}

    /** Builds version 1 from a genesis payload. */
    public static Artifact genesis(ChangeSet payload, long nowMs) throws Refused {
        if (!(payload.body() instanceof Body.Genesis genesis)) {
            throw new Refused(
                    Reason.MALFORMED, "payload of kind " + payload.kind().wire() + " (expected: genesis)");
        }
        byte[] bytes = payload.bytes();
        B3 hash = B3.of(bytes);
        State state = State.EMPTY.apply(genesis, 1);
        Entry entry = new Entry(
                genesis.origin(),
                1,
                B3.ZERO,
                payload.kind(),
                Proposal.id(hash, "genesis", "genesis"),
                hash,
                bytes.length,
                Approvals.NONE.hash(),
                0,
                1,
                state.root(),
                nowMs,
                0);
        return new Artifact(entry, payload, Approvals.NONE);
    }

    /** Opens a log at its first version; the caller pins {@link #headHash()} against what it trusts. */
    public static Ledger open(Artifact first) throws Refused {
        Entry entry = first.entry();
        try {
            Body.Genesis genesis = Governance.checkGenesis(first);
            State state = State.EMPTY.apply(genesis, 1);
            expectState(entry, state);
            return new Ledger(genesis, entry, genesis.signerSet(), state, Tree.EMPTY.append(entry.leaf()), List.of(1L));
        } catch (Refused e) {
            throw e.in(entry.toString());
        }
    }

    /** The vote on a proposal as it stands here and now. */
    public Ballot ballot(Proposal proposal, long atMs) {
        return Governance.ballot(
                genesis.origin(),
                proposal.proposalId(),
                proposal.payloadB3(),
                proposal.payload().body(),
                signers,
                atMs);
    }

    /**
     * Builds the next commit out of a proposal and approvals that were verified when they were admitted.
     *
     * <p>Approvals that no longer count (expired, revoked, rejecting) are left out; the rest must be a quorum.
     */
    public Commit commit(Proposal proposal, Collection<Approval> approvals, long nowMs, long epoch) throws Refused {
        long atMs = Math.max(nowMs, head.committedAtMs());
        if (proposal.expiresAtMs() < atMs) {
            throw new Refused(Reason.EXPIRED, "proposal expired at " + proposal.expiresAtMs() + " ms, it is " + atMs);
        }
        Body body = proposal.payload().body();
        Governance.checkBase(body, head.version(), headHash);
        SignerSet after = Governance.after(body, signers, head.version() + 1);
        Ballot ballot = ballot(proposal, atMs);
        Approvals counted = oneEach(approvals.stream()
                .filter(approval -> approval.approves() && ballot.counts(approval))
                .toList());
        ballot.tally(counted.list()).mustBeSatisfied();
        State changed = state.apply(body, head.version() + 1);
        Entry entry = new Entry(
                genesis.origin(),
                head.version() + 1,
                headHash,
                body.kind(),
                proposal.proposalId(),
                proposal.payloadB3(),
                proposal.payloadLen(),
                counted.hash(),
                counted.size(),
                after.setVersion(),
                changed.root(),
                atMs,
                Math.max(epoch, head.epoch()));
        return new Commit(new Artifact(entry, proposal.payload(), counted), advance(entry, body, after, changed));
    }

    /** Takes a commit made elsewhere or read back, and refuses it unless every rule holds. */
    public Ledger accept(Artifact artifact, Rigor rigor) throws Refused {
        Entry entry = artifact.entry();
        entry.mustFollow(head);
        try {
            Body body = artifact.payload().body();
            SignerSet after = Governance.check(artifact, signers, rigor);
            State changed = state.apply(body, entry.version());
            expectState(entry, changed);
            return advance(entry, body, after, changed);
        } catch (Refused e) {
            throw e.in(entry.toString());
        }
    }

    /**
     * Goes on past a commit whose payload is not at hand any more; a rotation's always is.
     *
     * <p>The state is unknown from here on, until {@link #withState} brings one that an entry vouches for.
     */
    public Ledger follow(Entry entry) throws Refused {
        entry.mustFollow(head);
        if (entry.kind() == Kind.SIGNER_SET || entry.signerSetVersion() != signers.setVersion()) {
            throw new Refused(Reason.INCOMPLETE, entry + ": a rotation cannot be followed without its payload");
        }
        return new Ledger(genesis, entry, signers, State.EMPTY, tree.append(entry.leaf()), rotations);
    }

    /** The same, and refuses it unless the votes that it was committed with hold: they are kept when its payload is not. */
    public Ledger follow(Entry entry, Approvals approvals, Rigor rigor) throws Refused {
        Ledger after = follow(entry);
        try {
            Governance.check(entry, approvals, signers, rigor);
            return after;
        } catch (Refused e) {
            throw e.in(entry.toString());
        }
    }

    /** Goes on past a commit that is at hand while the state is unknown. */
    public Ledger follow(Artifact artifact, Rigor rigor) throws Refused {
        Entry entry = artifact.entry();
        entry.mustFollow(head);
        try {
            SignerSet after = Governance.check(artifact, signers, rigor);
            return advance(entry, artifact.payload().body(), after, State.EMPTY);
        } catch (Refused e) {
            throw e.in(entry.toString());
        }
    }

    /** The same log with the state that its head vouches for. */
    public Ledger withState(State known) throws Refused {
        expectState(head, known);
        return new Ledger(genesis, head, signers, known, tree, rotations);
    }

    private Ledger advance(Entry entry, Body body, SignerSet after, State changed) {
        List<Long> rotated = rotations;
        if (body instanceof Body.Rotate) {
            rotated = new ArrayList<>(rotations);
            rotated.add(entry.version());
        }
        return new Ledger(genesis, entry, after, changed, tree.append(entry.leaf()), List.copyOf(rotated));
    }

    // Of several by one signer the fullest, then the smallest text: the entry does not depend on arrival order.
    private static Approvals oneEach(List<Approval> approvals) {
        TreeMap<String, Approval> bySigner = new TreeMap<>();
        approvals.forEach(approval ->
                bySigner.merge(approval.signerId(), approval, (a, b) -> FULLEST.compare(a, b) <= 0 ? a : b));
        return Approvals.sorted(bySigner.values());
    }

    private static void expectState(Entry entry, State state) throws Refused {
        TreeHash root = state.root();
        if (!root.equals(entry.stateRoot())) {
            throw new Refused(Reason.STATE_MISMATCH, "state_root " + entry.stateRoot() + " (expected: " + root + ")");
        }
    }

    public Body.Genesis genesis() {
        return genesis;
    }

    public Entry head() {
        return head;
    }

    public B3 headHash() {
        return headHash;
    }

    public SignerSet signers() {
        return signers;
    }

    public State state() {
        return state;
    }

    public Tree tree() {
        return tree;
    }

    /** The versions that set the signer set, genesis first: what an offline reader needs to judge the latest. */
    public List<Long> rotations() {
        return rotations;
    }

    /** The versions a bundle about {@code version} carries: genesis, the rotations up to it, itself last. */
    public List<Long> stepsOf(long version) {
        Objects.checkIndex(version - 1, head.version());
        return Stream.concat(rotations.stream().filter(rotation -> rotation < version), Stream.of(version))
                .toList();
    }

    /** What the log key signs once this version is durable, and never before. */
    public Checkpoint checkpoint() {
        return new Checkpoint(genesis.origin(), tree.size(), tree.root());
    }
}
