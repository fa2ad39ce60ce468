package dev.ron.token.pct;

import dev.ron.token.Reason;
import dev.ron.token.Refused;
import dev.ron.token.json.Json;
import dev.ron.token.json.Members;
import java.util.List;
import java.util.Map;

/** The first block, signed by the issuer. */
public record Root(SignedText signed, String kid, RootClaims claims) {
    static Root parse(String text) throws Refused {
        Jws jws = Jws.parse(text, "root");
        return new Root(jws.signed(), requireHeader(jws.header("root header")), RootClaims.parse(jws.payload()));
    }

    /**
     * The header must be exactly ours. {@code crit} makes ordinary JWT libraries refuse the root, which someone could
     * otherwise cut out of a narrowed token and present with its full power.
     */
    private static String requireHeader(Json.Obj header) throws Refused {
        Members members = new Members(header, "root header");
        members.constant("alg", "Ed25519", Reason.ALG_REFUSED);
        members.constant("typ", "pct+jwt", Reason.WRONG_TYPE);
        if (members.integer("pct", 0, Integer.MAX_VALUE) != 1) {
            throw members.wrong("pct", "must be 1");
        }
        if (!members.strings("crit", 1, 1, 16).equals(List.of("pct"))) {
            throw members.wrong("crit", "must be [\"pct\"]");
        }
        String kid = members.encoded("kid", 12);
        members.end();
        return kid;
    }

    static Json header(String kid) {
        return new Json.Obj(Map.of(
                "alg", new Json.Str("Ed25519"),
                "crit", Json.Arr.ofStrings(List.of("pct")),
                "kid", new Json.Str(kid),
                "pct", new Json.Int(1),
                "typ", new Json.Str("pct+jwt")));
    }
}
