package dev.ron.token.vectors;

import dev.ron.token.Reason;
import dev.ron.token.TestIssuer;
import dev.ron.token.crypto.Signatures;
import dev.ron.token.json.Base64Url;
import dev.ron.token.json.Json;
import dev.ron.token.jwt.JwtAlg;
import dev.ron.token.jwt.JwtConfig;
import dev.ron.token.keys.JwkSet;
import dev.ron.token.keys.KeyStatus;
import dev.ron.token.keys.Purpose;
import dev.ron.token.keys.TokenKey;
import java.nio.charset.StandardCharsets;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.security.interfaces.ECPublicKey;
import java.security.interfaces.RSAPublicKey;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.MGF1ParameterSpec;
import java.security.spec.PSSParameterSpec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Plain access tokens, good and bad, of our own and of outside issuers. */
final class JwtVectors {
    static final byte[] SEED = TestIssuer.bytes(0x60);
    static final TokenKey KEY = new TokenKey(Purpose.JWT, KeyStatus.ACTIVE, Signatures.publicKey(SEED));
    static final String AUDIENCE = "svc-admin";

    private static final String HEADER = "{\"alg\":\"EdDSA\",\"kid\":\"" + KEY.kid() + "\",\"typ\":\"at+jwt\"}";
    private static final String CLAIMS = "{\"iss\":\"https://passport.test\",\"sub\":\"u1\",\"aud\":\"svc-admin\","
            + "\"client_id\":\"console\",\"iat\":1760000000,\"nbf\":1760000000,\"exp\":1760000900,\"jti\":\"j1\","
            + "\"epoch\":42,\"roles\":[\"viewer\"]}";

    private final List<Json.Obj> vectors = new ArrayList<>();
    private final KeyPair rsa;
    private final KeyPair weakRsa;
    private final KeyPair ec;

    private JwtVectors() throws Exception {
        rsa = rsa(2048);
        weakRsa = rsa(1024);
        KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
        generator.initialize(new ECGenParameterSpec("secp256r1"));
        ec = generator.generateKeyPair();
    }

    private static KeyPair rsa(int bits) throws Exception {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
        generator.initialize(bits);
        return generator.generateKeyPair();
    }

    static void write() throws Exception {
        JwtVectors corpus = new JwtVectors();
        corpus.good();
        corpus.badHeaders();
        corpus.badClaims();
        new VectorFile(corpus.jwks(), corpus.vectors).write("jwt");
    }

    private String jwks() {
        String ours = JwkSet.write(
                List.of(KEY, new TokenKey(Purpose.PCT, KeyStatus.ACTIVE, Signatures.publicKey(TestIssuer.bytes(0)))),
                42,
                41);
        return ours.replace(
                "\"keys\":[",
                "\"keys\":[" + rsaJwk("rsa", rsa) + "," + rsaJwk("weak", weakRsa) + "," + ecJwk() + ","
                        + "{\"kty\":\"oct\",\"kid\":\"secret\",\"k\":\"AAAA\"},");
    }

    private static String rsaJwk(String kid, KeyPair pair) {
        RSAPublicKey key = (RSAPublicKey) pair.getPublic();
        return "{\"kty\":\"RSA\",\"kid\":\"" + kid + "\",\"n\":\""
                + Base64Url.encode(unsigned(key.getModulus().toByteArray(), 0)) + "\",\"e\":\"AQAB\"}";
    }

    private String ecJwk() {
        ECPublicKey key = (ECPublicKey) ec.getPublic();
        return "{\"kty\":\"EC\",\"crv\":\"P-256\",\"alg\":\"ES256\",\"kid\":\"ec\",\"x\":\""
                + Base64Url.encode(unsigned(key.getW().getAffineX().toByteArray(), 32)) + "\",\"y\":\""
                + Base64Url.encode(unsigned(key.getW().getAffineY().toByteArray(), 32)) + "\"}";
    }

    private static byte[] unsigned(byte[] bytes, int size) {
        int width = size > 0 ? size : bytes[0] == 0 ? bytes.length - 1 : bytes.length;
        byte[] result = new byte[width];
        int copied = Math.min(width, bytes.length);
        System.arraycopy(bytes, bytes.length - copied, result, width - copied, copied);
        return result;
    }

