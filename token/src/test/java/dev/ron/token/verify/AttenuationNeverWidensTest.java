package dev.ron.token.verify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.token.FixedRandom;
import dev.ron.token.TestIssuer;
import dev.ron.token.caveat.Binding;
import dev.ron.token.caveat.Caveat;
import dev.ron.token.caveat.Cidr;
import dev.ron.token.caveat.PathPrefix;
import dev.ron.token.crypto.Signatures;
import dev.ron.token.pct.Attenuator;
import dev.ron.token.pct.Caps;
import dev.ron.token.pct.Pct;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.OptionalLong;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.statistics.Statistics;

/** Whatever a holder adds, the token allows no request it did not allow before, and no obligation becomes weaker. */
class AttenuationNeverWidensTest {
    private static final String KEY_A = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8";
    private static final String KEY_B = "AQECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8";

    private final TestIssuer issuer = new TestIssuer();
    private final Attenuator attenuator = new Attenuator(Signatures.best(), Caps.DEFAULT);
    private final TokenVerifier verifier =
            new TokenVerifier(VerifierConfig.of(TestIssuer.AUDIENCE), Signatures.best(), new SignatureCache(1 << 22));

    @Property(tries = 10_000, edgeCases = EdgeCasesMode.NONE)
    void addingACaveatNeverWidens(
            @ForAll("caveats") List<Caveat> rootCaveats,
            @ForAll("caveat") Caveat added,
            @ForAll("requests") RequestContext request)
            throws Exception {
        String parent = issuer.mint().with(rootCaveats.toArray(Caveat[]::new)).token();
        String child =
                attenuator.attenuate(parent, List.of(added), TestIssuer.NOW, new FixedRandom(TestIssuer.bytes(0x50)));

        Decision before = verifier.verify(parent, request, issuer.state());
        Decision after = verifier.verify(child, request, issuer.state());

        Statistics.collect(before instanceof Decision.Allow, after instanceof Decision.Allow);
        if (after instanceof Decision.Allow narrow) {
            assertThat(before).isInstanceOf(Decision.Allow.class);
            assertNoWeaker(((Decision.Allow) before), narrow);
        }
    }

    // what a service takes only from who was given it by name: no block gives it, and every block may take it away
    @Property(tries = 2_000, edgeCases = EdgeCasesMode.NONE)
    void addingACaveatNeverGrantsAnOperation(
            @ForAll("caveats") List<Caveat> rootCaveats, @ForAll("caveat") Caveat added) throws Exception {
        String parent = issuer.mint().with(rootCaveats.toArray(Caveat[]::new)).token();
        String child =
                attenuator.attenuate(parent, List.of(added), TestIssuer.NOW, new FixedRandom(TestIssuer.bytes(0x50)));

        boolean before = Pct.parse(parent, Caps.DEFAULT).chain().grants("a:write");
        boolean after = Pct.parse(child, Caps.DEFAULT).chain().grants("a:write");

        Statistics.collect(before, after);
        boolean stays = !(added instanceof Caveat.Scope(List<String> operations)) || operations.contains("a:write");
        assertThat(after).isEqualTo(before && stays);
    }

    private static void assertNoWeaker(Decision.Allow before, Decision.Allow after) {
        Obligations old = before.obligations();
        Obligations now = after.obligations();
        assertThat(now.rates()).containsAll(old.rates());
        assertThat(now.budgets()).containsAll(old.budgets());
        assertThat(now.maxBodyBytes().orElse(Long.MAX_VALUE))
                .isLessThanOrEqualTo(old.maxBodyBytes().orElse(Long.MAX_VALUE));
        assertThat(after.principal().expiresAt())
                .isLessThanOrEqualTo(before.principal().expiresAt());
        assertThat(after.principal().tokenId()).isEqualTo(before.principal().tokenId());
        assertThat(after.principal().tenant()).isEqualTo(before.principal().tenant());
    }

    @Property(tries = 1_000, edgeCases = EdgeCasesMode.NONE)
    void theOrderOfCaveatsNeverChangesTheVerdict(
            @ForAll("caveats") List<Caveat> caveats, @ForAll("requests") RequestContext request, @ForAll long seed) {
        List<Caveat> shuffled = new ArrayList<>(caveats);
        Collections.shuffle(shuffled, new Random(seed));
        Decision one = verifier.verify(
                issuer.mint().with(caveats.toArray(Caveat[]::new)).token(), request, issuer.state());
        Decision other = verifier.verify(
                issuer.mint().with(shuffled.toArray(Caveat[]::new)).token(), request, issuer.state());
        assertThat(one.getClass()).isEqualTo(other.getClass());
    }

    // Values are drawn from few, so that caveats and requests meet often enough for both verdicts.

    @Provide
    Arbitrary<List<Caveat>> caveats() {
        return caveat().list().ofMaxSize(3);
    }

    @Provide
    Arbitrary<Caveat> caveat() {
        return Arbitraries.oneOf(
                moments().map(Caveat.Expires::new),
                moments().map(Caveat.NotBefore::new),
                some("svc-gateway", "svc-admin").map(Caveat.Audience::new),
                some("a:read", "a:write").map(Caveat.Scope::new),
                some("GET", "PUT", "POST").map(Caveat.Method::new),
                some("/", "/o", "/o/", "/o/x", "/ob")
                        .map(paths -> new Caveat.Path(paths.stream()
                                .map(path -> TestIssuer.unchecked(() -> PathPrefix.of(path)))
                                .toList())),
                Arbitraries.of("t1", "t2").map(Caveat.Tenant::new),
                some("10.0.0.0/8", "10.1.0.0/16", "::/0", "0.0.0.0/0")
                        .map(blocks -> new Caveat.Ip(blocks.stream()
                                .map(block -> TestIssuer.unchecked(() -> Cidr.parse(block)))
                                .toList())),
                Arbitraries.longs().between(0, 200).map(Caveat.Bytes::new),
                Arbitraries.longs().between(1, 9).map(n -> new Caveat.Rate(n, n + 1)),
                Arbitraries.longs().between(0, 9).map(n -> new Caveat.Budget(OptionalLong.of(n), OptionalLong.empty())),
                Arbitraries.of(KEY_A, KEY_B).map(key -> new Caveat.Bind(new Binding(Binding.Kind.DPOP, key))));
    }

    private static Arbitrary<Long> moments() {
        return Arbitraries.longs().between(TestIssuer.NOW - 200, TestIssuer.NOW + 200);
    }

    private static Arbitrary<List<String>> some(String... values) {
        return Arbitraries.of(values).list().uniqueElements().ofMinSize(1).ofMaxSize(2);
    }

    @Provide
    Arbitrary<RequestContext> requests() {
        Arbitrary<InetAddress> peers =
                Arbitraries.of("10.0.0.1", "10.1.0.1", "::1", "192.0.2.1").map(InetAddress::ofLiteral);
        return Combinators.combine(
                        Arbitraries.of("GET", "PUT"),
                        Arbitraries.of("/", "/o", "/o/x", "/o/x/y", "/ob", "/o/../x"),
                        Arbitraries.of("a:read", "a:write"),
                        peers,
                        Arbitraries.of(KEY_A, KEY_B),
                        Arbitraries.longs().between(-1, 200))
                .as((method, path, scope, peer, key, length) -> RequestContext.at(TestIssuer.NOW)
                        .method(method)
                        .path(path)
                        .scope(scope)
                        .peer(peer)
                        .dpopThumbprint(key)
                        .contentLength(length)
                        .build());
    }
}
