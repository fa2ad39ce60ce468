package dev.ron.token.vectors;

import static dev.ron.token.vectors.RawToken.withCaveats;

import dev.ron.token.Reason;
import dev.ron.token.json.Json;
import java.util.ArrayList;
import java.util.List;

/** For each caveat type what it allows and what it denies. */
final class CaveatVectors {
    private static final String THUMBPRINT = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8";
    private static final String OTHER = "AQECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8";

    private CaveatVectors() {}

    static List<Vector> all() {
        List<Vector> all = new ArrayList<>();
        all.add(is("exp later", "exp", "1760000300"));
        all.add(is("exp passed", "exp", "1759999900").deny(Reason.EXPIRED));
        all.add(is("nbf passed", "nbf", "1760000000"));
        all.add(is("nbf later", "nbf", "1760000300").deny(Reason.NOT_YET_VALID));
        all.add(is("aud listed", "aud", "[\"svc-admin\",\"svc-gateway\"]"));
        all.add(is("aud not listed", "aud", "[\"svc-admin\"]").deny(Reason.CAV_AUD));
        scope(all);
        method(all);
        path(all);
        all.add(is("tenant of the token", "tenant", "\"t1\""));
        all.add(is("tenant of token and request", "tenant", "\"t1\"").with("tenant", "t1"));
        all.add(is("another tenant", "tenant", "\"t2\"").deny(Reason.CAV_TENANT));
        ip(all);
        all.add(is("bytes at the limit", "bytes", "100").with("bytes", new Json.Int(100)));
        all.add(is("bytes of unknown length", "bytes", "100"));
        all.add(is("bytes above the limit", "bytes", "100")
                .with("bytes", new Json.Int(101))
                .deny(Reason.CAV_BYTES));
        all.add(is("rate is the host's", "rate", "{\"rps\":5}"));
        all.add(is("rate of zero", "rate", "{\"rps\":0}").deny(Reason.MALFORMED));
        all.add(is("budget is the host's", "budget", "{\"reqs\":5,\"bytes\":7}"));
        all.add(is("budget of nothing", "budget", "{}").deny(Reason.MALFORMED));
        bind(all);
        all.add(is("unknown type", "region", "[\"eu\"]").deny(Reason.CAV_UNKNOWN));
        all.add(is("reserved type tp", "tp", "{}").deny(Reason.CAV_UNKNOWN));
        all.add(is("type in other case", "Exp", "1760000300").deny(Reason.CAV_UNKNOWN));
        return all;
    }

    private static Vector is(String name, String type, String value) {
        return Vector.allow(name, withCaveats("{\"t\":\"" + type + "\",\"v\":" + value + "}"));
    }

    private static void scope(List<Vector> all) {
        String value = "[\"registry:propose\",\"registry:approve\"]";
        all.add(is("scope listed", "scope", value).with("scope", "registry:approve"));
        all.add(is("scope not listed", "scope", value)
                .with("scope", "registry:commit")
                .deny(Reason.CAV_SCOPE));
        all.add(is("scope unknown", "scope", value).deny(Reason.CAV_SCOPE));
        all.add(is("scope prefix is not enough", "scope", value)
                .with("scope", "registry")
                .deny(Reason.CAV_SCOPE));
    }

    private static void method(List<Vector> all) {
        all.add(is("method listed", "method", "[\"GET\",\"PUT\"]").with("method", "PUT"));
        all.add(is("method not listed", "method", "[\"GET\"]")
                .with("method", "POST")
                .deny(Reason.CAV_METHOD));
        all.add(is("method in other case", "method", "[\"GET\"]")
                .with("method", "get")
                .deny(Reason.CAV_METHOD));
        all.add(is("method unknown", "method", "[\"GET\"]").deny(Reason.CAV_METHOD));
        all.add(is("method caveat in lower case", "method", "[\"get\"]").deny(Reason.MALFORMED));
        all.add(is("method caveat empty", "method", "[]").deny(Reason.MALFORMED));
    }