    private void good() throws Exception {
        add("of our own", ed(HEADER, CLAIMS), "", "");
        add("alg Ed25519", ed(HEADER.replace("EdDSA", "Ed25519"), CLAIMS), "", "");
        add("long type name", ed(HEADER.replace("at+jwt", "application/at+jwt"), CLAIMS), "", "");
        add("audience in a list", ed(HEADER, CLAIMS.replace("\"svc-admin\"", "[\"x\",\"svc-admin\"]")), "", "");
        add("at exp + skew", ed(HEADER, CLAIMS), "", "", TestIssuer.IAT + 960);
        add("untyped where allowed", ed(HEADER.replace("at+jwt", "JWT"), CLAIMS), "untyped", "");
        add("RS256 where allowed", rs256("RS256", CLAIMS), "RS256", "");
        add("PS256 where allowed", rs256("PS256", CLAIMS), "PS256", "");
        add("ES256 where allowed", es256(), "ES256", "");
        add("fractions and null in foreign claims", ed(HEADER, with("\"x\":1.5,\"y\":null")), "", "");
        add("allowed client", ed(HEADER, CLAIMS), "client=console", "");
    }

    private void badHeaders() throws Exception {
        String none = Base64Url.encode("{\"alg\":\"none\",\"typ\":\"at+jwt\"}") + "." + Base64Url.encode(CLAIMS) + ".";
        add("alg none", none, "", "alg_refused");
        add("alg HS256 keyed with the public key", hs256(), "", "alg_refused");
        add("alg RS256 not allowed", rs256("RS256", CLAIMS), "", "alg_refused");
        add("alg RS256 with an Ed25519 key", ed(HEADER.replace("EdDSA", "RS256"), CLAIMS), "RS256", "unknown_kid");
        add(
                "alg ES256 named for an RSA key",
                rs256("RS256", CLAIMS)
                        .replaceFirst(
                                "^[^.]*", Base64Url.encode("{\"alg\":\"ES256\",\"kid\":\"rsa\",\"typ\":\"at+jwt\"}")),
                "ES256",
                "unknown_kid");
        add("RSA of 1024 bits", sign("SHA256withRSA", weakRsa, "RS256", "weak", CLAIMS), "RS256", "unknown_kid");
        add("capability key", ed(HEADER.replace(KEY.kid(), "1IG2tMH7J2wbJZnO"), CLAIMS), "", "unknown_kid");
        add("no kid", ed(HEADER.replaceFirst("\"kid\":\"[^\"]*\",", ""), CLAIMS), "", "unknown_kid");
        add("unknown kid", ed(HEADER.replace(KEY.kid(), "nobody"), CLAIMS), "", "unknown_kid");
        for (String member : List.of("jku", "x5u", "jwk", "x5c", "crit")) {
            add(
                    "header with " + member,
                    ed(HEADER.replace("{", "{\"" + member + "\":[\"x\"],"), CLAIMS),
                    "",
                    "malformed");
        }
        add("untyped", ed(HEADER.replace("at+jwt", "JWT"), CLAIMS), "", "wrong_type");
        add(
                "a capability root",
                RawToken.root(RawToken.HEADER, RawToken.payload("")).substring(5),
                "",
                "malformed");
        add("duplicate header member", ed(HEADER.replace("{", "{\"alg\":\"EdDSA\","), CLAIMS), "", "malformed");
        String good = ed(HEADER, CLAIMS);
        add(
                "signature of another token",
                good.substring(0, good.lastIndexOf('.'))
                        + ed(HEADER, with("\"a\":1"))
                                .substring(ed(HEADER, with("\"a\":1")).lastIndexOf('.')),
                "",
                "bad_signature");
        add("encrypted", good + ".x.y", "", "malformed");
        add("padded", good + "==", "", "malformed");
    }

