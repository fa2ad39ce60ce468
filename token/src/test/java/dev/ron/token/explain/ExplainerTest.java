package dev.ron.token.explain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.token.Reason;
import dev.ron.token.TestIssuer;
import dev.ron.token.caveat.Binding;
import dev.ron.token.caveat.Caveat;
import dev.ron.token.caveat.Cidr;
import dev.ron.token.caveat.PathPrefix;
import dev.ron.token.crypto.Signatures;
import dev.ron.token.pct.Attenuator;
import dev.ron.token.pct.Caps;
import dev.ron.token.verify.RequestContext;
import dev.ron.token.verify.SignatureCache;
import dev.ron.token.verify.TokenVerifier;
import dev.ron.token.verify.VerifierConfig;
import java.security.SecureRandom;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class ExplainerTest {
    private static final long NOW = TestIssuer.NOW;

    private final TestIssuer issuer = new TestIssuer();
    private final Explainer explainer = new Explainer(Signatures.best(), Caps.DEFAULT, 60);
    private final Attenuator attenuator = new Attenuator(Signatures.best(), Caps.DEFAULT);

    @Test
    void saysEveryCaveatInWords() throws Exception {
        String key = "A".repeat(43);
        assertWords(new Caveat.Expires(NOW + 600), "only until 2025-10-09T09:03:50Z (in 10 min)");
        assertWords(new Caveat.NotBefore(NOW - 5), "only from 2025-10-09T08:53:45Z (5 s ago)");
        assertWords(new Caveat.Audience(List.of("svc-gateway")), "only at svc-gateway");
        assertWords(new Caveat.Scope(List.of("a:b", "c:d", "e:f")), "only for a:b, c:d or e:f");
        assertWords(new Caveat.Method(List.of("GET", "PUT")), "only GET or PUT");
        assertWords(
                new Caveat.Path(List.of(PathPrefix.of("/o/"), PathPrefix.of("/x"))), "only below /o/ or /x and below");
        assertWords(new Caveat.Tenant("t1"), "only for tenant t1");
        assertWords(new Caveat.Ip(List.of(Cidr.parse("10.0.0.0/8"))), "only from 10.0.0.0/8");
        assertWords(new Caveat.Bytes(1 << 20), "only bodies up to 1 MiB");
        assertWords(new Caveat.Rate(5, 10), "at most 5 request(s) per second, in bursts of up to 10");
        assertWords(
                new Caveat.Budget(OptionalLong.of(3), OptionalLong.of(2048)),
                "at most 3 request(s) and 2 KiB of bodies in all, at each verifier");
        assertWords(
                new Caveat.Bind(new Binding(Binding.Kind.CERTIFICATE, key)),
                "only over a connection with client certificate " + key);
        assertWords(
                new Caveat.Unknown("region"),
                "a restriction of type \"region\" that this version does not know: always refused");
    }

    private static void assertWords(Caveat caveat, String words) {
        assertThat(CaveatWords.of(caveat, NOW)).isEqualTo(words);
    }

    @Test
    void tellsWhoseTokenItIsAndShowsNoPartOfTheProof() throws Exception {
        String token = attenuator.attenuate(
                issuer.mint().with(new Caveat.Rate(5, 10)).token(),
                List.of(new Caveat.Method(List.of("GET"))),
                NOW,
                new SecureRandom());
        Explanation explanation = explainer.explain(token, NOW);
        assertThat(explanation.facts())
                .contains(
                        "issued by https://passport.test to client ci-runner",
                        "speaks for subject sub-abc123 of tenant t1",
                        "meant for svc-gateway",
                        "narrowed once",
                        "open: the holder can narrow it further");
        assertThat(explanation.restrictions())
                .extracting(Explanation.Restriction::block, Explanation.Restriction::type)
                .containsExactly(
                        org.assertj.core.groups.Tuple.tuple(0, "rate"),
                        org.assertj.core.groups.Tuple.tuple(1, "method"));
        assertThat(explanation.objections()).isEmpty();
        assertThat(explanation.unchecked()).isNotEmpty();
        String proof = token.substring(token.lastIndexOf('~') + 2);
        assertThat(explanation.toString()).doesNotContain(proof);
    }

    @Test
    void findsOfflineWhatSpeaksAgainstAToken() throws Exception {
        String token = attenuator.attenuate(
                issuer.mint().token(), List.of(new Caveat.Expires(NOW + 10)), NOW, new SecureRandom());
        assertThat(reasons(explainer.explain(token, NOW + 1000))).containsExactly(Reason.EXPIRED, Reason.EXPIRED);
        assertThat(reasons(explainer.explain(token, NOW - 1000))).containsExactly(Reason.NOT_YET_VALID);

        String cut = token.substring(0, token.indexOf('~', 5)) + token.substring(token.lastIndexOf('~'));
        assertThat(reasons(explainer.explain(cut, NOW))).containsExactly(Reason.BAD_PROOF);
        int at = token.lastIndexOf('.') + 5;
        String forged = token.substring(0, at) + (token.charAt(at) == 'A' ? 'B' : 'A') + token.substring(at + 1);
        assertThat(reasons(explainer.explain(forged, NOW))).containsExactly(Reason.BAD_SIGNATURE);
        assertThat(reasons(explainer.explain("nonsense", NOW))).containsExactly(Reason.MALFORMED);
    }

    @Test
    void withAVerifierItAlsoSaysWhatTheRequestLacks() {
        TokenVerifier verifier =
                new TokenVerifier(VerifierConfig.of("svc-gateway"), Signatures.best(), new SignatureCache(1 << 20));
        RequestContext request =
                RequestContext.at(NOW).method("POST").readOnly().build();
        String token = issuer.mint()
                .with(new Caveat.Method(List.of("GET")), new Caveat.Scope(List.of("a:b")))
                .token();
        Explanation explanation = explainer.explain(token, NOW, verifier, request, issuer.state());
        assertThat(reasons(explanation)).containsExactly(Reason.CAV_METHOD, Reason.CAV_SCOPE);
        assertThat(explanation.unchecked()).isEmpty();
    }

    private static List<Reason> reasons(Explanation explanation) {
        return explanation.objections().stream()
                .map(Explanation.Objection::reason)
                .toList();
    }
}
