package dev.ron.ledger.quorum;

import dev.ron.ledger.Reason;
import dev.ron.ledger.Refused;
import dev.ron.ledger.hash.B3;
import dev.ron.ledger.json.Quoted;
import dev.ron.ledger.model.Approval;
import dev.ron.ledger.model.Kind;
import dev.ron.ledger.model.Signer;
import dev.ron.ledger.model.SignerSet;
import dev.ron.ledger.model.Statement;
import dev.ron.ledger.sign.VerifyKey;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The vote on one proposal at one moment: which approvals are valid, and whether they are enough.
 *
 * <p>A rotation is voted on by two electorates, the set in force and the incoming one: the first gives consent, the second
 * proves that its members hold their keys.
 */
public record Ballot(
        String origin,
        String proposalId,
        B3 payloadB3,
        Kind kind,
        SignerSet current,
        Optional<SignerSet> incoming,
        long atMs) {
    /** How far a signer's clock may run ahead. */
    public static final long MAX_SKEW_MS = 300_000;

    /** Checks everything but the signatures: cheap, and repeated at commit because sets and time move on. */
    public void check(Approval approval) throws Refused {
        Statement statement = approval.statement();
        bind("origin", statement.origin(), origin);
        bind("proposal_id", statement.proposalId(), proposalId);
        if (!statement.payloadB3().equals(payloadB3)) {
            throw new Refused(
                    Reason.PAYLOAD_HASH_MISMATCH,
                    "signed for payload " + statement.payloadB3() + " (expected: " + payloadB3 + ")");
        }
        checkWindow(statement);
        if (keysToVerify(approval).isEmpty()) {
            throw whyNot(approval);
        }
    }

    /** Checks everything; this is what admits an approval. */
    public void verify(Approval approval) throws Refused {
        check(approval);
        byte[] signed = approval.statement().signedBytes();
        List<VerifyKey> keys = keysToVerify(approval);
        for (Approval.KeySignature signature : approval.signatures()) {
            // Each signature present must hold: one that nobody checks would be bytes anyone may change.
            VerifyKey key = keys.stream()
                    .filter(candidate -> candidate.keyId().equals(signature.keyId()))
                    .findFirst()
                    .orElseThrow(() -> foreignKey(approval, signature.keyId()));
            if (key.algorithm() != signature.algo() || !key.verify(signed, signature.bytes())) {
                throw new Refused(
                        Reason.INVALID_SIG,
                        "signer " + approval.signerId() + ": the "
                                + signature.algo().wire() + " signature by key " + signature.keyId()
                                + " does not match");
            }
        }
    }

    /** Counts the approvals that pass {@link #check}; their signatures were verified when they were admitted. */
    public Tally tally(Collection<Approval> approvals) {
        // By signer: two approvals of one signer are one vote, in whatever order they come.
        TreeMap<String, List<Approval>> yes = new TreeMap<>();
        TreeMap<String, List<Approval>> no = new TreeMap<>();
        for (Approval approval : approvals) {
            if (counts(approval)) {
                (approval.approves() ? yes : no)
                        .computeIfAbsent(approval.signerId(), _ -> new ArrayList<>())
                        .add(approval);
            }
        }
        return new Tally(
                Count.of(current, current.threshold(kind), yes),
                incoming.map(set -> Count.of(set, set.m(), yes)),
                Count.of(current, current.m(), no).have());
    }

    /** True when the approval would count now. */
    public boolean counts(Approval approval) {
        try {
            check(approval);
            return true;
        } catch (Refused _) {
            return false;
        }
    }

    private void bind(String member, String actual, String expected) throws Refused {
        if (!actual.equals(expected)) {
            throw new Refused(
                    Reason.FOREIGN_APPROVAL,
                    "signed for " + member + " " + Quoted.of(actual) + " (expected: " + Quoted.of(expected) + ")");
        }
    }

    private void checkWindow(Statement statement) throws Refused {
        if (statement.expiresAtMs() < atMs) {
            throw new Refused(Reason.EXPIRED, "expired at " + statement.expiresAtMs() + " ms, it is " + atMs);
        }
        if (statement.signedAtMs() > atMs + MAX_SKEW_MS) {
            throw new Refused(Reason.CLOCK_SKEW, "signed at " + statement.signedAtMs() + " ms, it is only " + atMs);
        }
        // One rotation back is still good, so that votes survive it when their signer does.
        long set = statement.signerSetVersion();
        if (set > current.setVersion() || set < current.setVersion() - 1) {
            throw new Refused(
                    Reason.VERSION_SKEW,
                    "signed under signer set " + set + ", set " + current.setVersion() + " is in force");
        }
    }

    /** The keys of the signer in the sets where this approval stands; empty when it stands in none. */
    private List<VerifyKey> keysToVerify(Approval approval) {
        List<VerifyKey> keys = new ArrayList<>();
        Count.standing(current, approval).ifPresent(signer -> keys.addAll(signer.keys()));
        incoming.flatMap(set -> Count.standing(set, approval)).ifPresent(signer -> keys.addAll(signer.keys()));
        return keys;
    }

    private Refused whyNot(Approval approval) {
        String id = approval.signerId();
        Optional<Signer> found = current.signer(id).or(() -> incoming.flatMap(set -> set.signer(id)));
        if (found.isEmpty()) {
            return new Refused(Reason.UNKNOWN_SIGNER, "signer " + id + " is not in signer set " + current.setVersion());
        }
        Signer signer = found.get();
        if (!signer.isActive()) {
            return new Refused(
                    Reason.REVOKED_KEY,
                    "signer " + id + " was revoked at version "
                            + signer.revokedAtVersion().orElseThrow());
        }
        VerifyKey missing = signer.keys().stream()
                .filter(key -> !approval.hasSignatureOf(key.keyId()))
                .findFirst()
                .orElseThrow();
        return new Refused(
                missing.algorithm().postQuantum() ? Reason.PQ_REQUIRED : Reason.INVALID_SIG,
                "signer " + id + ": no signature by its key " + missing);
    }

    private static Refused foreignKey(Approval approval, B3 keyId) {
        return new Refused(Reason.INVALID_SIG, "signer " + approval.signerId() + " has no key " + keyId);
    }
}
