package dev.ron.registry.book;

import dev.ron.ledger.hash.B3;
import dev.ron.ledger.json.Json;
import dev.ron.ledger.json.ObjWriter;
import dev.ron.ledger.model.Body;
import dev.ron.ledger.model.ChangeSet;
import dev.ron.ledger.model.Entry;
import dev.ron.ledger.model.Item;
import dev.ron.ledger.model.Op;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;

/** News of a commit, told once it is durable. */
public record Committed(
        long version, B3 hash, B3 payloadB3, List<String> kinds, List<String> ids, long atMs, String corrId) {
    private static final int MAX_IDS = 64;

    public Committed {
        kinds = List.copyOf(kinds);
        ids = List.copyOf(ids);
    }

    static Committed of(Entry entry, B3 hash, ChangeSet payload, String corrId) {
        return new Committed(
                entry.version(),
                hash,
                entry.payloadB3(),
                kinds(payload.body()).distinct().sorted().toList(),
                ids(payload.body()).limit(MAX_IDS).toList(),
                entry.committedAtMs(),
                corrId);
    }

    /** Of a commit whose payload is gone. */
    static Committed pruned(Entry entry) {
        return new Committed(
                entry.version(), entry.hash(), entry.payloadB3(), List.of(), List.of(), entry.committedAtMs(), "-");
    }

    private static Stream<String> ids(Body body) {
        return switch (body) {
            case Body.Change change -> change.ops().stream().map(Op::id);
            case Body.Supersede supersede -> supersede.ops().stream().map(Op::id);
            case Body.ReplaceAll all -> all.items().stream().map(Item::id);
            case Body.Genesis genesis -> genesis.items().stream().map(Item::id);
            case Body.Rotate _ -> Stream.empty();
        };
    }

    private static Stream<String> kinds(Body body) {
        return switch (body) {
            case Body.Change change -> change.ops().stream().flatMap(Committed::kind);
            case Body.Supersede supersede -> supersede.ops().stream().flatMap(Committed::kind);
            case Body.ReplaceAll all ->
                all.items().stream().map(item -> item.draft().kind());
            case Body.Genesis genesis ->
                genesis.items().stream().map(item -> item.draft().kind());
            case Body.Rotate _ -> Stream.of("signer_set");
        };
    }

    private static Stream<String> kind(Op op) {
        return op instanceof Op.Put put ? Stream.of(put.draft().kind()) : Stream.empty();
    }

    public Json.Obj toJson() {
        return new ObjWriter()
                .put("version", version)
                .put("hash", hash.toJson())
                .put("payload_b3", payloadB3.toJson())
                .putAll("kinds", kinds, Json.Str::new)
                .putAll("ids", ids, Json.Str::new)
                .put("committed_at", Instant.ofEpochMilli(atMs).toString())
                .put("corr_id", corrId)
                .end();
    }
}
