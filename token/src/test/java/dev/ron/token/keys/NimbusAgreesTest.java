package dev.ron.token.keys;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSObject;
import com.nimbusds.jose.crypto.Ed25519Verifier;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.OctetKeyPair;
import com.nimbusds.jose.proc.BadJOSEException;
import com.nimbusds.jose.proc.DefaultJOSEObjectTypeVerifier;
import com.nimbusds.jose.proc.SecurityContext;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.proc.DefaultJWTClaimsVerifier;
import com.nimbusds.jwt.proc.DefaultJWTProcessor;
import dev.ron.token.Reason;
import dev.ron.token.TestIssuer;
import dev.ron.token.caveat.Caveat;
import dev.ron.token.crypto.Signatures;
import dev.ron.token.jwt.AccessTokenText;
import dev.ron.token.jwt.AtJwtValidator;
import dev.ron.token.jwt.JwtAlg;
import dev.ron.token.jwt.JwtConfig;
import dev.ron.token.jwt.JwtDecision;
import dev.ron.token.jwt.JwtTrust;
import dev.ron.token.pct.Attenuator;
import dev.ron.token.pct.Caps;
import dev.ron.token.verify.SignatureCache;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Another library reads our keys and checks our signatures. */
class NimbusAgreesTest {
    private static final byte[] JWT_SEED = TestIssuer.bytes(0x60);
    private static final TokenKey JWT_KEY = new TokenKey(Purpose.JWT, KeyStatus.ACTIVE, Signatures.publicKey(JWT_SEED));

    private final TestIssuer issuer = new TestIssuer();
    private final String jwks = JwkSet.write(
            List.of(
                    new TokenKey(Purpose.PCT, KeyStatus.ACTIVE, issuer.key),
                    JWT_KEY,
                    new TokenKey(Purpose.FEED, KeyStatus.RETIRED, Signatures.publicKey(TestIssuer.bytes(0x70)))),
            42,
            7);

    @Test
    void theKeySetIsReadAndKidsAreThumbprints() throws Exception {
        JWKSet set = JWKSet.parse(jwks);
        assertThat(set.getKeys()).hasSize(2); // a retired key is not published
        for (JWK key : set.getKeys()) {
            assertThat(key.isPrivate()).isFalse();
            assertThat(key.computeThumbprint().toString()).startsWith(key.getKeyID());
        }
    }

    @Test
    void aRootIsAJwsThatAnyLibraryCanCheckButNoneAcceptsAsAJwt() throws Exception {
        String jws = issuer.mint().root().rootJws();
        OctetKeyPair key = JWKSet.parse(jwks).getKeyByKeyId(issuer.key.kid()).toOctetKeyPair();

        assertThat(JWSObject.parse(jws).verify(new Ed25519Verifier(key, Set.of("pct"))))
                .isTrue();
        // Without knowing "pct" the header's crit makes it refuse.
        assertThat(JWSObject.parse(jws).verify(new Ed25519Verifier(key))).isFalse();
    }

    @Test
    void aBlockIsAJwsUnderTheKeyTheRootNames() throws Exception {
        String token = new Attenuator(Signatures.best(), Caps.DEFAULT)
                .attenuate(issuer.mint().token(), List.of(new Caveat.Bytes(1)), TestIssuer.NOW, new SecureRandom());
        String[] segments = token.split("~", -1);
        Object nk = JWSObject.parse(segments[1]).getPayload().toJSONObject().get("nk");
        OctetKeyPair key = OctetKeyPair.parse("{\"kty\":\"OKP\",\"crv\":\"Ed25519\",\"x\":\"" + nk + "\"}");
        assertThat(JWSObject.parse(segments[2]).verify(new Ed25519Verifier(key)))
                .isTrue();
    }

    @Test
    void ourAccessTokensAreAcceptedByNimbusAndByUs() throws Exception {
        for (JwtAlg alg : List.of(JwtAlg.EDDSA, JwtAlg.ED25519)) {
            String token = accessToken(alg);
            JWTClaimsSet claims = processor(alg).process(token, null);
            assertThat(claims.getSubject()).isEqualTo("u1");

            JwtTrust trust = JwtTrust.of(JwkSet.parse(jwks.getBytes(StandardCharsets.UTF_8)));
            assertThat(ours().validate(token, now(), true, trust))
                    .isInstanceOfSatisfying(JwtDecision.Accepted.class, accepted -> {
                        assertThat(accepted.roles()).containsExactly("viewer", "ops", "a", "b");
                        assertThat(accepted.tenant()).contains("t1");
                        assertThat(accepted.name()).contains("Ada");
                    });
        }
    }