    private void badClaims() {
        add("another issuer", ed(HEADER, CLAIMS.replace("passport.test", "passport.test/")), "", "wrong_issuer");
        add("another audience", ed(HEADER, CLAIMS.replace("svc-admin", "svc-adminx")), "", "wrong_audience");
        add("no audience", ed(HEADER, CLAIMS.replace("\"aud\":\"svc-admin\",", "")), "", "wrong_audience");
        add("no exp", ed(HEADER, CLAIMS.replace("\"exp\":1760000900,", "")), "", "malformed");
        add("exp a fraction", ed(HEADER, CLAIMS.replace("1760000900", "1760000900.5")), "", "malformed");
        add("exp a string", ed(HEADER, CLAIMS.replace("1760000900", "\"1760000900\"")), "", "malformed");
        add("expired", ed(HEADER, CLAIMS), "", "expired", TestIssuer.IAT + 961);
        add("not yet", ed(HEADER, CLAIMS), "", "not_yet_valid", TestIssuer.IAT - 61);
        add("lives over a day", ed(HEADER, CLAIMS.replace("1760000900", "1760086401")), "", "malformed");
        add("an ID token by nonce", ed(HEADER, with("\"nonce\":\"x\"")), "", "wrong_type");
        add("an ID token by at_hash", ed(HEADER, with("\"at_hash\":\"x\"")), "", "wrong_type");
        add("below the floor", ed(HEADER, CLAIMS.replace("\"epoch\":42", "\"epoch\":40")), "", "epoch_floor");
        add("another client", ed(HEADER, CLAIMS), "client=other", "wrong_client");
        add("duplicate claim", ed(HEADER, with("\"sub\":\"root\"")), "", "malformed");
        add("no subject", ed(HEADER, CLAIMS.replace("\"sub\":\"u1\",", "")), "", "malformed");
    }

    private static String with(String members) {
        return CLAIMS.replaceFirst("\\{", "{" + members + ",");
    }

    private void add(String name, String token, String option, String reason) {
        add(name, token, option, reason, TestIssuer.NOW);
    }

    private void add(String name, String token, String option, String reason, long now) {
        Map<String, Json> members = new LinkedHashMap<>();
        members.put("name", new Json.Str(name));
        members.put("now", new Json.Int(now));
        members.put("option", new Json.Str(option));
        members.put("reason", new Json.Str(reason));
        members.put("token", new Json.Str(token));
        vectors.add(new Json.Obj(members));
    }

    /** The validator a vector asks for: strict, or with one thing allowed. */
    static JwtConfig config(String option) {
        JwtConfig config = JwtConfig.of(TestIssuer.ISS, AUDIENCE);
        if (option.startsWith("client=")) {
            return config.withClients(Set.of(option.substring(7)));
        }
        Optional<JwtAlg> alg = Arrays.stream(JwtAlg.values())
                .filter(candidate -> candidate.wire().equals(option))
                .findFirst();
        return alg.isPresent()
                ? config.withAlgs(Set.of(alg.get()))
                : config.withLeniency(false, option.equals("untyped"));
    }

    static Optional<Reason> reason(String wire) {
        return Arrays.stream(Reason.values()).filter(r -> r.wire().equals(wire)).findFirst();
    }

    private static String ed(String header, String claims) {
        return RawToken.jws(header, claims, SEED);
    }

    private String rs256(String alg, String claims) throws Exception {
        return sign(alg.equals("PS256") ? "RSASSA-PSS" : "SHA256withRSA", rsa, alg, "rsa", claims);
    }

    private String es256() throws Exception {
        return sign("SHA256withECDSAinP1363Format", ec, "ES256", "ec", CLAIMS);
    }

    private static String sign(String jca, KeyPair pair, String alg, String kid, String claims) throws Exception {
        String header = "{\"alg\":\"" + alg + "\",\"kid\":\"" + kid + "\",\"typ\":\"at+jwt\"}";
        String input = Base64Url.encode(header) + "." + Base64Url.encode(claims);
        Signature signer = Signature.getInstance(jca);
        if (jca.equals("RSASSA-PSS")) {
            signer.setParameter(new PSSParameterSpec("SHA-256", "MGF1", MGF1ParameterSpec.SHA256, 32, 1));
        }
        signer.initSign(pair.getPrivate());
        signer.update(input.getBytes(StandardCharsets.US_ASCII));
        return input + "." + Base64Url.encode(signer.sign());
    }

    private static String hs256() throws Exception {
        String input = Base64Url.encode(HEADER.replace("EdDSA", "HS256")) + "." + Base64Url.encode(CLAIMS);
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(Signatures.publicKey(SEED).bytes(), "HmacSHA256"));
        return input + "." + Base64Url.encode(mac.doFinal(input.getBytes(StandardCharsets.US_ASCII)));
    }
}
