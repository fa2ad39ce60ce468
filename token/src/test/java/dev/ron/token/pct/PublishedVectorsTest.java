package dev.ron.token.pct;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.token.FixedRandom;
import dev.ron.token.Reason;
import dev.ron.token.TestIssuer;
import dev.ron.token.caveat.Caveat;
import dev.ron.token.caveat.PathPrefix;
import dev.ron.token.crypto.Sha256;
import dev.ron.token.crypto.Signatures;
import dev.ron.token.json.CanonicalJson;
import dev.ron.token.verify.Decision;
import dev.ron.token.verify.RequestContext;
import dev.ron.token.verify.SignatureCache;
import dev.ron.token.verify.TokenVerifier;
import dev.ron.token.verify.VerifierConfig;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The values published with the format, computed independently by another implementation. */
class PublishedVectorsTest {
    private static final String ROOT_PAYLOAD = """
            {"aud":["svc-gateway"],"cav":[{"t":"method","v":["GET","PUT"]},{"t":"path","v":["/o/"]},\
            {"t":"rate","v":{"burst":10,"rps":5}}],"client_id":"ci-runner","ep":42,"exp":1760000900,"iat":1760000000,\
            "iss":"https://passport.test","jti":"AAECAwQFBgcICQoLDA0ODw","nbf":1760000000,\
            "nh":"9he-EwgB_1pQieoCrzYqZlKBb6o4cZem1zk_2cdUGRY","nk":"1_JzaHlkx7XF-2pmq-6zVxsayyexxrr_V6ZNAlk6u_g",\
            "pv":7,"sub":"sub-abc123","tid":"t1"}""";
    private static final String BLOCK_PAYLOAD = """
            {"cav":[{"t":"method","v":["GET"]},{"t":"exp","v":1760000300}],"iat":1760000010,\
            "nh":"Os3-2FeEbSy-qjwUliIGbqYzw6e-YvQcviK2wl5Y-mc","nk":"OUlKGO6UvHBttaA8Og7P7oe6Vbx-dl1mC5-esbsAfFo",\
            "prv":"4NxVI49jmj-UDitRf7iLxymFy0Gocgr2Q4Fb5A_gpNc"}""";

    private final TestIssuer issuer = new TestIssuer();
    private final Attenuator attenuator = new Attenuator(Signatures.portable(), Caps.DEFAULT);

    private RootText.Signed root() throws Exception {
        TestIssuer.Mint mint = issuer.mint()
                .with(
                        new Caveat.Method(List.of("GET", "PUT")),
                        new Caveat.Path(List.of(PathPrefix.of("/o/"))),
                        new Caveat.Rate(5, 10));
        mint.jti = "AAECAwQFBgcICQoLDA0ODw";
        assertThat(CanonicalJson.write(mint.claims().toJson())).isEqualTo(ROOT_PAYLOAD);
        return mint.root();
    }

    private String tv1() throws Exception {
        return root().withProof(Proof.ofSeed(new dev.ron.token.crypto.HolderSeed(TestIssuer.bytes(0x20))));
    }

    private String tv3() throws Exception {
        return attenuator.attenuate(
                tv1(),
                List.of(new Caveat.Method(List.of("GET")), new Caveat.Expires(1760000300)),
                1760000010,
                new FixedRandom(TestIssuer.bytes(0x40)));
    }

    @Test
    void issuerKeyAndKidAreAsPublished() {
        assertThat(issuer.key.encoded()).isEqualTo("A6EHv_POEL4dcN0Y50vAmWfk1jCbpQ1fHdyGZBJVMbg");
        assertThat(issuer.key.kid()).isEqualTo("1IG2tMH7J2wbJZnO");
    }

    @Test
    void rootSignatureIsAsPublished() throws Exception {
        assertThat(root().rootJws())
                .endsWith(".ts-4Y6dUv7W0UbYUOUZzXHwBtgKbxGTpUV5Sq6pO23l70DvFOCNT8t3df5pFDE2mK93EgKXq0hrZxbOzald4BQ");
    }

    @Test
    void tv1IsReproduced() throws Exception {
        assertThat(tv1()).hasSize(793);
        assertThat(sha256(tv1())).isEqualTo("9e416e5b3de3952ac070ce10eafa40c031ea94efe9e2b95d04977623df77ca07");
    }

    @Test
    void tv2IsTv1Sealed() throws Exception {
        String sealed = attenuator.seal(tv1());
        assertThat(sealed).endsWith("~prMTm-ECjagC1uDOHQAyRu_9hXfus2w2d_ru1a-gtv-U");
        assertThat(sha256(sealed)).isEqualTo("69cb8e6142445c784e86358cbb57519a681bb0b70ef3cf64c1a107084a5eabc7");
    }

    @Test
    void tv3IsTv1Attenuated() throws Exception {
        String token = tv3();
        String block = token.split("~", -1)[2];
        assertThat(CanonicalJson.write(Jws.parse(block, "block").payload())).isEqualTo(BLOCK_PAYLOAD);
        assertThat(token).hasSize(1244);
        assertThat(sha256(token)).isEqualTo("8b591954bb705539e8ce82581d67a9372e17edabb629423bf5a6c16fa4bc18fe");
    }

    @Test
    void tv4TheBlockRemovedIsBadProof() throws Exception {
        String token = tv3();
        String cut = root().withoutProof() + token.substring(token.lastIndexOf('~'));
        TokenVerifier verifier = new TokenVerifier(
                VerifierConfig.of(TestIssuer.AUDIENCE), Signatures.portable(), new SignatureCache(1 << 20));
        RequestContext request =
                RequestContext.at(TestIssuer.NOW).method("GET").path("/o/x").build();

        assertThat(verifier.verify(token, request, issuer.state())).isInstanceOf(Decision.Allow.class);
        assertThat(verifier.verify(cut, request, issuer.state()))
                .isInstanceOfSatisfying(
                        Decision.Deny.class, deny -> assertThat(deny.reason()).isEqualTo(Reason.BAD_PROOF));
    }

    private static String sha256(String text) {
        return HexFormat.of().formatHex(Sha256.ofAscii(text));
    }
}
