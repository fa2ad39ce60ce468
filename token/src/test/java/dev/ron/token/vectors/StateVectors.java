package dev.ron.token.vectors;

import dev.ron.token.Reason;
import dev.ron.token.TestIssuer;
import dev.ron.token.json.Base64Url;
import dev.ron.token.json.Json;
import dev.ron.token.pct.Caps;
import dev.ron.token.pct.Pct;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;

/** What depends on the moment, the revocations and the post-quantum mode. */
final class StateVectors {
    private static final String ID = "AAECAwQFBgcICQoLDA0ODw";

    private StateVectors() {}

    static List<Vector> times() {
        long exp = TestIssuer.IAT + 900;
        List<Vector> all = new ArrayList<>();
        all.add(plain("at exp").at(exp));
        all.add(plain("at exp + skew").at(exp + 60));
        all.add(plain("at exp + skew + 1").at(exp + 61).deny(Reason.EXPIRED));
        all.add(plain("at nbf - skew").at(TestIssuer.IAT - 60));
        all.add(plain("at nbf - skew - 1").at(TestIssuer.IAT - 61).deny(Reason.NOT_YET_VALID));
        for (String type : List.of("exp", "nbf")) {
            boolean end = type.equals("exp");
            long at = TestIssuer.IAT + 300;
            String token = RawToken.withCaveats("{\"t\":\"" + type + "\",\"v\":" + at + "}");
            all.add(Vector.allow(type + " caveat at the skew", token).at(end ? at + 60 : at - 60));
            all.add(Vector.allow(type + " caveat beyond the skew", token)
                    .at(end ? at + 61 : at - 61)
                    .deny(end ? Reason.EXPIRED : Reason.NOT_YET_VALID));
        }
        return all;
    }

    private static Vector plain(String name) {
        return Vector.allow(name, RawToken.withCaveats(""));
    }

    static List<Vector> revocations() throws Exception {
        List<Vector> all = new ArrayList<>();
        all.add(plain("nothing revoked"));
        all.add(plain("token id").revoking(id(ID)).deny(Reason.REVOKED));
        all.add(plain("another token id").revoking(id("AQECAwQFBgcICQoLDA0ODw")));
        String narrowed = RawToken.join(RawToken.segments(2));
        List<String> blocks = Pct.parse(narrowed, Caps.DEFAULT).chain().blocks().stream()
                .map(block -> block.id())
                .toList();
        for (String block : blocks) {
            all.add(get("branch by block id", narrowed).revoking(id(block)).deny(Reason.REVOKED));
        }
        all.add(get("branch revoked, stem good", RawToken.join(RawToken.segments(1)))
                .revoking(id(blocks.get(1))));
        all.add(get("root id ends every branch", narrowed).revoking(id(ID)).deny(Reason.REVOKED));
        all.add(plain("subject, token issued before")
                .revoking(subject("t1", TestIssuer.IAT + 10))
                .deny(Reason.REVOKED));
        all.add(plain("subject, token issued within the skew after")
                .revoking(subject("t1", TestIssuer.IAT - 60))
                .deny(Reason.REVOKED));
        all.add(plain("subject, token issued later").revoking(subject("t1", TestIssuer.IAT - 61)));
        all.add(plain("subject of another tenant").revoking(subject("t2", TestIssuer.IAT + 10)));
        all.add(plain("key")
                .revoking(Map.of("kind", new Json.Str("kid"), "kid", new Json.Str("1IG2tMH7J2wbJZnO")))
                .deny(Reason.REVOKED));
        all.add(plain("floor at the epoch").revoking(floor(42)));
        all.add(plain("floor above the epoch").revoking(floor(43)).deny(Reason.EPOCH_FLOOR));
        all.add(plain("global floor above tenant floor")
                .revoking(floor(43))
                .revoking(tenantFloor("t1", 41))
                .deny(Reason.EPOCH_FLOOR));
        all.add(plain("tenant floor above global floor")
                .revoking(tenantFloor("t1", 43))
                .revoking(floor(41))
                .deny(Reason.EPOCH_FLOOR));
        all.add(plain("floor of another tenant").revoking(tenantFloor("t2", 99)));
        return all;
    }

    private static Vector get(String name, String token) {
        return Vector.allow(name, token).with("method", "GET");
    }

    private static Map<String, Json> id(String id) {
        return Map.of("kind", new Json.Str("id"), "id", new Json.Str(id), "exp", new Json.Int(TestIssuer.IAT + 900));
    }

    private static Map<String, Json> subject(String tenant, long at) {
        return Map.of(
                "kind", new Json.Str("subject"),
                "tenant", new Json.Str(tenant),
                "sub", new Json.Str("sub-abc123"),
                "at", new Json.Int(at));
    }

    private static Map<String, Json> floor(long epoch) {
        return Map.of("kind", new Json.Str("floor"), "epoch", new Json.Int(epoch));
    }

    private static Map<String, Json> tenantFloor(String tenant, long epoch) {
        return Map.of(
                "kind", new Json.Str("tenant_floor"), "tenant", new Json.Str(tenant), "epoch", new Json.Int(epoch));
    }

    static List<Vector> pq(TestIssuer issuer) {
        String hybrid = issuer.mint().hybrid().token();
        String[] parts = hybrid.split("~", -1);
        String stripped = parts[0] + "~" + parts[1] + "~" + parts[3];
        String other = issuer.mint().hybrid().token().split("~", -1)[2];
        String swapped = String.join("~", parts[0], parts[1], other, parts[3]);
        List<Vector> all = new ArrayList<>();
        for (String mode : List.of("off", "hybrid", "enforce")) {
            Vector classical = plain("classical, " + mode).pq(mode);
            all.add(mode.equals("enforce") ? classical.deny(Reason.PQ_MISSING) : classical);
            all.add(Vector.allow("hybrid, " + mode, hybrid).pq(mode));
            all.add(Vector.allow("stripped, " + mode, stripped).pq(mode).deny(Reason.PQ_MISSING));
            all.add(Vector.allow("co-signature of another root, " + mode, swapped)
                    .pq(mode)
                    .deny(Reason.PQ_INVALID));
            all.add(Vector.allow("co-signature broken, " + mode, broken(hybrid, parts[2]))
                    .pq(mode)
                    .deny(Reason.PQ_INVALID));
            all.add(Vector.allow("Ed25519 broken, " + mode, broken(hybrid, parts[1]))
                    .pq(mode)
                    .deny(Reason.BAD_SIGNATURE));
            String narrowed = narrowed(hybrid);
            Vector block =
                    Vector.allow("hybrid with a block, " + mode, narrowed).pq(mode);
            all.add(mode.equals("enforce") ? block.deny(Reason.ALG_REFUSED) : block);
        }
        return all;
    }

    private static String narrowed(String hybrid) {
        String before = hybrid.substring(0, hybrid.lastIndexOf('~'));
        return before + "~" + RawToken.block(before, 0, "{\"t\":\"bytes\",\"v\":1}") + RawToken.proof(RawToken.seed(1));
    }

    private static String broken(String token, String segment) {
        int dot = segment.lastIndexOf('.') + 1;
        byte[] signature = Base64.getUrlDecoder().decode(segment.substring(dot));
        signature[7] ^= 1;
        return token.replace(segment, segment.substring(0, dot) + Base64Url.encode(signature));
    }
}
