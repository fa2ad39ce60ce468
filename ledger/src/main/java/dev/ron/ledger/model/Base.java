package dev.ron.ledger.model;

import dev.ron.ledger.Refused;
import dev.ron.ledger.hash.B3;
import dev.ron.ledger.json.Fields;
import dev.ron.ledger.json.Json;
import dev.ron.ledger.json.ObjWriter;

/** The exact head a change was written against; when the head has moved, the approvals are void. */
public record Base(long version, B3 hash) {
    public Base {
        Grammar.requireNatural("base version", version);
    }

    static Base fromJson(Json value, String what) throws Refused {
        Fields fields = Fields.of(value, what);
        long version = fields.natural("version");
        B3 hash = fields.one("hash", B3::fromJson);
        return fields.build(() -> new Base(version, hash));
    }

    Json toJson() {
        return new ObjWriter()
                .put("version", version)
                .put("hash", hash.toJson())
                .end();
    }
}
