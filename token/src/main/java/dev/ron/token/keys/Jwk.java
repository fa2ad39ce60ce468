package dev.ron.token.keys;

import dev.ron.token.Refused;
import dev.ron.token.crypto.Ed25519Key;
import dev.ron.token.crypto.ForeignKey;
import dev.ron.token.crypto.MlDsaKey;
import dev.ron.token.crypto.VerifyingKey;
import dev.ron.token.json.Base64Url;
import dev.ron.token.json.Json;
import dev.ron.token.json.Members;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** One public key of a JWK set (RFC 7517) that this library can use. */
public record Jwk(Optional<String> kid, Optional<String> alg, Optional<Purpose> purpose, VerifyingKey key) {
    /** Empty for key types, curves and uses that are not ours; refused if a key of ours is weak or malformed. */
    static Optional<Jwk> parse(Json.Obj object) throws Refused {
        Members members = new Members(object, "JWK");
        if (!members.optionalString("use", 1, 64).orElse("sig").equals("sig")) {
            return Optional.empty();
        }
        Optional<VerifyingKey> key = material(members);
        if (key.isEmpty()) {
            return Optional.empty();
        }
        Optional<String> kid = members.optionalString("kid", 1, 256);
        Optional<String> alg = members.optionalString("alg", 1, 64);
        Optional<String> purpose = members.optionalString("pur", 1, 64);
        if (purpose.isPresent() && Purpose.of(purpose.get()).isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(new Jwk(kid, alg, purpose.flatMap(Purpose::of), key.get()));
    }

    private static Optional<VerifyingKey> material(Members members) throws Refused {
        String kty = members.string("kty", 1, 64);
        String curve = members.optionalString("crv", 1, 64).orElse("");
        if (kty.equals("OKP") && curve.equals("Ed25519")) {
            return Optional.of(Ed25519Key.ofIssuer(Base64Url.decode(members.string("x", 1, 64), "JWK x")));
        }
        if (kty.equals("AKP") && members.has("pub")) {
            byte[] raw = Base64Url.decode(members.string("pub", 1, 8192), "JWK pub");
            return raw.length == MlDsaKey.SIZE ? Optional.of(MlDsaKey.of(raw)) : Optional.empty();
        }
        if (kty.equals("RSA")) {
            return Optional.of(ForeignKey.rsa(members.string("n", 1, 2048), members.string("e", 1, 16)));
        }
        if (kty.equals("EC") && curve.equals("P-256")) {
            return Optional.of(ForeignKey.p256(members.string("x", 1, 64), members.string("y", 1, 64)));
        }
        return Optional.empty();
    }

    /**
     * Writes a key of ours; there is no private member to leave out, since none is ever held here.
     *
     * @param plain what Ed25519 is called in the headers of plain JWTs
     */
    static Json toJson(TokenKey key, String plain) {
        Map<String, Json> members = new LinkedHashMap<>();
        switch (key.key()) {
            case Ed25519Key ed -> {
                members.put("kty", new Json.Str("OKP"));
                members.put("crv", new Json.Str("Ed25519"));
                members.put("x", new Json.Str(ed.encoded()));
                // For plain JWTs the name that they bear, since libraries compare the two; capability roots have the
                // fully specified one of RFC 9864.
                members.put("alg", new Json.Str(key.purpose() == Purpose.JWT ? plain : "Ed25519"));
            }
            case MlDsaKey mlDsa -> {
                members.put("kty", new Json.Str("AKP"));
                members.put("alg", new Json.Str(MlDsaKey.ALG));
                members.put("pub", new Json.Str(mlDsa.encoded()));
            }
            case ForeignKey ec -> {
                members.put("kty", new Json.Str("EC"));
                members.put("crv", new Json.Str("P-256"));
                members.put("x", new Json.Str(ec.x()));
                members.put("y", new Json.Str(ec.y()));
                members.put("alg", new Json.Str("ES256"));
            }
        }
        members.put("kid", new Json.Str(key.kid()));
        members.put("use", new Json.Str("sig"));
        members.put("pur", new Json.Str(key.purpose().published()));
        return new Json.Obj(members);
    }
}
