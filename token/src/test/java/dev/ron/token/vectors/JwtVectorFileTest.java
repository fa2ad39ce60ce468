package dev.ron.token.vectors;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.token.TestIssuer;
import dev.ron.token.crypto.Signatures;
import dev.ron.token.json.Json;
import dev.ron.token.json.Members;
import dev.ron.token.jwt.AtJwtValidator;
import dev.ron.token.jwt.JwtDecision;
import dev.ron.token.jwt.JwtTrust;
import dev.ron.token.keys.JwkSet;
import dev.ron.token.verify.SignatureCache;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

class JwtVectorFileTest {
    private final SignatureCache cache = new SignatureCache(1 << 20);

    @TestFactory
    Stream<DynamicTest> everyAccessTokenGivesItsVerdict() throws Exception {
        VectorFile file = VectorFile.read("jwt");
        JwtTrust trust = JwtTrust.of(JwkSet.parse(file.jwksBytes()));
        assertThat(file.vectors()).hasSizeGreaterThanOrEqualTo(30);
        return file.vectors().stream()
                .map(vector -> DynamicTest.dynamicTest(
                        String.valueOf(vector.members().get("name")), () -> check(vector, trust)));
    }

    private void check(Json.Obj vector, JwtTrust trust) throws Exception {
        Members members = new Members(vector, "vector");
        String token = members.string("token", 0, 8192);
        long now = members.integer("now", 0, Long.MAX_VALUE);
        String reason = members.string("reason", 0, 64);
        AtJwtValidator validator =
                new AtJwtValidator(JwtVectors.config(members.string("option", 0, 64)), Signatures.best(), cache);
        for (int sight = 0; sight < 2; sight++) {
            JwtDecision decision = validator.validate(token, now, true, trust);
            if (reason.isEmpty()) {
                assertThat(decision).isInstanceOfSatisfying(JwtDecision.Accepted.class, accepted -> {
                    assertThat(accepted.sub()).isEqualTo("u1");
                    assertThat(accepted.roles()).containsExactly("viewer");
                    assertThat(accepted.iss()).isEqualTo(TestIssuer.ISS);
                });
            } else {
                assertThat(decision)
                        .isInstanceOfSatisfying(
                                JwtDecision.Rejected.class,
                                rejected -> assertThat(rejected.reason())
                                        .isEqualTo(JwtVectors.reason(reason).orElseThrow()));
            }
        }
    }
}
