package dev.ron.ledger.log;

import dev.ron.ledger.Reason;
import dev.ron.ledger.Refused;
import dev.ron.ledger.hash.B3;
import dev.ron.ledger.model.Approval;
import dev.ron.ledger.model.Approvals;
import dev.ron.ledger.model.Artifact;
import dev.ron.ledger.model.Base;
import dev.ron.ledger.model.Body;
import dev.ron.ledger.model.Entry;
import dev.ron.ledger.model.SignerSet;
import dev.ron.ledger.quorum.Ballot;
import dev.ron.ledger.quorum.Rotation;
import java.util.List;
import java.util.Optional;

/** Whether a commit was allowed, judged from its own bytes and the signer set in force before it. */
public final class Governance {
    private Governance() {}

    /** Checks the first commit: nobody approves it, its authority is the hash a reader pins. */
    public static Body.Genesis checkGenesis(Artifact artifact) throws Refused {
        artifact.mustBeWhole();
        Entry entry = artifact.entry();
        if (!(artifact.payload().body() instanceof Body.Genesis genesis)) {
            throw new Refused(Reason.CHAIN_MISMATCH, "not a genesis");
        }
        B3.ZERO.expect(entry.prevHash(), Reason.CHAIN_MISMATCH, "prev_hash");
        if (!entry.origin().equals(genesis.origin())
                || entry.signerSetVersion() != 1
                || !artifact.approvals().equals(Approvals.NONE)) {
            throw new Refused(Reason.CHAIN_MISMATCH, "entry and genesis payload disagree, or genesis has approvals");
        }
        return genesis;
    }

    /** Checks a later commit and returns the signer set in force after it. */
    public static SignerSet check(Artifact artifact, SignerSet before, Rigor rigor) throws Refused {
        artifact.mustBeWhole();
        Entry entry = artifact.entry();
        Body body = artifact.payload().body();
        checkBase(body, entry.version() - 1, entry.prevHash());
        SignerSet after = after(body, before, entry.version());
        if (entry.signerSetVersion() != after.setVersion()) {
            throw new Refused(
                    Reason.VERSION_SKEW,
                    "made under signer set " + entry.signerSetVersion() + ", but set " + after.setVersion()
                            + " is in force; a rotation is missing or was ignored");
        }
        checkVotes(
                ballot(entry.origin(), entry.proposalId(), entry.payloadB3(), body, before, entry.committedAtMs()),
                artifact.approvals().list(),
                rigor);
        return after;
    }

    /** Checks the votes on a commit whose payload is not at hand; they are kept when it is not. */
    static void check(Entry entry, Approvals approvals, SignerSet before, Rigor rigor) throws Refused {
        approvals.mustBeOf(entry);
        checkVotes(
                new Ballot(
                        entry.origin(),
                        entry.proposalId(),
                        entry.payloadB3(),
                        entry.kind(),
                        before,
                        Optional.empty(),
                        entry.committedAtMs()),
                approvals.list(),
                rigor);
    }

    private static void checkVotes(Ballot ballot, List<Approval> approvals, Rigor rigor) throws Refused {
        for (int i = 0; i < approvals.size(); i++) {
            try {
                checkApproval(ballot, approvals.get(i), rigor);
            } catch (Refused e) {
                throw e.in("approval " + (i + 1) + " of " + approvals.size());
            }
        }
        ballot.tally(approvals).mustBeSatisfied();
    }

    static Ballot ballot(String origin, String proposalId, B3 payloadB3, Body body, SignerSet current, long atMs) {
        Optional<SignerSet> incoming =
                body instanceof Body.Rotate rotate ? Optional.of(rotate.signerSet()) : Optional.empty();
        return new Ballot(origin, proposalId, payloadB3, body.kind(), current, incoming, atMs);
    }

    /** A change bound to a head must find exactly that head. */
    static void checkBase(Body body, long version, B3 hash) throws Refused {
        Optional<Base> base = body.base();
        if (base.isPresent() && !base.get().equals(new Base(version, hash))) {
            throw new Refused(
                    Reason.CHAIN_MISMATCH,
                    "written against version " + base.get().version() + " "
                            + base.get().hash() + ", the head is version " + version + " " + hash);
        }
    }

    static SignerSet after(Body body, SignerSet before, long version) throws Refused {
        return switch (body) {
            case Body.Rotate rotate -> {
                Rotation.check(before, rotate.signerSet(), version);
                yield rotate.signerSet();
            }
            case Body.Genesis _ -> throw new Refused(Reason.CHAIN_MISMATCH, "a second genesis");
            case Body.Change _, Body.ReplaceAll _, Body.Supersede _ -> before;
        };
    }

    private static void checkApproval(Ballot ballot, Approval approval, Rigor rigor) throws Refused {
        if (!approval.approves()) {
            throw new Refused(Reason.QUORUM_FAILED, "signer " + approval.signerId() + " rejects");
        }
        switch (rigor) {
            case SIGNATURES -> ballot.verify(approval);
            case HASHES -> ballot.check(approval);
        }
    }
}