    private static void path(List<Vector> all) {
        for (String good : List.of("/o", "/o/", "/o/x", "/o/x/y;v=1", "/o/a%20b", "/o/..x", "/o/x.")) {
            all.add(is("path /o covers " + good, "path", "[\"/o\"]").with("path", good));
        }
        for (String bad : List.of(
                "/",
                "/ob",
                "/O",
                "/x/o",
                "",
                "o",
                "/o/../admin",
                "/o/..",
                "/o/./x",
                "/o//x",
                "/o/..;/admin",
                "/o/%2e%2e/x",
                "/o/.%2E/x",
                "/o/%2e%2e%3b/x",
                "/o%2fx",
                "/o/%5cx",
                "/o/\\x",
                "/o/%00",
                "/o/%",
                "/o/%f",
                "/o/%gg",
                "/o/%ff",
                "/o/x?y",
                "/o/x#y",
                "/o/é")) {
            all.add(is("path /o does not cover " + bad, "path", "[\"/o\"]")
                    .with("path", bad)
                    .deny(Reason.CAV_PATH));
        }
        all.add(is("path with slash covers below", "path", "[\"/a\",\"/o/\"]").with("path", "/o/x"));
        all.add(is("path with slash does not cover itself without", "path", "[\"/o/\"]")
                .with("path", "/o")
                .deny(Reason.CAV_PATH));
        all.add(is("path unknown", "path", "[\"/\"]").deny(Reason.CAV_PATH));
        all.add(is("path caveat with dots", "path", "[\"/o/../\"]")
                .with("path", "/o/")
                .deny(Reason.MALFORMED));
        all.add(is("path caveat without slash", "path", "[\"o\"]")
                .with("path", "/o")
                .deny(Reason.MALFORMED));
    }

    private static void ip(List<Vector> all) {
        String value = "[\"10.1.0.0/16\",\"2001:db8::/33\",\"192.0.2.7\"]";
        for (String inside : List.of("10.1.255.1", "2001:db8:7fff::1", "192.0.2.7", "::ffff:10.1.2.3")) {
            all.add(is("ip inside " + inside, "ip", value).with("peer", inside));
        }
        for (String outside : List.of("10.2.0.1", "2001:db8:8000::1", "192.0.2.8", "::10.1.2.3")) {
            all.add(is("ip outside " + outside, "ip", value)
                    .with("peer", outside)
                    .deny(Reason.CAV_IP));
        }
        all.add(is("ip unknown", "ip", "[\"0.0.0.0/0\",\"::/0\"]").deny(Reason.CAV_IP));
        all.add(is("ip mapped block", "ip", "[\"::ffff:10.0.0.0/104\"]").with("peer", "10.9.9.9"));
        for (String bad : List.of(
                "10.1.2.3/16",
                "10.1/16",
                "10.0.0.0/33",
                "010.0.0.0/8",
                "fe80::1%eth0",
                "example.com",
                "10.0.0.0/",
                "10.0.0.0/08",
                "::ffff:0:0/95",
                "1.2.3.4.5",
                "1.2.3.")) {
            all.add(is("ip caveat " + bad, "ip", "[\"" + bad + "\"]")
                    .with("peer", "10.1.2.3")
                    .deny(Reason.MALFORMED));
        }
    }

    private static void bind(List<Vector> all) {
        String dpop = "{\"jkt\":\"" + THUMBPRINT + "\"}";
        String certificate = "{\"x5t#S256\":\"" + THUMBPRINT + "\"}";
        all.add(is("bind to the DPoP key shown", "bind", dpop).with("dpop", THUMBPRINT));
        all.add(is("bind to another DPoP key", "bind", dpop).with("dpop", OTHER).deny(Reason.CAV_BIND));
        all.add(is("bind to a DPoP key, none shown", "bind", dpop).deny(Reason.CAV_BIND));
        all.add(is("bind to a DPoP key, certificate shown", "bind", dpop)
                .with("certificate", THUMBPRINT)
                .deny(Reason.CAV_BIND));
        all.add(is("bind to the certificate shown", "bind", certificate).with("certificate", THUMBPRINT));
        all.add(is("bind to both", "bind", "{\"jkt\":\"" + THUMBPRINT + "\",\"x5t#S256\":\"" + THUMBPRINT + "\"}")
                .deny(Reason.MALFORMED));
    }
}
