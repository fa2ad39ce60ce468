package dev.ron.ledger.model;

import dev.ron.ledger.Refused;
import dev.ron.ledger.json.CanonicalJson;
import dev.ron.ledger.json.Fields;
import dev.ron.ledger.json.Json;
import dev.ron.ledger.json.ObjWriter;
import dev.ron.ledger.json.Quoted;
import java.util.Collections;
import java.util.Map;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;

/** What a proposer writes of a descriptor; id, revision and state come from the operation and the log. */
public record Draft(String kind, Json.Obj body, SortedMap<String, String> labels, OptionalLong expiresAtMs) {
    public static final int MAX_BODY_BYTES = 256 << 10;
    public static final int MAX_LABELS = 32;

    public Draft {
        Grammar.KIND.require(kind);
        Grammar.requireAtMost("body bytes", CanonicalJson.bytes(body).length, MAX_BODY_BYTES);
        Grammar.requireAtMost("labels", labels.size(), MAX_LABELS);
        labels.keySet().forEach(Grammar.LABEL::require);
        labels.values().forEach(value -> Grammar.requireAtMost("label length", value.length(), 256));
        expiresAtMs.ifPresent(at -> Grammar.requireNatural("expires_at_ms", at));
        labels = Collections.unmodifiableSortedMap(new TreeMap<>(labels));
    }

    public static Draft of(String kind, Json.Obj body) {
        return new Draft(kind, body, new TreeMap<>(), OptionalLong.empty());
    }

    static Draft fromJson(Json value, String what) throws Refused {
        Fields fields = Fields.of(value, what);
        Draft draft = take(fields);
        return fields.build(() -> draft);
    }

    /** Reads the members that a draft shares with a descriptor. */
    static Draft take(Fields fields) throws Refused {
        String kind = fields.string("kind");
        Json.Obj body = fields.one("body", Fields::object);
        SortedMap<String, String> labels = new TreeMap<>();
        for (Map.Entry<String, Json> label : fields.optional("labels", Fields::object)
                .map(Json.Obj::members)
                .orElseGet(Collections::emptySortedMap)
                .entrySet()) {
            labels.put(label.getKey(), Fields.string(label.getValue(), "label " + Quoted.of(label.getKey())));
        }
        OptionalLong expiresAtMs = fields.optionalInteger("expires_at_ms", 0, Json.MAX_INTEGER);
        return Fields.checked("descriptor", () -> new Draft(kind, body, labels, expiresAtMs));
    }

    Json toJson() {
        return write(new ObjWriter()).end();
    }

    ObjWriter write(ObjWriter out) {
        out.put("kind", kind).put("body", body).putIf("expires_at_ms", expiresAtMs);
        if (!labels.isEmpty()) {
            ObjWriter written = new ObjWriter();
            labels.forEach(written::put);
            out.put("labels", written.end());
        }
        return out;
    }
}
