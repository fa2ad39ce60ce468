package dev.ron.token.pct;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ron.token.Reason;
import dev.ron.token.Refused;
import dev.ron.token.TestIssuer;
import dev.ron.token.caveat.Caveat;
import dev.ron.token.caveat.CaveatCodec;
import dev.ron.token.caveat.Shorthand;
import dev.ron.token.crypto.HolderSeed;
import dev.ron.token.crypto.Signatures;
import dev.ron.token.json.CanonicalJson;
import java.security.SecureRandom;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AttenuatorTest {
    private final TestIssuer issuer = new TestIssuer();
    private final Attenuator attenuator = new Attenuator(Signatures.best(), Caps.DEFAULT);
    private final SecureRandom random = new SecureRandom();
    private final List<Caveat> one = List.of(new Caveat.Bytes(1));

    @Test
    void aSealedTokenCannotBeNarrowed() throws Refused {
        String sealed = attenuator.seal(issuer.mint().token());
        assertRefused(() -> attenuator.attenuate(sealed, one, TestIssuer.NOW, random), Reason.NOT_ATTENUABLE);
        assertThat(attenuator.seal(sealed)).isEqualTo(sealed);
    }

    @Test
    void aFinalBlockEndsTheChain() throws Refused {
        String last = attenuator.attenuateFinally(issuer.mint().token(), one, TestIssuer.NOW, random);
        assertRefused(() -> attenuator.attenuate(last, one, TestIssuer.NOW, random), Reason.NOT_ATTENUABLE);
        TestIssuer.Mint fixed = issuer.mint();
        fixed.attenuable = false;
        assertRefused(() -> attenuator.attenuate(fixed.token(), one, TestIssuer.NOW, random), Reason.NOT_ATTENUABLE);
    }

    @Test
    void fourBlocksAndNoMore() throws Refused {
        String token = issuer.mint().token();
        for (int i = 0; i < 4; i++) {
            token = attenuator.attenuate(token, one, TestIssuer.NOW, random, Optional.of("step " + i));
        }
        String full = token;
        assertRefused(() -> attenuator.attenuate(full, one, TestIssuer.NOW, random), Reason.TOO_MANY_BLOCKS);
    }

    @Test
    void whatAVerifierWouldRefuseForItsFormIsRefusedToTheHolder() {
        String token = issuer.mint().token();
        assertRefused(() -> attenuator.attenuate(token, List.of(), TestIssuer.NOW, random), Reason.MALFORMED);
        List<Caveat> many = Collections.nCopies(33, new Caveat.Bytes(1));
        assertRefused(() -> attenuator.attenuate(token, many, TestIssuer.NOW, random), Reason.TOO_MANY_CAVEATS);
        String other = issuer.mint().root().withProof(Proof.ofSeed(new HolderSeed(TestIssuer.bytes(9))));
        assertRefused(() -> attenuator.attenuate(other, one, TestIssuer.NOW, random), Reason.BAD_PROOF);
    }

    @Test
    void aHybridTokenHasRoomForFourBlocks() throws Refused {
        String token = issuer.mint().hybrid().token();
        for (int i = 0; i < 4; i++) {
            token = attenuator.attenuate(token, one, TestIssuer.NOW, random);
        }
        assertThat(token.length()).isLessThanOrEqualTo(Caps.DEFAULT.maxChars());
    }

    @Test
    void secretsStayOutOfToString() throws Refused {
        String token = issuer.mint().token();
        Pct parsed = Pct.parse(token, Caps.DEFAULT);
        String secret = token.substring(token.lastIndexOf('~') + 2);
        assertThat(parsed.toString()).doesNotContain(secret).doesNotContain("eyJ");
        assertThat(parsed.proof().seed().orElseThrow().toString()).doesNotContain(secret);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "ttl=60 | {\"t\":\"exp\",\"v\":1760000090}",
                "svc=svc-edge,svc-admin | {\"t\":\"aud\",\"v\":[\"svc-edge\",\"svc-admin\"]}",
                "route=/o/ | {\"t\":\"path\",\"v\":[\"/o/\"]}",
                "rate.rps=5 | {\"t\":\"rate\",\"v\":{\"burst\":5,\"rps\":5}}",
                "budget.reqs=5 | {\"t\":\"budget\",\"v\":{\"reqs\":5}}",
                "ip=10.0.0.0/8 | {\"t\":\"ip\",\"v\":[\"10.0.0.0/8\"]}",
                "method=GET,HEAD | {\"t\":\"method\",\"v\":[\"GET\",\"HEAD\"]}"
            })
    void shorthandBecomesTheWireForm(String text, String wire) throws Refused {
        assertThat(CanonicalJson.write(CaveatCodec.toJson(Shorthand.parse(text, TestIssuer.NOW))))
                .isEqualTo(wire);
    }

    @ParameterizedTest
    @CsvSource({"ttl=x", "ttl=-1", "nonsense=1", "path=o", "=1", "ttl=", "ttl", "ip=10.0.0.1/8", "ttl=9999999999999999"
    })
    void badShorthandIsRefused(String text) {
        assertThatThrownBy(() -> Shorthand.parse(text, TestIssuer.NOW)).isInstanceOf(Refused.class);
    }

    private static void assertRefused(ThrowingCallable action, Reason reason) {
        assertThatThrownBy(action)
                .isInstanceOfSatisfying(
                        Refused.class, refused -> assertThat(refused.reason()).isEqualTo(reason));
    }
}
