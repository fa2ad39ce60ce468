package dev.ron.ledger.model;

import dev.ron.ledger.Reason;
import dev.ron.ledger.Refused;
import dev.ron.ledger.hash.B3;
import dev.ron.ledger.json.CanonicalJson;
import dev.ron.ledger.json.CanonicalWriter;
import dev.ron.ledger.json.Fields;
import dev.ron.ledger.json.Json;
import dev.ron.ledger.tree.TreeHash;
import org.jspecify.annotations.Nullable;

/**
 * One commit in the log: link of the hash chain and leaf of the tree.
 *
 * <p>Payload and approvals are bound by hash, not embedded, so that an entry stays far below the 65,535 bytes that tiled
 * logs allow: every member here is bounded, and the whole is under 2 KiB. It is written and hashed once, when it is made.
 */
public final class Entry {
    private static final String TAG = "registry.entry/v1";

    private final String origin;
    private final long version;
    private final B3 prevHash;
    private final Kind kind;
    private final String proposalId;
    private final B3 payloadB3;
    private final int payloadLen;
    private final B3 approvalsB3;
    private final int approvalsN;
    private final long signerSetVersion;
    private final TreeHash stateRoot;
    private final long committedAtMs;
    private final long epoch;
    private final byte[] bytes;
    private final B3 hash;

    public Entry(
            String origin,
            long version,
            B3 prevHash,
            Kind kind,
            String proposalId,
            B3 payloadB3,
            int payloadLen,
            B3 approvalsB3,
            int approvalsN,
            long signerSetVersion,
            TreeHash stateRoot,
            long committedAtMs,
            long epoch) {
        Grammar.ORIGIN.require(origin);
        Grammar.PROPOSAL.require(proposalId);
        Grammar.requireNatural("committed_at_ms", committedAtMs);
        Grammar.requireNatural("epoch", epoch);
        if (version < 1 || (version == 1) != (kind == Kind.GENESIS)) {
            throw new IllegalArgumentException(
                    "version " + version + " of kind " + kind.wire() + " (version 1 is genesis)");
        }
        this.origin = origin;
        this.version = version;
        this.prevHash = prevHash;
        this.kind = kind;
        this.proposalId = proposalId;
        this.payloadB3 = payloadB3;
        this.payloadLen = payloadLen;
        this.approvalsB3 = approvalsB3;
        this.approvalsN = approvalsN;
        this.signerSetVersion = signerSetVersion;
        this.stateRoot = stateRoot;
        this.committedAtMs = committedAtMs;
        this.epoch = epoch;
        this.bytes = CanonicalWriter.object(this::write);
        this.hash = B3.of(bytes);
    }

    public String origin() {
        return origin;
    }

    public long version() {
        return version;
    }

    public B3 prevHash() {
        return prevHash;
    }

    public Kind kind() {
        return kind;
    }

    public String proposalId() {
        return proposalId;
    }

    public B3 payloadB3() {
        return payloadB3;
    }

    public int payloadLen() {
        return payloadLen;
    }

    public B3 approvalsB3() {
        return approvalsB3;
    }

    public int approvalsN() {
        return approvalsN;
    }

    public long signerSetVersion() {
        return signerSetVersion;
    }

    public TreeHash stateRoot() {
        return stateRoot;
    }

    public long committedAtMs() {
        return committedAtMs;
    }

    public long epoch() {
        return epoch;
    }

    /** The canonical bytes; they must not be changed. */
    public byte[] bytes() {
        return bytes;
    }

    public B3 hash() {
        return hash;
    }

    public TreeHash leaf() {
        return TreeHash.leaf(bytes);
    }

    /** Leaves count from 0, versions from 1. */
    public long leafIndex() {
        return version - 1;
    }

    /** The chain rule: same log, next version, the hash of its predecessor, time that never runs back. */
    public void mustFollow(Entry before) throws Refused {
        if (!origin.equals(before.origin)) {
            throw new Refused(
                    Reason.CHAIN_MISMATCH, this + ": origin " + origin + " (expected: " + before.origin + ")");
        }
        if (version != before.version + 1) {
            throw new Refused(Reason.CHAIN_MISMATCH, this + ": does not follow " + before);
        }
        before.hash().expect(prevHash, Reason.CHAIN_MISMATCH, this + ": prev_hash");
        mustNotRunBack(before);
    }

    /** The part of the chain rule that holds also where the entries in between are not at hand. */
    public void mustNotRunBack(Entry before) throws Refused {
        if (committedAtMs < before.committedAtMs || epoch < before.epoch) {
            throw new Refused(Reason.CHAIN_MISMATCH, this + ": committed_at_ms or epoch runs back");
        }
    }

    public static Entry fromJson(Json value, String what) throws Refused {
        Fields fields = Fields.of(value, what).tag(TAG);
        String origin = fields.string("origin");
        long version = fields.integer("version", 1, Json.MAX_INTEGER);
        B3 prevHash = fields.one("prev_hash", B3::fromJson);
        Kind kind = fields.one("kind", Wire.reader(Kind.class));
        String proposalId = fields.string("proposal_id");
        B3 payloadB3 = fields.one("payload_b3", B3::fromJson);
        int payloadLen = (int) fields.integer("payload_len", 1, ChangeSet.MAX_BYTES);
        B3 approvalsB3 = fields.one("approvals_b3", B3::fromJson);
        int approvalsN = (int) fields.integer("approvals_n", 0, 256);
        long signerSetVersion = fields.integer("signer_set_version", 1, Json.MAX_INTEGER);
        TreeHash stateRoot = fields.one("state_root", TreeHash::fromJson);
        long committedAtMs = fields.natural("committed_at_ms");
        long epoch = fields.natural("epoch");
        return fields.build(() -> new Entry(
                origin,
                version,
                prevHash,
                kind,
                proposalId,
                payloadB3,
                payloadLen,
                approvalsB3,
                approvalsN,
                signerSetVersion,
                stateRoot,
                committedAtMs,
                epoch));
    }

    private void write(CanonicalWriter out) {
        out.put("approvals_b3", approvalsB3.text())
                .put("approvals_n", approvalsN)
                .put("committed_at_ms", committedAtMs)
                .put("epoch", epoch)
                .put("kind", kind.wire())
                .put("origin", origin)
                .put("payload_b3", payloadB3.text())
                .put("payload_len", payloadLen)
                .put("prev_hash", prevHash.text())
                .put("proposal_id", proposalId)
                .put("signer_set_version", signerSetVersion)
                .put("state_root", stateRoot.toString())
                .put("t", TAG)
                .put("version", version);
    }

    public Json.Obj toJson() {
        return CanonicalJson.object(bytes);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Entry entry && hash.equals(entry.hash);
    }

    @Override
    public int hashCode() {
        return hash.hashCode();
    }

    /** For messages: {@code entry 7}. */
    @Override
    public String toString() {
        return "entry " + version;
    }
}
