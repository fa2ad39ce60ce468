package dev.ron.passport.client;

import dev.ron.token.Refused;
import dev.ron.token.json.Json;
import dev.ron.token.json.Members;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * A client as the office knows it; of its key only the prefix and a hash.
 *
 * @param tenants the tenants it may speak for, its own first; {@code *} stands for any
 * @param audiences the services its tokens may be meant for, {@code *} for any; empty for any but those that obey a token
 *     for the whole instance, whatever its tenant: these must be named
 * @param maxTtlSeconds longest life of its tokens; 0 leaves it to the policy
 */
public record Client(
        String id,
        String prefix,
        String keyHash,
        List<String> tenants,
        Set<Right> rights,
        List<String> audiences,
        long maxTtlSeconds) {
    public static final String ANY = "*";

    /** The id of the process itself, which asks the office for its own verifiers; no journal knows it. */
    public static final String GUEST = "node";

    private static final Set<String> ONLY_BY_NAME = Set.of("svc-registry", "svc-admin");

    public Client {
        tenants = List.copyOf(tenants);
        rights = Set.copyOf(rights);
        audiences = List.copyOf(audiences);
    }

    public boolean may(Right right) {
        return rights.contains(right);
    }

    public boolean speaksFor(String tenant) {
        return tenants.contains(ANY) || tenants.contains(tenant);
    }

    public boolean mayAskFor(String audience) {
        return audiences.isEmpty()
                ? !ONLY_BY_NAME.contains(audience)
                : audiences.contains(ANY) || audiences.contains(audience);
    }

    public String ownTenant() {
        return tenants.stream().filter(name -> !name.equals(ANY)).findFirst().orElse("default");
    }

    public Json toJson() {
        Map<String, Json> members = new LinkedHashMap<>();
        members.put("id", new Json.Str(id));
        members.put("prefix", new Json.Str(prefix));
        members.put("hash", new Json.Str(keyHash));
        members.put("tenants", Json.Arr.ofStrings(tenants));
        members.put(
                "rights",
                Json.Arr.ofStrings(List.copyOf(
                        new TreeSet<>(rights.stream().map(Right::word).toList()))));
        members.put("audiences", Json.Arr.ofStrings(audiences));
        members.put("max_ttl", new Json.Int(maxTtlSeconds));
        return new Json.Obj(members);
    }

    public static Client parse(Json.Obj object) throws Refused {
        Members members = new Members(object, "client");
        Set<Right> rights = new TreeSet<>();
        String id = members.string("id", 1, 64);
        String prefix = members.string("prefix", 1, 32);
        String hash = members.encoded("hash", 32);
        List<String> tenants = members.strings("tenants", 1, 64, 64);
        for (String word : members.strings("rights", 0, 16, 32)) {
            rights.add(Right.of(word).orElseThrow(() -> members.wrong("rights", "has an unknown right")));
        }
        Client client = new Client(
                id,
                prefix,
                hash,
                tenants,
                rights,
                members.strings("audiences", 0, 64, 128),
                members.integer("max_ttl", 0, 24 * 3600));
        members.end();
        return client;
    }
}
