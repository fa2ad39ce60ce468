package dev.ron.token.vectors;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.token.TestIssuer;
import dev.ron.token.crypto.Signatures;
import dev.ron.token.keys.IssuerState;
import dev.ron.token.keys.JwkSet;
import dev.ron.token.keys.KeyState;
import dev.ron.token.keys.Revocations;
import dev.ron.token.keys.Tenants;
import dev.ron.token.verify.Decision;
import dev.ron.token.verify.PqMode;
import dev.ron.token.verify.SignatureCache;
import dev.ron.token.verify.TokenVerifier;
import dev.ron.token.verify.VerifierConfig;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Every vector file, each vector twice (unseen and remembered), with each implementation of Ed25519. */
class VectorFilesTest {
    @TestFactory
    Stream<DynamicTest> everyVectorGivesItsVerdict() {
        return Stream.of("caveats", "blocks", "headers", "encodings", "times", "revocations", "pq")
                .flatMap(group -> Stream.of(Signatures.best(), Signatures.portable())
                        .flatMap(signatures -> tests(group, signatures)));
    }

    private static Stream<DynamicTest> tests(String group, Signatures signatures) {
        VectorFile file = TestIssuer.unchecked(() -> VectorFile.read(group));
        SignatureCache cache = new SignatureCache(1 << 22);
        return file.vectors().stream().map(json -> {
            Vector vector = TestIssuer.unchecked(() -> Vector.parse(json));
            return DynamicTest.dynamicTest(
                    group + ": " + vector.name() + " (" + signatures.engine() + ")",
                    () -> check(vector, file, signatures, cache));
        });
    }

    private static void check(Vector vector, VectorFile file, Signatures signatures, SignatureCache cache)
            throws Exception {
        IssuerState issuer = IssuerState.of(
                TestIssuer.ISS,
                JwkSet.parse(file.jwksBytes()).tokenKeys(),
                Revocations.none(vector.now()).with(vector.revoked(), vector.now()),
                Tenants.ALL);
        VerifierConfig config = VerifierConfig.of(TestIssuer.AUDIENCE)
                .withPq(PqMode.valueOf(vector.pqMode().toUpperCase(Locale.ROOT)));
        TokenVerifier verifier = new TokenVerifier(config, signatures, cache);
        for (String sight : new String[] {"first sight", "second sight"}) {
            Decision decision = verifier.verify(vector.token(), vector.context(), KeyState.of(issuer));
            if (vector.reason().isEmpty()) {
                assertThat(decision).as(sight).isInstanceOf(Decision.Allow.class);
            } else {
                assertThat(decision)
                        .as(sight)
                        .isInstanceOfSatisfying(
                                Decision.Deny.class,
                                deny -> assertThat(deny.reason())
                                        .isEqualTo(vector.reason().get()));
            }
        }
    }

    @Test
    void theKeySetHoldsNoPrivateMember() throws Exception {
        assertThat(VectorFile.read("caveats").jwks()).doesNotContain("\"d\":", "\"priv\":", "\"seed\":");
    }
}
