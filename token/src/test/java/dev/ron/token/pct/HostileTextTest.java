package dev.ron.token.pct;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.token.Reason;
import dev.ron.token.Refused;
import dev.ron.token.TestIssuer;
import dev.ron.token.caveat.Caveat;
import dev.ron.token.crypto.Signatures;
import dev.ron.token.explain.Explainer;
import dev.ron.token.json.Base64Url;
import dev.ron.token.jwt.AtJwtValidator;
import dev.ron.token.jwt.JwtConfig;
import dev.ron.token.jwt.JwtTrust;
import dev.ron.token.keys.JwkSet;
import dev.ron.token.keys.KeyStatus;
import dev.ron.token.verify.Decision;
import dev.ron.token.verify.RequestContext;
import dev.ron.token.verify.SignatureCache;
import dev.ron.token.verify.TokenVerifier;
import dev.ron.token.verify.VerifierConfig;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** No text makes the library throw anything but its own refusal, and no changed text is accepted. */
class HostileTextTest {
    private final TestIssuer issuer = new TestIssuer();
    private final Attenuator attenuator = new Attenuator(Signatures.portable(), Caps.DEFAULT);
    private final Explainer explainer = new Explainer(Signatures.best(), Caps.DEFAULT, 60);
    private final TokenVerifier verifier =
            new TokenVerifier(VerifierConfig.of(TestIssuer.AUDIENCE), Signatures.best(), new SignatureCache(1 << 20));
    private final AtJwtValidator jwts = new AtJwtValidator(
            JwtConfig.of(TestIssuer.ISS, TestIssuer.AUDIENCE), Signatures.best(), new SignatureCache(1 << 20));
    private final JwtTrust trust = JwtTrust.of(TestIssuer.unchecked(
            () -> JwkSet.parse(JwkSet.write(issuer.keys(KeyStatus.ACTIVE), 1, 0).getBytes(StandardCharsets.UTF_8))));
    private final RequestContext request =
            RequestContext.at(TestIssuer.NOW).method("GET").build();
    private final String good = TestIssuer.unchecked(() -> attenuator.attenuate(
            issuer.mint().with(new Caveat.Method(List.of("GET"))).token(),
            List.of(new Caveat.Expires(TestIssuer.NOW + 60)),
            TestIssuer.NOW,
            new dev.ron.token.FixedRandom(TestIssuer.bytes(0x40))));

    @Property(tries = 3_000)
    void anyTextIsRefusedInTheLibrarysOwnWords(@ForAll("texts") String text) {
        try {
            Pct parsed = Pct.parse(text, Caps.DEFAULT);
            assertThat(parsed.text()).isEqualTo(text);
        } catch (Refused refused) {
            assertThat(refused.reason().kind()).isEqualTo(Reason.Kind.IDENTITY);
        }
        assertThat(verifier.verify(text, request, issuer.state()))
                .isInstanceOf(text.equals(good) ? Decision.Allow.class : Decision.Deny.class);
        assertThat(explainer.explain(text, TestIssuer.NOW).objections()).isNotNull();
        assertThat(jwts.validate(text, TestIssuer.NOW, true, trust)).isNotNull();
        try {
            assertThat(attenuator.seal(text)).isNotNull();
        } catch (Refused _) {
            // as it should
        }
    }

    @Property(tries = 3_000)
    void anyJsonInTheRightPlaceIsRefusedInTheLibrarysOwnWords(@ForAll("json") String json, @ForAll boolean inHeader) {
        String header = inHeader ? json : dev.ron.token.json.CanonicalJson.write(Root.header(issuer.key.kid()));
        String jws = Base64Url.encode(header) + "." + Base64Url.encode(json) + "." + "A".repeat(86);
        String text = "pct1~" + jws + "~p" + "A".repeat(43);
        assertThat(verifier.verify(text, request, issuer.state())).isInstanceOf(Decision.Deny.class);
        assertThat(jwts.validate(jws, TestIssuer.NOW, true, trust)).isNotNull();
        try {
            assertThat(JwkSet.parse(json.getBytes(StandardCharsets.UTF_8))).isNotNull();
        } catch (Refused _) {
            // as it should
        }
    }

    /** Each single character changed, by position: nothing of the text is without effect. */
    @Property(tries = 1_500)
    void anyChangedCharacterIsRefused(@ForAll Random random) {
        int at = random.nextInt(good.length());
        char other = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_~.=".charAt(random.nextInt(67));
        String changed = good.substring(0, at) + other + good.substring(at + 1);
        Decision decision = verifier.verify(changed, request, issuer.state());
        assertThat(decision).isInstanceOf(changed.equals(good) ? Decision.Allow.class : Decision.Deny.class);
    }

    @Property(tries = 500)
    void anyCutOrRepeatedPieceIsRefused(@ForAll Random random) {
        int from = random.nextInt(good.length());
        int to = from + 1 + random.nextInt(good.length() - from);
        String cut = good.substring(0, from) + good.substring(to);
        String repeated = good.substring(0, to) + good.substring(from);
        assertThat(verifier.verify(cut, request, issuer.state())).isInstanceOf(Decision.Deny.class);
        assertThat(verifier.verify(repeated, request, issuer.state())).isInstanceOf(Decision.Deny.class);
    }

    @Provide
    Arbitrary<String> texts() {
        Arbitrary<String> segments =
                Arbitraries.strings().withChars("Ae.J_-=9~").ofMaxLength(60);
        return Arbitraries.oneOf(
                Arbitraries.strings().ofMaxLength(200),
                segments.map(tail -> "pct1~" + tail),
                Combinators.combine(segments, segments).as((a, b) -> "pct1~" + a + "." + b + ".~s" + "A".repeat(43)),
                Combinators.combine(Arbitraries.integers().between(0, good.length()), segments)
                        .as((at, noise) -> good.substring(0, at) + noise + good.substring(at)),
                Arbitraries.integers().between(1, 9000).map(n -> "pct1~" + "~".repeat(n)),
                Arbitraries.integers().between(1, 20000).map(n -> "pct1~" + "e.".repeat(n)));
    }

    @Provide
    Arbitrary<String> json() {
        Arbitrary<String> atoms = Arbitraries.of(
                "{",
                "}",
                "[",
                "]",
                ":",
                ",",
                "\"t\"",
                "\"v\"",
                "\"cav\"",
                "\"keys\"",
                "\"kty\"",
                "\"OKP\"",
                "\"alg\"",
                "\"Ed25519\"",
                "\"crit\"",
                "1",
                "-0",
                "1e9",
                "null",
                "true",
                "\"\\ud800\"",
                "\"x\"",
                " ",
                "\u0000",
                "é");
        Arbitrary<String> soup = atoms.list().ofMaxSize(30).map(parts -> String.join("", parts));
        Arbitrary<String> deep = Arbitraries.integers().between(1, 1000).map(n -> "{\"a\":" + "[".repeat(n));
        Arbitrary<String> wide = Arbitraries.integers().between(1, 700).map(n -> "{\"cav\":[" + "1,".repeat(n) + "1]}");
        return Arbitraries.oneOf(soup, soup.map(inner -> "{" + inner + "}"), deep, wide);
    }
}
