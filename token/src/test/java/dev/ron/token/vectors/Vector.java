package dev.ron.token.vectors;

import dev.ron.token.Reason;
import dev.ron.token.Refused;
import dev.ron.token.TestIssuer;
import dev.ron.token.json.Json;
import dev.ron.token.json.Members;
import dev.ron.token.keys.Revocation;
import dev.ron.token.verify.RequestContext;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One case for any implementation of the format: a token, the circumstances, the verdict.
 *
 * @param request members method, path, scope, tenant, peer, dpop, certificate, bytes; what is absent is unknown
 * @param revocations each {"kind":"id|subject|kid|floor|tenant_floor", ...}
 * @param reason empty to expect that the token is allowed
 */
public record Vector(
        String name,
        String token,
        long now,
        String pqMode,
        Map<String, Json> request,
        List<Json> revocations,
        Optional<Reason> reason) {

    static Vector allow(String name, String token) {
        return new Vector(name, token, TestIssuer.NOW, "hybrid", Map.of(), List.of(), Optional.empty());
    }

    Vector deny(Reason why) {
        return new Vector(name, token, now, pqMode, request, revocations, Optional.of(why));
    }

    Vector at(long second) {
        return new Vector(name, token, second, pqMode, request, revocations, reason);
    }

    Vector pq(String mode) {
        return new Vector(name, token, now, mode, request, revocations, reason);
    }

    Vector with(String member, String value) {
        return with(member, new Json.Str(value));
    }

    Vector with(String member, Json value) {
        Map<String, Json> more = new LinkedHashMap<>(request);
        more.put(member, value);
        return new Vector(name, token, now, pqMode, more, revocations, reason);
    }

    Vector revoking(Map<String, Json> entry) {
        List<Json> more = new ArrayList<>(revocations);
        more.add(new Json.Obj(entry));
        return new Vector(name, token, now, pqMode, request, more, reason);
    }

    Json toJson() {
        Map<String, Json> members = new LinkedHashMap<>();
        members.put("name", new Json.Str(name));
        members.put("now", new Json.Int(now));
        members.put("pq_mode", new Json.Str(pqMode));
        members.put("reason", new Json.Str(reason.map(Reason::wire).orElse("")));
        members.put("request", new Json.Obj(request));
        members.put("revocations", new Json.Arr(revocations));
        members.put("token", new Json.Str(token));
        return new Json.Obj(members);
    }

    static Vector parse(Json.Obj object) throws Refused {
        Members members = new Members(object, "vector");
        String reason = members.string("reason", 0, 64);
        Vector vector = new Vector(
                members.string("name", 1, 200),
                members.string("token", 0, 8192),
                members.integer("now", 0, Long.MAX_VALUE),
                members.string("pq_mode", 1, 16),
                members.optionalObject("request").orElseThrow().members(),
                members.array("revocations", 0, 100),
                reason.isEmpty()
                        ? Optional.empty()
                        : Optional.of(Reason.valueOf(reason.toUpperCase(java.util.Locale.ROOT))));
        members.end();
        return vector;
    }

    RequestContext context() {
        RequestContext.Builder builder = RequestContext.at(now).readOnly();
        text("method").ifPresent(builder::method);
        text("path").ifPresent(builder::path);
        text("scope").ifPresent(builder::scope);
        text("tenant").ifPresent(builder::tenant);
        text("peer").map(InetAddress::ofLiteral).ifPresent(builder::peer);
        text("dpop").ifPresent(builder::dpopThumbprint);
        text("certificate").ifPresent(builder::certificateThumbprint);
        if (request.get("bytes") instanceof Json.Int(long length)) {
            builder.contentLength(length);
        }
        return builder.build();
    }

    private Optional<String> text(String member) {
        return request.get(member) instanceof Json.Str(String value) ? Optional.of(value) : Optional.empty();
    }

    List<Revocation> revoked() throws Refused {
        List<Revocation> revoked = new ArrayList<>();
        for (Json entry : revocations) {
            Members members = new Members((Json.Obj) entry, "revocation");
            revoked.add(
                    switch (members.string("kind", 1, 16)) {
                        case "id" ->
                            new Revocation.Id(members.string("id", 1, 64), members.integer("exp", 0, Long.MAX_VALUE));
                        case "subject" ->
                            new Revocation.Subject(
                                    members.string("tenant", 1, 64),
                                    members.string("sub", 1, 128),
                                    members.integer("at", 0, Long.MAX_VALUE));
                        case "kid" -> new Revocation.Key(members.string("kid", 1, 64));
                        case "floor" -> new Revocation.Floor(members.integer("epoch", 0, Long.MAX_VALUE));
                        default ->
                            new Revocation.TenantFloor(
                                    members.string("tenant", 1, 64), members.integer("epoch", 0, Long.MAX_VALUE));
                    });
            members.end();
        }
        return revoked;
    }

    @Override
    public String toString() {
        return name;
    }
}
