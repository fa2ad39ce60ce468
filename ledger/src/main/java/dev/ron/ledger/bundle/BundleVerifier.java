package dev.ron.ledger.bundle;

import dev.ron.ledger.Reason;
import dev.ron.ledger.Refused;
import dev.ron.ledger.hash.B3;
import dev.ron.ledger.json.Quoted;
import dev.ron.ledger.log.Governance;
import dev.ron.ledger.log.Rigor;
import dev.ron.ledger.model.Artifact;
import dev.ron.ledger.model.Body;
import dev.ron.ledger.model.Descriptor;
import dev.ron.ledger.model.Entry;
import dev.ron.ledger.model.SignerSet;
import dev.ron.ledger.note.Checkpoint;
import dev.ron.ledger.note.NoteKey;
import dev.ron.ledger.note.SignedNote;
import dev.ron.ledger.tree.InclusionProof;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Checks a bundle, outside in: form, genesis, checkpoint, then each commit's place, payload, approvals and quorum, then the
 * values.
 *
 * <p>What it cannot see: entries that the bundle leaves out. That the log's writer recorded every rotation truthfully in
 * {@code signer_set_version} is for those who replay the whole log ({@link dev.ron.ledger.log.Ledger}) to check.
 */
public final class BundleVerifier {
    private final Trust trust;

    public BundleVerifier(Trust trust) {
        this.trust = trust;
    }

    public Verdict verify(byte[] bytes) {
        try {
            return check(Bundle.read(bytes));
        } catch (Refused e) {
            return new Verdict.Bad(e.reason(), e.detail());
        }
    }

    private Verdict check(Bundle bundle) throws Refused {
        if (bundle.steps().isEmpty()) {
            throw new Refused(Reason.INCOMPLETE, "bundle: no steps; the first must be the genesis");
        }
        Artifact first = bundle.steps().getFirst().artifact();
        Body.Genesis genesis = genesis(first);
        Checkpoint checkpoint = checkpoint(bundle.checkpoint(), genesis);
        SignerSet signers = genesis.signerSet();
        for (int i = 0; i < bundle.steps().size(); i++) {
            Step step = bundle.steps().get(i);
            Entry entry = step.artifact().entry();
            place(step, checkpoint);
            if (i > 0) {
                order(bundle.steps().get(i - 1).artifact().entry(), entry, genesis);
                signers = governed(step.artifact(), signers);
            }
        }
        return new Verdict.Ok(
                first.entry().hash(),
                checkpoint,
                bundle.steps().getLast().artifact(),
                signers,
                values(bundle),
                seenAt(bundle.checkpoint(), genesis));
    }

    private Body.Genesis genesis(Artifact first) throws Refused {
        Body.Genesis genesis;
        try {
            genesis = Governance.checkGenesis(first);
        } catch (Refused e) {
            throw e.in("genesis, " + first.entry());
        }
        B3 hash = first.entry().hash();
        if (trust.genesis().isPresent()) {
            trust.genesis().get().expect(hash, Reason.UNTRUSTED_GENESIS, "genesis: not the log you trust");
        }
        return genesis;
    }

    private List<NoteKey> keys(Body.Genesis genesis) {
        return trust.logKeys().isEmpty() ? genesis.logKeys() : trust.logKeys();
    }

    private Checkpoint checkpoint(SignedNote note, Body.Genesis genesis) throws Refused {
        List<NoteKey> known = keys(genesis);
        List<NoteKey> verified = note.verifiedBy(known);
        // Stricter than a note reader: a line nobody checks would be a place to change bytes unseen.
        if (note.signatures().size() != verified.size()) {
            throw new Refused(
                    Reason.NOTE_UNVERIFIED,
                    "checkpoint: " + note.signatures().size() + " signatures, only " + verified.size()
                            + " by different known keys");
        }
        if (verified.stream().noneMatch(key -> key.type() == NoteKey.Type.NOTE)) {
            throw new Refused(Reason.NOTE_UNVERIFIED, "checkpoint: cosigned, but not signed by the log itself");
        }
        return Checkpoint.open(note, genesis.origin(), known);
    }

    private static void place(Step step, Checkpoint checkpoint) throws Refused {
        Entry entry = step.artifact().entry();
        if (entry.version() > checkpoint.size()) {
            throw new Refused(Reason.LEAF_MISMATCH, entry + ": beyond the checkpoint of size " + checkpoint.size());
        }
        new InclusionProof(entry.leafIndex(), checkpoint.size(), step.inclusion())
                .verify(entry.leaf(), checkpoint.root(), entry.toString());
    }

    private static void order(Entry before, Entry entry, Body.Genesis genesis) throws Refused {
        if (entry.version() <= before.version()) {
            throw new Refused(Reason.CHAIN_MISMATCH, entry + ": listed after " + before);
        }
        if (entry.version() == before.version() + 1) {
            entry.mustFollow(before);
        }
        entry.mustNotRunBack(before);
        if (!entry.origin().equals(genesis.origin())) {
            throw new Refused(
                    Reason.CHAIN_MISMATCH,
                    entry + ": origin " + entry.origin() + " (expected: " + genesis.origin() + ")");
        }
    }

    private static SignerSet governed(Artifact artifact, SignerSet signers) throws Refused {
        try {
            return Governance.check(artifact, signers, Rigor.SIGNATURES);
        } catch (Refused e) {
            throw e.in(artifact.entry().toString());
        }
    }

    private static Map<String, Optional<Descriptor>> values(Bundle bundle) throws Refused {
        Entry subject = bundle.steps().getLast().artifact().entry();
        Map<String, Optional<Descriptor>> values = new HashMap<>();
        for (Value value : bundle.values()) {
            String id = value.proof().id();
            if (value.descriptor().isPresent()) {
                Descriptor descriptor = value.descriptor().get();
                if (!descriptor.id().equals(id)) {
                    throw new Refused(
                            Reason.STATE_MISMATCH, "value " + Quoted.of(id) + ": the descriptor is " + descriptor.id());
                }
                value.proof().proves(descriptor, subject.stateRoot());
                Approved.mustHave(bundle.steps(), descriptor);
            } else {
                value.proof().provesAbsence(subject.stateRoot());
            }
            if (values.put(id, value.descriptor()) != null) {
                throw new Refused(Reason.STATE_MISMATCH, "value " + Quoted.of(id) + " is given twice");
            }
        }
        return values;
    }

    // Every signature was verified above, so the time each carries is one a known key vouched for.
    private OptionalLong seenAt(SignedNote note, Body.Genesis genesis) {
        return keys(genesis).stream()
                .filter(key -> key.type() == NoteKey.Type.TIMESTAMPED)
                .flatMapToLong(key -> note.signaturesBy(key).flatMapToLong(signature -> signature.seconds().stream()))
                .max();
    }
}
