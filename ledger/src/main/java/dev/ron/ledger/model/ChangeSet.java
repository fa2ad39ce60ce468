package dev.ron.ledger.model;

import dev.ron.ledger.Reason;
import dev.ron.ledger.Refused;
import dev.ron.ledger.hash.B3;
import dev.ron.ledger.json.CanonicalJson;
import dev.ron.ledger.json.Fields;
import dev.ron.ledger.json.Json;
import dev.ron.ledger.json.ObjWriter;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** The payload of a proposal: what signers approve and what the log records by hash. */
public record ChangeSet(String schemaVersion, Body body, Optional<String> replacesProposal, Optional<String> note) {
    public static final String SCHEMA = "1.0.0";
    public static final int MAX_BYTES = 1 << 20;
    public static final int MAX_DEPTH = 32;

    private static final String TAG = "registry.payload/v1";
    private static final int MAX_NOTE_BYTES = 4 << 10;

    public ChangeSet {
        Grammar.SEMVER.require(schemaVersion);
        replacesProposal.ifPresent(Grammar.PROPOSAL::require);
        note.ifPresent(ChangeSet::requireNote);
    }

    public static ChangeSet of(Body body) {
        return new ChangeSet(SCHEMA, body, Optional.empty(), Optional.empty());
    }

    static void requireNote(String note) {
        Grammar.requireAtMost("note bytes", note.getBytes(StandardCharsets.UTF_8).length, MAX_NOTE_BYTES);
        if (note.isEmpty()) {
            throw new IllegalArgumentException("empty note");
        }
    }

    public Kind kind() {
        return body.kind();
    }

    public byte[] bytes() {
        return CanonicalJson.bytes(toJson());
    }

    public B3 hash() {
        return B3.of(bytes());
    }

    public static ChangeSet fromJson(Json value, String what) throws Refused {
        // Here and not only in the reader, because a bundle carries payloads deeper down.
        if (Json.depth(value) > MAX_DEPTH) {
            throw new Refused(Reason.OVER_LIMIT, what + ": deeper than " + MAX_DEPTH);
        }
        Fields fields = Fields.of(value, what).tag(TAG);
        String schemaVersion = fields.string("schema_version");
        Optional<String> replaces = fields.optionalString("replaces_proposal");
        Optional<String> note = fields.optionalString("note");
        Body body = Body.take(fields.one("kind", Wire.reader(Kind.class)), fields);
        ChangeSet changeSet = fields.build(() -> new ChangeSet(schemaVersion, body, replaces, note));
        // What is hashed is our own rendering; it must be what the proposer sent, or the hash would surprise them.
        if (!changeSet.toJson().equals(value)) {
            throw new Refused(Reason.NOT_CANONICAL, what + ": an optional member is present but empty; leave it out");
        }
        int length = changeSet.bytes().length;
        if (length > MAX_BYTES) {
            throw new Refused(Reason.OVER_LIMIT, what + ": " + length + " bytes (expected: at most " + MAX_BYTES + ")");
        }
        return changeSet;
    }

    public Json.Obj toJson() {
        ObjWriter out = new ObjWriter()
                .put("t", TAG)
                .put("schema_version", schemaVersion)
                .put("kind", kind().wire())
                .putIf("replaces_proposal", replacesProposal, Json.Str::new)
                .putIf("note", note, Json.Str::new);
        return body.write(out).end();
    }
}
