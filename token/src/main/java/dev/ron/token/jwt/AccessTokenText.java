package dev.ron.token.jwt;

import dev.ron.token.json.Base64Url;
import dev.ron.token.json.CanonicalJson;
import dev.ron.token.json.Json;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Lays out a new access token for an issuer to sign; the key stays with the issuer. */
public record AccessTokenText(String unsigned) {
    /** The claims RFC 9068 asks for, and ours. */
    public record Claims(
            String iss,
            String sub,
            List<String> aud,
            String clientId,
            long iat,
            long nbf,
            long exp,
            String jti,
            String scope,
            String tenant,
            long epoch,
            List<String> roles,
            List<String> groups,
            Optional<String> name) {}

    /** What {@code jwt.alg_id} may say: EdDSA is what most libraries read, ES256 what nearly all do. */
    public static AccessTokenText of(JwtAlg alg, String kid, Claims claims) {
        if (alg != JwtAlg.EDDSA && alg != JwtAlg.ED25519 && alg != JwtAlg.ES256) {
            throw new IllegalArgumentException("jwt.alg_id: " + alg.wire() + " (expected: EdDSA, Ed25519, ES256)");
        }
        Json header = new Json.Obj(
                Map.of("alg", new Json.Str(alg.wire()), "kid", new Json.Str(kid), "typ", new Json.Str("at+jwt")));
        return new AccessTokenText(Base64Url.encode(CanonicalJson.write(header)) + "."
                + Base64Url.encode(CanonicalJson.write(json(claims))));
    }

    private static Json json(Claims claims) {
        Map<String, Json> members = new LinkedHashMap<>();
        members.put("iss", new Json.Str(claims.iss));
        members.put("sub", new Json.Str(claims.sub));
        members.put("aud", Json.Arr.ofStrings(claims.aud));
        members.put("client_id", new Json.Str(claims.clientId));
        members.put("iat", new Json.Int(claims.iat));
        members.put("nbf", new Json.Int(claims.nbf));
        members.put("exp", new Json.Int(claims.exp));
        members.put("jti", new Json.Str(claims.jti));
        members.put("scope", new Json.Str(claims.scope));
        members.put("tid", new Json.Str(claims.tenant));
        members.put("epoch", new Json.Int(claims.epoch));
        members.put("roles", Json.Arr.ofStrings(claims.roles));
        members.put("groups", Json.Arr.ofStrings(claims.groups));
        claims.name.ifPresent(name -> members.put("name", new Json.Str(name)));
        return new Json.Obj(members);
    }

    public byte[] signingInput() {
        return unsigned.getBytes(StandardCharsets.US_ASCII);
    }

    public String sign(byte[] signature) {
        return unsigned + "." + Base64Url.encode(signature);
    }
}
