package dev.ron.token.keys;

import dev.ron.token.Reason;
import dev.ron.token.Refused;
import dev.ron.token.json.Json;
import dev.ron.token.json.Members;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** One revocation with its place in the issuer's sequence and why it was made. */
public record FeedEntry(long seq, Revocation revocation, String reason) {
    private static final long MAX = (1L << 53) - 1;

    /** Reads an entry as a feed or a journal holds it. */
    public static FeedEntry parse(Json json) throws Refused {
        if (!(json instanceof Json.Obj object)) {
            throw new Refused(Reason.MALFORMED, "feed entry must be an object");
        }
        Members members = new Members(object, "feed entry");
        FeedEntry entry =
                new FeedEntry(members.integer("seq", 1, MAX), revocation(members), members.string("reason", 1, 32));
        members.end();
        return entry;
    }

    private static Revocation revocation(Members members) throws Refused {
        String kind = members.string("kind", 1, 16);
        return switch (kind) {
            case "id" -> new Revocation.Id(members.string("id", 1, 64), members.integer("exp", 0, MAX));
            case "subject" ->
                new Revocation.Subject(
                        members.string("tenant", 1, 64), members.string("sub", 1, 128), members.integer("at", 0, MAX));
            case "kid" -> new Revocation.Key(members.string("kid", 1, 64));
            case "floor" -> floor(members);
            // Skipping it could miss a revocation; refusing keeps the old state, which goes stale and denies.
            default -> throw members.wrong("kind", "is not known");
        };
    }

    private static Revocation floor(Members members) throws Refused {
        long epoch = members.integer("epoch", 0, MAX);
        Optional<String> tenant = members.optionalString("tenant", 1, 64);
        return tenant.isPresent() ? new Revocation.TenantFloor(tenant.get(), epoch) : new Revocation.Floor(epoch);
    }

    public Json toJson() {
        Map<String, Json> members = new LinkedHashMap<>();
        members.put("seq", new Json.Int(seq));
        members.put("reason", new Json.Str(reason));
        switch (revocation) {
            case Revocation.Id(String id, long exp) -> {
                members.put("kind", new Json.Str("id"));
                members.put("id", new Json.Str(id));
                members.put("exp", new Json.Int(exp));
            }
            case Revocation.Subject(String tenant, String sub, long at) -> {
                members.put("kind", new Json.Str("subject"));
                members.put("tenant", new Json.Str(tenant));
                members.put("sub", new Json.Str(sub));
                members.put("at", new Json.Int(at));
            }
            case Revocation.Key(String kid) -> {
                members.put("kind", new Json.Str("kid"));
                members.put("kid", new Json.Str(kid));
            }
            case Revocation.Floor(long epoch) -> {
                members.put("kind", new Json.Str("floor"));
                members.put("epoch", new Json.Int(epoch));
            }
            case Revocation.TenantFloor(String tenant, long epoch) -> {
                members.put("kind", new Json.Str("floor"));
                members.put("tenant", new Json.Str(tenant));
                members.put("epoch", new Json.Int(epoch));
            }
        }
        return new Json.Obj(members);
    }
}
