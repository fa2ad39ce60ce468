package dev.ron.ledger.model;

import dev.ron.ledger.Refused;
import dev.ron.ledger.hash.B3;
import dev.ron.ledger.json.CanonicalJson;
import dev.ron.ledger.json.CanonicalWriter;
import dev.ron.ledger.json.Fields;
import dev.ron.ledger.json.Json;
import dev.ron.ledger.sign.Dsse;

/**
 * What a signer signs.
 *
 * <p>It binds the log, the proposal, the payload, the signer set and an expiry: an approval can therefore be replayed to
 * no other log, no other proposal, and not for ever.
 */
public record Statement(
        String origin,
        String proposalId,
        B3 payloadB3,
        Decision decision,
        String signerId,
        long signerSetVersion,
        long signedAtMs,
        long expiresAtMs) {
    public static final String TYPE = "application/vnd.registry.approval.v1+json";

    private static final String TAG = "registry.approval/v1";

    /** Yes or no. */
    public enum Decision implements Wire {
        APPROVE("approve"),
        REJECT("reject");

        private final String wire;

        Decision(String wire) {
            this.wire = wire;
        }

        @Override
        public String wire() {
            return wire;
        }
    }

    public Statement {
        Grammar.ORIGIN.require(origin);
        Grammar.PROPOSAL.require(proposalId);
        Grammar.SIGNER.require(signerId);
        Grammar.requireNatural("signer_set_version", signerSetVersion);
        Grammar.requireNatural("signed_at_ms", signedAtMs);
        Grammar.requireNatural("expires_at_ms", expiresAtMs);
        Grammar.requireAtMost("signed_at_ms", signedAtMs, expiresAtMs);
    }

    /** The bytes under the signatures. */
    public byte[] signedBytes() {
        return Dsse.preAuthenticationEncoding(TYPE, bytes());
    }

    static Statement take(Fields fields) throws Refused {
        fields.tag(TAG);
        String origin = fields.string("origin");
        String proposalId = fields.string("proposal_id");
        B3 payloadB3 = fields.one("payload_b3", B3::fromJson);
        Decision decision = fields.one("decision", Wire.reader(Decision.class));
        String signerId = fields.string("signer_id");
        long signerSetVersion = fields.natural("signer_set_version");
        long signedAtMs = fields.natural("signed_at_ms");
        long expiresAtMs = fields.natural("expires_at_ms");
        return Fields.checked(
                "approval",
                () -> new Statement(
                        origin, proposalId, payloadB3, decision, signerId, signerSetVersion, signedAtMs, expiresAtMs));
    }

    public Json.Obj toJson() {
        return CanonicalJson.object(bytes());
    }

    private byte[] bytes() {
        return CanonicalWriter.object(out -> {
            writeHead(out);
            writeTail(out);
        });
    }

    /** The members before the signatures, as an approval has them. */
    void writeHead(CanonicalWriter out) {
        out.put("decision", decision.wire())
                .put("expires_at_ms", expiresAtMs)
                .put("origin", origin)
                .put("payload_b3", payloadB3.text())
                .put("proposal_id", proposalId);
    }

    /** The members behind the signatures. */
    void writeTail(CanonicalWriter out) {
        out.put("signed_at_ms", signedAtMs)
                .put("signer_id", signerId)
                .put("signer_set_version", signerSetVersion)
                .put("t", TAG);
    }
}
