package dev.ron.ledger.model;

import dev.ron.ledger.Reason;
import dev.ron.ledger.Refused;
import dev.ron.ledger.hash.B3;
import dev.ron.ledger.json.Fields;
import dev.ron.ledger.json.Json;
import dev.ron.ledger.json.ObjWriter;
import java.util.Locale;
import org.apache.commons.codec.binary.Base32;

/** A change set put up for approval; the id is derived, so proposing the same thing twice is proposing it once. */
public record Proposal(
        String proposalId,
        ChangeSet payload,
        B3 payloadB3,
        int payloadLen,
        String proposer,
        String nonce,
        long createdAtMs,
        long expiresAtMs) {
    private static final String TAG = "registry.proposal/v1";

    public Proposal {
        Grammar.PROPOSAL.require(proposalId);
        Grammar.PRINCIPAL.require(proposer);
        Grammar.NONCE.require(nonce);
        Grammar.requireNatural("created_at_ms", createdAtMs);
        Grammar.requireNatural("expires_at_ms", expiresAtMs);
        Grammar.requireAtMost("created_at_ms", createdAtMs, expiresAtMs);
    }

    public static Proposal of(ChangeSet payload, String proposer, String nonce, long createdAtMs, long expiresAtMs) {
        byte[] bytes = payload.bytes();
        B3 hash = B3.of(bytes);
        return new Proposal(
                id(hash, proposer, nonce), payload, hash, bytes.length, proposer, nonce, createdAtMs, expiresAtMs);
    }

    /** {@code p_} and 26 base32 characters (130 bits) of the hash over payload, proposer and nonce. */
    public static String id(B3 payloadB3, String proposer, String nonce) {
        B3 hash = B3.of(new ObjWriter()
                .put("t", TAG)
                .put("payload_b3", payloadB3.toJson())
                .put("proposer", proposer)
                .put("nonce", nonce)
                .end());
        return "p_"
                + new Base32()
                        .encodeToString(hash.bytes())
                        .toLowerCase(Locale.ROOT)
                        .substring(0, 26);
    }

    public static Proposal fromJson(Json value, String what) throws Refused {
        Fields fields = Fields.of(value, what).tag(TAG);
        String proposalId = fields.string("proposal_id");
        ChangeSet payload = fields.one("payload", ChangeSet::fromJson);
        B3 payloadB3 = fields.one("payload_b3", B3::fromJson);
        String proposer = fields.string("proposer");
        String nonce = fields.string("nonce");
        long createdAtMs = fields.natural("created_at_ms");
        long expiresAtMs = fields.natural("expires_at_ms");
        byte[] bytes = payload.bytes();
        B3.of(bytes).expect(payloadB3, Reason.PAYLOAD_HASH_MISMATCH, what + ".payload_b3");
        if (!id(payloadB3, proposer, nonce).equals(proposalId)) {
            throw fields.wrong("proposal_id", "not the id of this payload, proposer and nonce");
        }
        return fields.build(() ->
                new Proposal(proposalId, payload, payloadB3, bytes.length, proposer, nonce, createdAtMs, expiresAtMs));
    }

    public Json.Obj toJson() {
        return new ObjWriter()
                .put("t", TAG)
                .put("proposal_id", proposalId)
                .put("payload", payload.toJson())
                .put("payload_b3", payloadB3.toJson())
                .put("proposer", proposer)
                .put("nonce", nonce)
                .put("created_at_ms", createdAtMs)
                .put("expires_at_ms", expiresAtMs)
                .end();
    }
}
