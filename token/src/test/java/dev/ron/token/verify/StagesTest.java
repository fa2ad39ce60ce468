package dev.ron.token.verify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.token.Reason;
import dev.ron.token.TestIssuer;
import dev.ron.token.caveat.Caveat;
import dev.ron.token.crypto.Signatures;
import dev.ron.token.keys.IssuerState;
import dev.ron.token.keys.KeyState;
import dev.ron.token.keys.KeyStatus;
import dev.ron.token.keys.Revocation;
import dev.ron.token.keys.Revocations;
import dev.ron.token.keys.Tenants;
import dev.ron.token.pct.Attenuator;
import dev.ron.token.pct.Caps;
import java.security.SecureRandom;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A host takes the check step by step, and the cache remembers signatures and nothing else. */
class StagesTest {
    private final TestIssuer issuer = new TestIssuer();
    private final Attenuator attenuator = new Attenuator(Signatures.best(), Caps.DEFAULT);
    private final SignatureCache cache = new SignatureCache(1 << 20);
    private final TokenVerifier verifier =
            new TokenVerifier(VerifierConfig.of(TestIssuer.AUDIENCE), Signatures.best(), cache);
    private final RequestContext request =
            RequestContext.at(TestIssuer.NOW).method("GET").build();

    private String narrowed(String token) throws Exception {
        return attenuator.attenuate(
                token, List.of(new Caveat.Method(List.of("GET"))), TestIssuer.NOW, new SecureRandom());
    }

    private Stage read(String token) {
        return verifier.read(token, request, issuer.state());
    }

    @Test
    void rootFirstThenAPriceThenTheBlocks() throws Exception {
        TestIssuer.Mint mint = issuer.mint();
        String token = narrowed(narrowed(mint.token()));

        Stage.RootUnproven cold = (Stage.RootUnproven) read(token);
        Stage.BlocksUnproven rooted = (Stage.BlocksUnproven) cold.proveRoot();
        assertThat(rooted.tokenId()).isEqualTo(mint.jti);
        assertThat(rooted.tenant()).isEqualTo("t1");
        assertThat(rooted.signaturesLeft()).isEqualTo(2);

        // The host refused to pay: nothing about the blocks is remembered, but the root is.
        assertThat(read(token)).isInstanceOf(Stage.BlocksUnproven.class);

        assertThat(rooted.proveBlocks()).isInstanceOf(Stage.Proven.class);
        assertThat(read(token)).isInstanceOf(Stage.Proven.class);
    }

    @Test
    void siblingsPayOnlyForWhatTheyDoNotShare() throws Exception {
        String stem = narrowed(issuer.mint().token());
        String one = narrowed(narrowed(stem));
        String other = narrowed(stem);
        assertThat(verifier.verify(one, request, issuer.state())).isInstanceOf(Decision.Allow.class);

        assertThat(read(stem)).isInstanceOf(Stage.Proven.class);
        assertThat(((Stage.BlocksUnproven) read(other)).signaturesLeft()).isEqualTo(1);
    }

    @Test
    void aRootWithoutBlocksIsProvenInOneStep() {
        Stage.RootUnproven cold = (Stage.RootUnproven) read(issuer.mint().token());
        assertThat(cold.proveRoot()).isInstanceOf(Stage.Proven.class);
    }

    @Test
    void theSealedFormSharesTheSignaturesOfTheOpenOne() throws Exception {
        String token = narrowed(issuer.mint().token());
        assertThat(verifier.verify(token, request, issuer.state())).isInstanceOf(Decision.Allow.class);
        assertThat(read(attenuator.seal(token))).isInstanceOf(Stage.Proven.class);
    }

    @Test
    void oneRootHoldsAtMost64EntriesAndTheOldestGiveWay() throws Exception {
        String root = issuer.mint().token();
        String first = narrowed(root);
        assertThat(verifier.verify(first, request, issuer.state())).isInstanceOf(Decision.Allow.class);
        for (int i = 0; i < 80; i++) {
            assertThat(verifier.verify(narrowed(root), request, issuer.state())).isInstanceOf(Decision.Allow.class);
            assertThat(cache.largestRoot()).isLessThanOrEqualTo(64);
        }
        assertThat(cache.largestRoot()).isEqualTo(64);
        assertThat(cache.rootCount()).isEqualTo(1);
        assertThat(read(first)).isInstanceOf(Stage.BlocksUnproven.class);
        assertThat(read(root)).isInstanceOf(Stage.Proven.class);
    }

    @Test
    void aRememberedTokenIsStillJudgedAnew() throws Exception {
        TestIssuer.Mint mint = issuer.mint();
        String token = mint.with(new Caveat.Method(List.of("GET"))).token();
        assertThat(verifier.verify(token, request, issuer.state())).isInstanceOf(Decision.Allow.class);

        Revocations revoked =
                Revocations.none(TestIssuer.NOW).with(List.of(new Revocation.Id(mint.jti, mint.exp)), TestIssuer.NOW);
        assertDenied(token, request, KeyState.of(issuer.issuer(revoked)), Reason.REVOKED);
        RequestContext late = RequestContext.at(mint.exp + 61).method("GET").build();
        KeyState fresh = KeyState.of(issuer.issuer(Revocations.none(mint.exp + 61)));
        assertDenied(token, late, fresh, Reason.EXPIRED);
        RequestContext post = RequestContext.at(TestIssuer.NOW).method("POST").build();
        assertDenied(token, post, issuer.state(), Reason.CAV_METHOD);
        for (KeyStatus status : KeyStatus.values()) {
            KeyState state = KeyState.of(
                    IssuerState.of(TestIssuer.ISS, issuer.keys(status), Revocations.none(TestIssuer.NOW), Tenants.ALL));
            Decision decision = verifier.verify(token, request, state);
            assertThat(decision instanceof Decision.Allow).as(status.name()).isEqualTo(status.verifies());
        }
    }

