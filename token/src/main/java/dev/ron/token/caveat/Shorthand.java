package dev.ron.token.caveat;

import dev.ron.token.Reason;
import dev.ron.token.Refused;
import dev.ron.token.json.Json;
import java.util.List;
import java.util.Map;

/** Reads caveats as people type them, such as {@code path=/o/} or {@code ttl=60}; lists are separated by commas. */
public final class Shorthand {
    private Shorthand() {}

    /** {@code now} turns {@code ttl} into an absolute expiry; a relative one never travels. */
    public static Caveat parse(String text, long now) throws Refused {
        int equals = text.indexOf('=');
        if (equals <= 0 || equals == text.length() - 1) {
            throw new Refused(Reason.MALFORMED, "caveat must look like name=value");
        }
        String value = text.substring(equals + 1);
        return switch (text.substring(0, equals)) {
            case "ttl" -> caveat("exp", new Json.Int(Math.addExact(now, number(value))));
            case "exp" -> caveat("exp", new Json.Int(number(value)));
            case "nbf" -> caveat("nbf", new Json.Int(number(value)));
            case "svc", "aud" -> caveat("aud", list(value));
            case "scope" -> caveat("scope", list(value));
            case "method" -> caveat("method", list(value));
            case "route", "path" -> caveat("path", list(value));
            case "tenant" -> caveat("tenant", new Json.Str(value));
            case "ip" -> caveat("ip", list(value));
            case "bytes" -> caveat("bytes", new Json.Int(number(value)));
            case "rate.rps" -> caveat("rate", member("rps", value));
            case "budget.reqs" -> caveat("budget", member("reqs", value));
            case "budget.bytes" -> caveat("budget", member("bytes", value));
            case "proof.bind", "bind" -> bind(Binding.Kind.DPOP, value);
            case "proof.cert" -> bind(Binding.Kind.CERTIFICATE, value);
            default ->
                throw new Refused(
                        Reason.CAV_UNKNOWN,
                        "unknown caveat name (expected: ttl, exp, nbf, svc, scope, method, path, tenant, ip, bytes,"
                                + " rate.rps, budget.reqs, budget.bytes, proof.bind, proof.cert)");
        };
    }

    private static Caveat bind(Binding.Kind kind, String thumbprint) throws Refused {
        return caveat("bind", new Json.Obj(Map.of(kind.member(), new Json.Str(thumbprint))));
    }

    private static Caveat caveat(String type, Json value) throws Refused {
        return CaveatCodec.parse(new Json.Obj(Map.of("t", new Json.Str(type), "v", value)));
    }

    private static Json list(String value) {
        return Json.Arr.ofStrings(List.of(value.split(",", -1)));
    }

    private static Json member(String name, String value) throws Refused {
        return new Json.Obj(Map.of(name, new Json.Int(number(value))));
    }

    private static long number(String value) throws Refused {
        if (!value.matches("[0-9]{1,15}")) {
            throw new Refused(Reason.MALFORMED, "caveat value must be a whole number");
        }
        return Long.parseLong(value);
    }
}
