package dev.ron.ledger.model;

import dev.ron.ledger.Reason;
import dev.ron.ledger.Refused;
import dev.ron.ledger.hash.B3;
import dev.ron.ledger.json.CanonicalJson;
import dev.ron.ledger.json.CanonicalWriter;
import dev.ron.ledger.json.Fields;
import dev.ron.ledger.json.Json;
import dev.ron.ledger.json.Quoted;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * One line of the audit chain: who did what, and how it ended.
 *
 * <p>A chain of its own beside the log, because rejections and expiries are recorded too and spam must not grow the tree.
 * Inputs are kept as hashes, never as content.
 */
public record AuditRecord(
        long seq,
        B3 prev,
        long atMs,
        String actor,
        Action action,
        String subject,
        String result,
        Optional<String> reason,
        String corrId,
        SortedMap<String, B3> inputs) {
    private static final String TAG = "registry.audit/v1";
    private static final int MAX_TEXT_BYTES = 512;
    private static final int MAX_INPUTS = 8;

    /** What can be audited. */
    public enum Action implements Wire {
        PROPOSE,
        APPROVE,
        REJECT,
        COMMIT,
        EXPIRE,
        WITHDRAW,
        FREEZE,
        THAW,
        RELOAD,
        PRUNE,
        RECOVER;

        private final String wire = name().toLowerCase(java.util.Locale.ROOT);

        @Override
        public String wire() {
            return wire;
        }
    }

    public AuditRecord {
        if (seq < 1 || (seq == 1) != prev.equals(B3.ZERO)) {
            throw new IllegalArgumentException("seq " + seq + " after " + prev + " (the first is 1 and follows zeros)");
        }
        Grammar.requireNatural("seq", seq);
        Grammar.requireNatural("at_ms", atMs);
        requireShort(actor);
        requireShort(subject);
        requireShort(result);
        reason.ifPresent(AuditRecord::requireShort);
        requireShort(corrId);
        Grammar.requireAtMost("inputs", inputs.size(), MAX_INPUTS);
        inputs = Collections.unmodifiableSortedMap(new TreeMap<>(inputs));
    }

    private static void requireShort(String text) {
        Grammar.requireAtMost("text bytes", text.getBytes(StandardCharsets.UTF_8).length, MAX_TEXT_BYTES);
    }

    public B3 hash() {
        return B3.of(bytes());
    }

    /** The chain rule. */
    public void mustFollow(AuditRecord before) throws Refused {
        if (seq != before.seq + 1) {
            throw new Refused(Reason.CHAIN_MISMATCH, "audit record " + seq + ": does not follow record " + before.seq);
        }
        before.hash().expect(prev, Reason.CHAIN_MISMATCH, "audit record " + seq + ": prev");
    }

    public static AuditRecord fromJson(Json value, String what) throws Refused {
        Fields fields = Fields.of(value, what).tag(TAG);
        long seq = fields.integer("seq", 1, Json.MAX_INTEGER);
        B3 prev = fields.one("prev", B3::fromJson);
        long atMs = fields.natural("at_ms");
        String actor = fields.string("actor");
        Action action = fields.one("action", Wire.reader(Action.class));
        String subject = fields.string("subject");
        String result = fields.string("result");
        Optional<String> reason = fields.optionalString("reason");
        String corrId = fields.string("corr_id");
        SortedMap<String, B3> inputs = new TreeMap<>();
        for (var input : fields.one("inputs", Fields::object).members().entrySet()) {
            inputs.put(input.getKey(), B3.fromJson(input.getValue(), what + ".inputs " + Quoted.of(input.getKey())));
        }
        return fields.build(
                () -> new AuditRecord(seq, prev, atMs, actor, action, subject, result, reason, corrId, inputs));
    }

    public byte[] bytes() {
        return CanonicalWriter.object(out -> out.put("action", action.wire())
                .put("actor", actor)
                .put("at_ms", atMs)
                .put("corr_id", corrId)
                .put("inputs", hashes -> inputs.forEach((name, hash) -> hashes.put(name, hash.text())))
                .put("prev", prev.text())
                .putIf("reason", reason)
                .put("result", result)
                .put("seq", seq)
                .put("subject", subject)
                .put("t", TAG));
    }

    public Json.Obj toJson() {
        return CanonicalJson.object(bytes());
    }
}