    @Test
    void aProofIsCheckedOnEveryPresentation() throws Exception {
        String token = narrowed(issuer.mint().token());
        assertThat(verifier.verify(token, request, issuer.state())).isInstanceOf(Decision.Allow.class);
        String wrong = token.substring(0, token.lastIndexOf('~')) + "~s" + "A".repeat(43);
        assertDenied(wrong, request, issuer.state(), Reason.BAD_PROOF);
    }

    @Test
    void aForgedTokenIsRememberedByItsWholeTextOnly() throws Exception {
        String token = issuer.mint().token();
        int dot = token.lastIndexOf('.');
        String forged = token.substring(0, dot + 1) + "A".repeat(86) + token.substring(token.indexOf("~s"));
        assertDenied(forged, request, issuer.state(), Reason.BAD_SIGNATURE);
        // Known bad: refused without another check, and for a moment only.
        assertThat(read(forged)).isInstanceOf(Stage.Denied.class);
        RequestContext later =
                RequestContext.at(TestIssuer.NOW + 2).method("GET").build();
        assertThat(verifier.read(forged, later, issuer.state())).isInstanceOf(Stage.RootUnproven.class);
        assertThat(verifier.verify(token, request, issuer.state())).isInstanceOf(Decision.Allow.class);
    }

    @Test
    void withoutNewsWritesStopFirstThenEverything() {
        String token = issuer.mint().token();
        for (long age : new long[] {0, 30, 31, 300, 301}) {
            KeyState state = KeyState.of(issuer.issuer(Revocations.none(TestIssuer.NOW - age)));
            RequestContext write =
                    RequestContext.at(TestIssuer.NOW).method("POST").build();
            assertThat(verifier.verify(token, write, state) instanceof Decision.Allow)
                    .as("write at age %d", age)
                    .isEqualTo(age <= 30);
            assertThat(verifier.verify(token, request, state) instanceof Decision.Allow)
                    .as("read at age %d", age)
                    .isEqualTo(age <= 300);
        }
        RequestContext unknown = RequestContext.at(TestIssuer.NOW).build();
        KeyState old = KeyState.of(issuer.issuer(Revocations.none(TestIssuer.NOW - 31)));
        assertDenied(token, unknown, old, Reason.STALE_STATE);
    }

    @Test
    void anIssuerSpeaksOnlyForItsTenants() {
        String token = issuer.mint().token();
        KeyState others = KeyState.of(IssuerState.of(
                TestIssuer.ISS,
                issuer.keys(KeyStatus.ACTIVE),
                Revocations.none(TestIssuer.NOW),
                Tenants.only(Set.of("t2"))));
        assertDenied(token, request, others, Reason.WRONG_TENANT);
        RequestContext elsewhere =
                RequestContext.at(TestIssuer.NOW).method("GET").tenant("t2").build();
        assertDenied(token, elsewhere, issuer.state(), Reason.WRONG_TENANT);
    }

    @Test
    void anotherKeyUnderTheSameIssuerIsNotTrustedFromMemory() {
        String token = issuer.mint().token();
        assertThat(verifier.verify(token, request, issuer.state())).isInstanceOf(Decision.Allow.class);
        assertDenied(token, request, KeyState.of(), Reason.WRONG_ISSUER);
        KeyState none =
                KeyState.of(IssuerState.of(TestIssuer.ISS, List.of(), Revocations.none(TestIssuer.NOW), Tenants.ALL));
        assertDenied(token, request, none, Reason.UNKNOWN_KID);
    }

    @Test
    void obligationsNameCountersThatBranchesShare() throws Exception {
        TestIssuer.Mint mint = issuer.mint().with(new Caveat.Rate(5, 10), new Caveat.Bytes(100));
        String child = attenuator.attenuate(
                mint.token(), List.of(new Caveat.Rate(1, 1), new Caveat.Bytes(50)), TestIssuer.NOW, new SecureRandom());
        Decision.Allow allow = (Decision.Allow) verifier.verify(child, request, issuer.state());
        assertThat(allow.obligations().maxBodyBytes()).hasValue(50);
        assertThat(allow.obligations().rates()).hasSize(2);
        assertThat(allow.obligations().rates().getFirst().counter())
                .isEqualTo(new Obligations.Counter(TestIssuer.ISS, mint.jti, "", 0));
        assertThat(allow.obligations().rates().getLast().counter().blockId())
                .isEqualTo(allow.principal().blockIds().getFirst());
    }

    @Test
    void introspectionJudgesOnlyWhatNeedsNoRequest() {
        String token = issuer.mint()
                .with(new Caveat.Method(List.of("PUT")), new Caveat.Expires(TestIssuer.NOW + 10))
                .token();
        Stage.Proven proven = (Stage.Proven) ((Stage.RootUnproven) read(token)).proveRoot();
        assertThat(proven.decide()).isInstanceOf(Decision.Deny.class);
        assertThat(proven.decideWithoutRequest())
                .isInstanceOfSatisfying(
                        Decision.Allow.class,
                        allow -> assertThat(allow.principal().expiresAt()).isEqualTo(TestIssuer.NOW + 10));
    }

    private void assertDenied(String token, RequestContext when, KeyState state, Reason reason) {
        assertThat(verifier.verify(token, when, state))
                .isInstanceOfSatisfying(
                        Decision.Deny.class, deny -> assertThat(deny.reason()).isEqualTo(reason));
    }
}
