package dev.ron.passport.office;

import dev.ron.passport.client.Client;
import dev.ron.token.Refused;
import dev.ron.token.json.CanonicalJson;
import dev.ron.token.json.Json;
import dev.ron.token.json.Members;
import dev.ron.token.json.StrictJson;
import dev.ron.token.keys.FeedEntry;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/** One thing the office must never forget. */
public sealed interface JournalEntry {
    int MAX_BYTES = 64 << 10;

    /** Something was revoked. */
    record Revoked(FeedEntry entry) implements JournalEntry {}

    /** The epoch moved on. */
    record Epoch(long value) implements JournalEntry {}

    /** Tokens of an earlier epoch than this end at that second. */
    record FloorDue(long epoch, long at) implements JournalEntry {}

    /** The feed had come so far; in a rewritten journal, where the entries up to it are no longer all there. */
    record Sequence(long value) implements JournalEntry {}

    /** The keystore was written for the {@code seq}-th time. */
    record KeysSaved(long seq) implements JournalEntry {}

    /** A client was added or changed. */
    record ClientKept(Client client) implements JournalEntry {}

    /** A client may do nothing any more. */
    record ClientGone(String id) implements JournalEntry {}

    default byte[] bytes() {
        Json json = switch (this) {
            case Revoked(FeedEntry entry) -> pair("revoked", entry.toJson());
            case Epoch(long value) -> pair("epoch", new Json.Int(value));
            case FloorDue(long epoch, long at) ->
                pair("due", new Json.Obj(Map.of("epoch", new Json.Int(epoch), "at", new Json.Int(at))));
            case Sequence(long value) -> pair("seq", new Json.Int(value));
            case KeysSaved(long seq) -> pair("keys", new Json.Int(seq));
            case ClientGone(String id) -> pair("client_gone", new Json.Str(id));
            case ClientKept(Client client) -> pair("client", client.toJson());
        };
        return CanonicalJson.write(json).getBytes(StandardCharsets.UTF_8);
    }

    private static Json pair(String kind, Json value) {
        return new Json.Obj(Map.of("k", new Json.Str(kind), "v", value));
    }

    static JournalEntry parse(byte[] line) throws Refused {
        Members members = new Members(StrictJson.OWN.object(line, MAX_BYTES, "journal"), "journal");
        String kind = members.string("k", 1, 16);
        JournalEntry entry = switch (kind) {
            case "revoked" -> new Revoked(FeedEntry.parse(object(members)));
            case "epoch" -> new Epoch(members.integer("v", 0, (1L << 53) - 1));
            case "due" -> due(new Members(object(members), "due"));
            case "seq" -> new Sequence(members.integer("v", 0, (1L << 53) - 1));
            case "keys" -> new KeysSaved(members.integer("v", 0, (1L << 53) - 1));
            case "client_gone" -> new ClientGone(members.string("v", 1, 64));
            case "client" -> new ClientKept(Client.parse(object(members)));
            default -> throw members.wrong("k", "is not known");
        };
        members.end();
        return entry;
    }

    private static FloorDue due(Members members) throws Refused {
        FloorDue due =
                new FloorDue(members.integer("epoch", 0, (1L << 53) - 1), members.integer("at", 0, (1L << 53) - 1));
        members.end();
        return due;
    }

    private static Json.Obj object(Members members) throws Refused {
        return members.optionalObject("v").orElseThrow(() -> members.wrong("v", "is missing"));
    }
}
