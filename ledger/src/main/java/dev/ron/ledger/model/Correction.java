package dev.ron.ledger.model;

import dev.ron.ledger.Refused;
import dev.ron.ledger.json.Fields;
import dev.ron.ledger.json.Json;
import dev.ron.ledger.json.ObjWriter;

/** Which version a supersede corrects, and why; history itself is never rewritten. */
public record Correction(long of, Cause reason, String note) {
    /** Why a version is corrected. */
    public enum Cause implements Wire {
        KEY_COMPROMISE("KeyCompromise"),
        DATA_ERROR("DataError"),
        GOVERNANCE_ACTION("GovernanceAction"),
        OTHER("Other");

        private final String wire;

        Cause(String wire) {
            this.wire = wire;
        }

        @Override
        public String wire() {
            return wire;
        }
    }

    public Correction {
        Grammar.requireNatural("of", of);
        ChangeSet.requireNote(note);
    }

    static Correction fromJson(Json value, String what) throws Refused {
        Fields fields = Fields.of(value, what);
        long of = fields.integer("of", 1, Json.MAX_INTEGER);
        Cause reason = fields.one("reason", Wire.reader(Cause.class));
        String note = fields.string("note");
        return fields.build(() -> new Correction(of, reason, note));
    }

    Json toJson() {
        return new ObjWriter()
                .put("of", of)
                .put("reason", reason.wire())
                .put("note", note)
                .end();
    }
}
