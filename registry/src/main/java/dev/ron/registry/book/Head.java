package dev.ron.registry.book;

import dev.ron.ledger.json.CanonicalJson;
import dev.ron.ledger.json.Json;
import dev.ron.ledger.json.ObjWriter;
import dev.ron.ledger.log.Ledger;
import java.time.Instant;

/** The head as it is served; written once per change, read by everybody. */
public final class Head {
    private final Json.Obj document;
    private final byte[] json;
    private final String etag;

    private Head(Json.Obj document, byte[] json, String etag) {
        this.document = document;
        this.json = json;
        this.etag = etag;
    }

    public Json.Obj document() {
        return document;
    }

    /** The document as JSON; it must not be changed. */
    public byte[] json() {
        return json;
    }

    public String etag() {
        return etag;
    }

    static Head of(Ledger ledger, boolean frozen, long minimumVersion) {
        Json.Obj document = new ObjWriter()
                .put("origin", ledger.genesis().origin())
                .put("version", ledger.head().version())
                .put("hash", ledger.headHash().toJson())
                .put("payload_b3", ledger.head().payloadB3().toJson())
                .put("state_root", ledger.head().stateRoot().toJson())
                .put("tree_size", ledger.tree().size())
                .put("root_hash", ledger.tree().root().toJson())
                .put("signer_set_version", ledger.signers().setVersion())
                .put("minimum_version", minimumVersion)
                .put(
                        "committed_at",
                        Instant.ofEpochMilli(ledger.head().committedAtMs()).toString())
                .put("frozen", frozen)
                .end();
        return new Head(document, CanonicalJson.bytes(document), "\"" + ledger.headHash() + "\"");
    }
}
