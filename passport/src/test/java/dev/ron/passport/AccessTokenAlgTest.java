package dev.ron.passport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.http.json.StrictJson;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.AlgorithmParameters;
import java.security.KeyFactory;
import java.security.Signature;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.ECParameterSpec;
import java.security.spec.ECPoint;
import java.security.spec.ECPublicKeySpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;

/** {@code passport.jwt.alg_id}: under which name access tokens are signed, and that the published keys say the same. */
@Timeout(60)
class AccessTokenAlgTest {
    // a reload  ->  the next token bears the new name, its key states it, and what was issued before stays good
    @Test
    void theNameChangesWithAReloadAndEarlierTokensStayGood() throws Exception {
        try (OfficeProcess office = OfficeProcess.inMemory()) {
            List<String> earlier = new ArrayList<>();
            for (String alg : List.of("EdDSA", "ES256", "Ed25519")) {
                office.reload("passport.jwt.alg_id=" + alg);
                String token = office.issue("\"format\":\"jwt\"");
                earlier.add(token);
                JsonNode header = part(token, 0);
                assertThat(header.path("alg").asString()).isEqualTo(alg);
                JsonNode key = key(office, header.path("kid").asString());
                assertThat(key.path("alg").asString()).as("what its key states").isEqualTo(alg);
                assertThat(key.path("pur").asString()).isEqualTo("jwt");
                assertThat(office.get("/.well-known/openid-configuration")
                                .body()
                                .path("id_token_signing_alg_values_supported")
                                .path(0)
                                .asString())
                        .isEqualTo(alg);
            }
            for (String token : earlier) {
                assertThat(office.verify(token).body().path("ok").asBoolean())
                        .as(token)
                        .isTrue();
            }
            String last = "{\"token\":\"" + earlier.get(1) + "\"}";
            assertThat(office.post("/v1/passport/revoke", last).status()).isEqualTo(200);
            assertThat(office.verify(earlier.get(1)).reason()).isEqualTo("revoked");
            assertThat(office.verify(earlier.get(0)).body().path("ok").asBoolean())
                    .isTrue();
        }
    }

    // the key as it is published and the JDK alone  ->  the signature holds; with one bit of the claims changed it does
    // not
    @Test
    void anEs256TokenIsOneForWhoeverKnowsNothingOfUs() throws Exception {
        try (OfficeProcess office = OfficeProcess.inMemory("passport.jwt.alg_id=ES256")) {
            String token = office.issue("\"format\":\"jwt\"");
            JsonNode key = key(office, part(token, 0).path("kid").asString());
            assertThat(key.path("kty").asString()).isEqualTo("EC");
            assertThat(key.has("d")).isFalse();
            AlgorithmParameters curve = AlgorithmParameters.getInstance("EC");
            curve.init(new ECGenParameterSpec(
                    key.path("crv").asString().equals("P-256") ? "secp256r1" : "the published curve is unknown"));
            ECPoint point = new ECPoint(
                    new BigInteger(1, decoded(key.path("x").asString())),
                    new BigInteger(1, decoded(key.path("y").asString())));
            Signature verifier = Signature.getInstance("SHA256withECDSAinP1363Format");
            int end = token.lastIndexOf('.');
            for (int change : List.of(0, 1)) {
                byte[] signed = token.substring(0, end).getBytes(StandardCharsets.US_ASCII);
                signed[signed.length / 2] ^= (byte) change;
                verifier.initVerify(KeyFactory.getInstance("EC")
                        .generatePublic(new ECPublicKeySpec(point, curve.getParameterSpec(ECParameterSpec.class))));
                verifier.update(signed);
                assertThat(verifier.verify(decoded(token.substring(end + 1)))).isEqualTo(change == 0);
            }
        }
    }

    private static JsonNode key(OfficeProcess office, String kid) {
        for (JsonNode key : office.get("/.well-known/jwks.json").body().path("keys")) {
            if (key.path("kid").asString().equals(kid)) {
                return key;
            }
        }
        throw new AssertionError("no key " + kid + " is published");
    }

    private static JsonNode part(String token, int place) {
        return new StrictJson().tree(decoded(token.split("\\.", -1)[place]));
    }

    private static byte[] decoded(String text) {
        return Base64.getUrlDecoder().decode(text);
    }
}
