package dev.ron.token.caveat;

import dev.ron.token.Reason;
import dev.ron.token.Refused;
import dev.ron.token.json.Alphabet;
import dev.ron.token.json.Json;
import dev.ron.token.json.Members;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/** Caveats to and from their wire form {@code {"t":type,"v":value}}. */
public final class CaveatCodec {
    private static final long MAX = (1L << 53) - 1;

    private CaveatCodec() {}

    public static List<Caveat> parseAll(List<Json> items) throws Refused {
        List<Caveat> caveats = new ArrayList<>(items.size());
        for (Json item : items) {
            if (!(item instanceof Json.Obj object)) {
                throw new Refused(Reason.MALFORMED, "caveat must be an object");
            }
            caveats.add(parse(object));
        }
        return List.copyOf(caveats);
    }

    public static Caveat parse(Json.Obj object) throws Refused {
        Members members = new Members(object, "caveat");
        String type = members.string("t", 1, 32);
        if (!Alphabet.NAME.spells(type)) {
            throw members.wrong("t", "must be a plain name");
        }
        Caveat caveat = value(type, members);
        members.end();
        return caveat;
    }

    private static Caveat value(String type, Members members) throws Refused {
        return switch (type) {
            case "exp" -> new Caveat.Expires(members.integer("v", 0, MAX));
            case "nbf" -> new Caveat.NotBefore(members.integer("v", 0, MAX));
            case "aud" -> new Caveat.Audience(members.strings("v", 1, 4, 128));
            case "scope" -> new Caveat.Scope(members.strings("v", 1, 16, 128));
            case "method" -> new Caveat.Method(methods(members));
            case "path" -> new Caveat.Path(paths(members));
            case "tenant" -> new Caveat.Tenant(tenant(members));
            case "ip" -> new Caveat.Ip(networks(members));
            case "bytes" -> new Caveat.Bytes(members.integer("v", 0, MAX));
            case "rate" -> rate(new Members(object(members, "rate"), "rate caveat"));
            case "budget" -> budget(new Members(object(members, "budget"), "budget caveat"));
            case "bind" -> new Caveat.Bind(Binding.parse(object(members, "bind"), "bind caveat"));
            default -> unknown(type, members);
        };
    }

    /** The value of an unknown type is not looked at, but it must be there: a caveat is always a pair. */
    private static Caveat unknown(String type, Members members) throws Refused {
        if (members.any("v").isEmpty()) {
            throw new Refused(Reason.MALFORMED, "caveat: v is missing");
        }
        return new Caveat.Unknown(type);
    }

    private static List<String> methods(Members members) throws Refused {
        List<String> methods = members.strings("v", 1, 9, 16);
        for (String method : methods) {
            if (!Alphabet.CAPITALS.spells(method)) {
                throw members.wrong("v", "must hold upper-case methods");
            }
        }
        return methods;
    }

    private static List<PathPrefix> paths(Members members) throws Refused {
        List<PathPrefix> prefixes = new ArrayList<>();
        for (String path : members.strings("v", 1, 8, PathPrefix.MAX_LENGTH)) {
            prefixes.add(PathPrefix.of(path));
        }
        return List.copyOf(prefixes);
    }

    private static String tenant(Members members) throws Refused {
        String tenant = members.string("v", 1, 64);
        if (!Alphabet.NAME.spells(tenant)) {
            throw members.wrong("v", "must be a tenant id");
        }
        return tenant;
    }

    private static List<Cidr> networks(Members members) throws Refused {
        List<Cidr> networks = new ArrayList<>();
        for (String block : members.strings("v", 1, 8, 64)) {
            networks.add(Cidr.parse(block));
        }
        return List.copyOf(networks);
    }

    private static Caveat rate(Members members) throws Refused {
        long perSecond = members.integer("rps", 1, MAX);
        long burst = members.optionalInteger("burst", 1, MAX).orElse(perSecond);
        members.end();
        return new Caveat.Rate(perSecond, burst);
    }

    private static Caveat budget(Members members) throws Refused {
        OptionalLong requests = members.optionalInteger("reqs", 0, MAX);
        OptionalLong bytes = members.optionalInteger("bytes", 0, MAX);
        members.end();
        if (requests.isEmpty() && bytes.isEmpty()) {
            throw new Refused(Reason.MALFORMED, "budget caveat must limit reqs or bytes");
        }
        return new Caveat.Budget(requests, bytes);
    }

    private static Json.Obj object(Members members, String type) throws Refused {
        return members.optionalObject("v")
                .orElseThrow(() -> new Refused(Reason.MALFORMED, type + " caveat: v is missing"));
    }

    public static Json toJson(List<Caveat> caveats) {
        return new Json.Arr(caveats.stream().map(CaveatCodec::toJson).toList());
    }

    public static Json toJson(Caveat caveat) {
        Json value = switch (caveat) {
            case Caveat.Expires(long at) -> new Json.Int(at);
            case Caveat.NotBefore(long at) -> new Json.Int(at);
            case Caveat.Audience(List<String> services) -> Json.Arr.ofStrings(services);
            case Caveat.Scope(List<String> operations) -> Json.Arr.ofStrings(operations);
            case Caveat.Method(List<String> methods) -> Json.Arr.ofStrings(methods);
            case Caveat.Path(List<PathPrefix> prefixes) ->
                Json.Arr.ofStrings(prefixes.stream().map(PathPrefix::value).toList());
            case Caveat.Tenant(String id) -> new Json.Str(id);
            case Caveat.Ip(List<Cidr> networks) ->
                Json.Arr.ofStrings(networks.stream().map(Cidr::toString).toList());
            case Caveat.Bytes(long max) -> new Json.Int(max);
            case Caveat.Rate(long rps, long burst) ->
                new Json.Obj(Map.of("rps", new Json.Int(rps), "burst", new Json.Int(burst)));
            case Caveat.Budget(OptionalLong requests, OptionalLong bytes) -> budget(requests, bytes);
            case Caveat.Bind(Binding key) -> key.toJson();
            case Caveat.Unknown(String type) ->
                throw new IllegalArgumentException("caveat type " + type + " cannot be written");
        };
        return new Json.Obj(Map.of("t", new Json.Str(caveat.type()), "v", value));
    }

    private static Json budget(OptionalLong requests, OptionalLong bytes) {
        Map<String, Json> members = new LinkedHashMap<>();
        requests.ifPresent(n -> members.put("reqs", new Json.Int(n)));
        bytes.ifPresent(n -> members.put("bytes", new Json.Int(n)));
        return new Json.Obj(members);
    }
}