    @Test
    void aChangedAccessTokenIsRefusedByBoth() throws Exception {
        String token = accessToken(JwtAlg.EDDSA);
        int at = token.lastIndexOf('.') + 20;
        String changed = token.substring(0, at) + (token.charAt(at) == 'A' ? 'B' : 'A') + token.substring(at + 1);
        assertThatThrownBy(() -> processor(JwtAlg.EDDSA).process(changed, null)).isInstanceOf(BadJOSEException.class);
        JwtTrust trust = JwtTrust.of(JwkSet.parse(jwks.getBytes(StandardCharsets.UTF_8)));
        assertThat(ours().validate(changed, now(), true, trust)).isInstanceOf(JwtDecision.Rejected.class);
    }

    // the feed tells of a revoked key before the key set does, and how long it has been silent
    @Test
    void whatTheFeedSaysOfAKeyAndItsSilenceCountForAccessTokensToo() throws Exception {
        String token = accessToken(JwtAlg.EDDSA);
        JwkSet set = JwkSet.parse(jwks.getBytes(StandardCharsets.UTF_8));
        String kid = JWSObject.parse(token).getHeader().getKeyID();
        Revocations fresh = Revocations.none(now());
        assertThat(ours().validate(token, now(), false, trust(set, fresh))).isInstanceOf(JwtDecision.Accepted.class);
        Revocations revoked = fresh.with(List.of(new Revocation.Key(kid)), now());
        assertThat(reason(ours().validate(token, now(), true, trust(set, revoked))))
                .isEqualTo(Reason.REVOKED);

        JwtTrust silent = trust(set, Revocations.none(now() - 100));
        assertThat(ours().validate(token, now(), true, silent)).isInstanceOf(JwtDecision.Accepted.class);
        assertThat(reason(ours().validate(token, now(), false, silent))).isEqualTo(Reason.STALE_STATE);
        assertThat(reason(ours().validate(token, now(), true, trust(set, Revocations.none(now() - 400)))))
                .isEqualTo(Reason.STALE_STATE);
    }

    private static JwtTrust trust(JwkSet set, Revocations revocations) {
        return new JwtTrust(set, Optional.of(revocations), Tenants.ALL);
    }

    private static Reason reason(JwtDecision decision) {
        return ((JwtDecision.Rejected) decision).reason();
    }

    private static AtJwtValidator ours() {
        return new AtJwtValidator(
                JwtConfig.of(TestIssuer.ISS, "svc-admin"), Signatures.best(), new SignatureCache(1 << 20));
    }

    private static long now() {
        return System.currentTimeMillis() / 1000; // nimbus reads the real clock
    }

    private static String accessToken(JwtAlg alg) {
        AccessTokenText text = AccessTokenText.of(
                alg,
                JWT_KEY.kid(),
                new AccessTokenText.Claims(
                        TestIssuer.ISS,
                        "u1",
                        List.of("svc-admin"),
                        "console",
                        now(),
                        now(),
                        now() + 900,
                        "j1",
                        "a b",
                        "t1",
                        42,
                        List.of("viewer"),
                        List.of("ops"),
                        Optional.of("Ada")));
        return text.sign(Signatures.best().sign(JWT_SEED, text.signingInput()));
    }

    private DefaultJWTProcessor<SecurityContext> processor(JwtAlg alg) throws Exception {
        DefaultJWTProcessor<SecurityContext> processor = new DefaultJWTProcessor<>();
        OctetKeyPair key = JWKSet.parse(jwks).getKeyByKeyId(JWT_KEY.kid()).toOctetKeyPair();
        processor.setJWSTypeVerifier(new DefaultJOSEObjectTypeVerifier<>(new JOSEObjectType("at+jwt")));
        processor.setJWSVerifierFactory(new com.nimbusds.jose.crypto.factories.DefaultJWSVerifierFactory() {
            @Override
            public com.nimbusds.jose.JWSVerifier createJWSVerifier(
                    com.nimbusds.jose.JWSHeader header, java.security.Key unused)
                    throws com.nimbusds.jose.JOSEException {
                return new Ed25519Verifier(key);
            }
        });
        processor.setJWSKeySelector((header, context) -> header.getAlgorithm().equals(JWSAlgorithm.parse(alg.wire()))
                ? List.of(new javax.crypto.spec.SecretKeySpec(new byte[32], "unused"))
                : List.of());
        processor.setJWTClaimsSetVerifier(new DefaultJWTClaimsVerifier<>(
                "svc-admin",
                new JWTClaimsSet.Builder().issuer(TestIssuer.ISS).build(),
                Set.of("sub", "exp", "iat", "jti", "client_id")));
        return processor;
    }
}
