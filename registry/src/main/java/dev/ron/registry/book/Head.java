package dev.ron.registry.book;

import dev.ron.ledger.json.CanonicalWriter;
import dev.ron.ledger.log.Ledger;
import dev.ron.ledger.model.Entry;
import java.time.Instant;

/** The head as it is served; written once per change, read by everybody. */
public final class Head {
    private final byte[] json;
    private final String etag;

    private Head(byte[] json, String etag) {
        this.json = json;
        this.etag = etag;
    }

    /** The document as JSON; it must not be changed. */
    public byte[] json() {
        return json;
    }

    public String etag() {
        return etag;
    }

    static Head of(Ledger ledger, boolean frozen, long minimumVersion) {
        Entry head = ledger.head();
        byte[] json = CanonicalWriter.object(out -> out.put(
                        "committed_at",
                        Instant.ofEpochMilli(head.committedAtMs()).toString())
                .put("frozen", frozen)
                .put("hash", ledger.headHash().text())
                .put("minimum_version", minimumVersion)
                .put("origin", ledger.genesis().origin())
                .put("payload_b3", head.payloadB3().text())
                .put("root_hash", ledger.tree().root().toString())
                .put("signer_set_version", ledger.signers().setVersion())
                .put("state_root", head.stateRoot().toString())
                .put("tree_size", ledger.tree().size())
                .put("version", head.version()));
        return new Head(json, "\"" + ledger.headHash() + "\"");
    }
}
