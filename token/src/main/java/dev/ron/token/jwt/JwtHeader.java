package dev.ron.token.jwt;

import dev.ron.token.Reason;
import dev.ron.token.Refused;
import dev.ron.token.json.Json;
import dev.ron.token.json.Members;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The header of an access token, reduced to the two members that may steer a verifier. */
record JwtHeader(JwtAlg alg, Optional<String> kid) {
    /** Members by which a token would bring its own key, or change what is signed. */
    private static final List<String> FORBIDDEN = List.of("jku", "jwk", "x5u", "x5c", "crit", "b64", "zip");

    static JwtHeader parse(Json.Obj header, JwtConfig config) throws Refused {
        Members members = new Members(header, "header");
        for (String name : FORBIDDEN) {
            if (members.has(name)) {
                throw members.wrong(name, "is not accepted");
            }
        }
        JwtAlg alg = JwtAlg.of(members.string("alg", 1, 64))
                .filter(config.algs()::contains)
                .orElseThrow(() -> new Refused(Reason.ALG_REFUSED, "the header's alg is not allowed here"));
        requireType(members, config);
        return new JwtHeader(alg, members.optionalString("kid", 1, 256));
    }

    private static void requireType(Members members, JwtConfig config) throws Refused {
        String type = members.optionalString("typ", 1, 64).orElse("JWT").toLowerCase(Locale.ROOT);
        boolean accessToken = type.equals("at+jwt") || type.equals("application/at+jwt");
        if (!accessToken && !(config.allowUntyped() && type.equals("jwt"))) {
            throw new Refused(Reason.WRONG_TYPE, "typ must be at+jwt");
        }
    }
}
