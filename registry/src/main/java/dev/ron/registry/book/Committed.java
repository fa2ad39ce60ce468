package dev.ron.registry.book;

import dev.ron.ledger.hash.B3;
import dev.ron.ledger.json.Json;
import dev.ron.ledger.json.ObjWriter;
import dev.ron.ledger.model.Body;
import dev.ron.ledger.model.ChangeSet;
import dev.ron.ledger.model.Entry;
import dev.ron.ledger.model.Item;
import dev.ron.ledger.model.Op;
import dev.ron.ledger.state.State;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * News of a commit, told once it is durable.
 *
 * @param incomplete whether it may have changed more than is listed: who asks for some must look
 */
public record Committed(
        long version,
        B3 hash,
        B3 payloadB3,
        List<String> kinds,
        List<String> ids,
        boolean incomplete,
        long atMs,
        String corrId) {
    private static final int MAX_IDS = 64;

    public Committed {
        kinds = List.copyOf(kinds);
        ids = List.copyOf(ids);
    }

    /** @param after the state after this commit, or after a later one */
    static Committed of(Entry entry, B3 hash, ChangeSet payload, State after, String corrId) {
        Body body = payload.body();
        List<String> ids = ids(body).toList();
        List<Optional<String>> kinds = kinds(body, after, entry.version()).toList();
        return new Committed(
                entry.version(),
                hash,
                entry.payloadB3(),
                kinds.stream().flatMap(Optional::stream).distinct().sorted().toList(),
                ids.subList(0, Math.min(ids.size(), MAX_IDS)),
                // What a whole set removes it does not name.
                body instanceof Body.ReplaceAll || ids.size() > MAX_IDS || kinds.contains(Optional.empty()),
                entry.committedAtMs(),
                corrId);
    }

    /** Of a commit whose payload is gone. */
    static Committed pruned(Entry entry) {
        return new Committed(
                entry.version(),
                entry.hash(),
                entry.payloadB3(),
                List.of(),
                List.of(),
                true,
                entry.committedAtMs(),
                "-");
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

    private static Stream<Optional<String>> kinds(Body body, State after, long version) {
        return switch (body) {
            case Body.Change change -> change.ops().stream().map(op -> kind(op, after, version));
            case Body.Supersede supersede -> supersede.ops().stream().map(op -> kind(op, after, version));
            case Body.ReplaceAll all -> all.items().stream().map(Committed::kind);
            case Body.Genesis genesis -> genesis.items().stream().map(Committed::kind);
            case Body.Rotate _ -> Stream.of(Optional.of("signer_set"));
        };
    }

    private static Optional<String> kind(Item item) {
        return Optional.of(item.draft().kind());
    }

    /** Of what is withdrawn the descriptor tells, unless it was changed again. */
    private static Optional<String> kind(Op op, State after, long version) {
        return op instanceof Op.Put put
                ? Optional.of(put.draft().kind())
                : after.get(op.id())
                        .filter(held -> held.version() == version)
                        .map(held -> held.descriptor().content().kind());
    }

    public Json.Obj toJson() {
        ObjWriter out = new ObjWriter()
                .put("version", version)
                .put("hash", hash.toJson())
                .put("payload_b3", payloadB3.toJson())
                .putAll("kinds", kinds, Json.Str::new)
                .putAll("ids", ids, Json.Str::new)
                .put("committed_at", Instant.ofEpochMilli(atMs).toString())
                .put("corr_id", corrId);
        return (incomplete ? out.put("incomplete", true) : out).end();
    }
}
