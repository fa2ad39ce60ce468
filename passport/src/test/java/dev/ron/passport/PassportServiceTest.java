package dev.ron.passport;

import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jose.jwk.JWKSet;
import dev.ron.kernel.testkit.Eventually;
import dev.ron.passport.OfficeProcess.Answer;
import dev.ron.token.Reason;
import dev.ron.token.crypto.Signatures;
import dev.ron.token.keys.IssuerState;
import dev.ron.token.keys.JwkSet;
import dev.ron.token.keys.KeyState;
import dev.ron.token.keys.RevocationFeed;
import dev.ron.token.keys.Revocations;
import dev.ron.token.keys.Tenants;
import dev.ron.token.verify.Decision;
import dev.ron.token.verify.RequestContext;
import dev.ron.token.verify.SignatureCache;
import dev.ron.token.verify.TokenVerifier;
import dev.ron.token.verify.VerifierConfig;
import java.net.URI;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The HTTP surface, over real sockets. */
class PassportServiceTest {
    private OfficeProcess office;

    @BeforeEach
    void open() throws Exception {
        office = OfficeProcess.inMemory();
    }

    @AfterEach
    void close() {
        office.close();
    }

    @Test
    void aTokenIsIssuedVerifiedAndIntrospected() {
        Answer issued = office.tryIssue("\"ttl_s\":600", "\"tenant\":\"acme\"", "\"caveats\":[\"path=/o/\"]");
        assertThat(issued.status()).isEqualTo(200);
        assertThat(issued.body().path("expires_in").asInt()).isEqualTo(600);
        assertThat(issued.body().path("alg").asString()).isEqualTo("ed25519");
        assertThat(issued.raw().headers().firstValue("cache-control")).contains("no-store");
        String token = issued.body().path("token").asString();

        Answer verified = office.verify(token);
        assertThat(verified.body().path("ok").asBoolean()).isTrue();
        assertThat(verified.body().path("parsed").path("tid").asString()).isEqualTo("acme");
        assertThat(verified.body().path("warnings").size()).isEqualTo(1);

        Answer outside = office.post(
                "/v1/passport/verify", "{\"token\":\"" + token + "\",\"ctx\":{\"method\":\"GET\",\"path\":\"/x\"}}");
        assertThat(outside.body().path("ok").asBoolean()).isFalse();
        assertThat(outside.reason()).isEqualTo("cav_path");

        Answer form = office.send(HttpRequest.newBuilder(URI.create(office.url("/v1/passport/introspect")))
                .header("Content-Type", "application/x-www-form-urlencoded")
                .header("Authorization", "Bearer " + office.key())
                .POST(HttpRequest.BodyPublishers.ofString("token=" + token))
                .build());
        assertThat(form.body().path("active").asBoolean()).isTrue();
        assertThat(form.body().path("sub").asString()).isEqualTo("ann");
        Answer garbage = office.post("/v1/passport/introspect", "{\"token\":\"garbage\"}");
        assertThat(garbage.body().path("active").asBoolean(true)).isFalse();
    }

    @Test
    void aBatchKeepsItsOrderAndOneBadItemHarmsNoOther() {
        String token = office.issue();
        Answer answer = office.post(
                "/v1/passport/verify_batch",
                "{\"items\":[{\"token\":\"" + token + "\"},{\"token\":\"nonsense\"},{\"token\":\"" + token + "\"}]}");
        assertThat(answer.body().path("results").path(0).path("ok").asBoolean()).isTrue();
        assertThat(answer.body().path("results").path(1).path("reason").asString())
                .isEqualTo("malformed");
        assertThat(answer.body().path("results").path(2).path("ok").asBoolean()).isTrue();
    }

    @Test
    void anAttenuatedTokenIsNarrowerAndItsLastBlockCannotBeRemoved() {
        String token = office.issue();
        String narrow = office.narrowed(token, "method=GET");
        assertThat(office.verify(narrow).body().path("ok").asBoolean()).isTrue();
        Answer put = office.post("/v1/passport/verify", "{\"token\":\"" + narrow + "\",\"ctx\":{\"method\":\"PUT\"}}");
        assertThat(put.reason()).isEqualTo("cav_method");

        String[] parts = narrow.split("~", -1);
        String stripped = parts[0] + "~" + parts[1] + "~" + parts[3];
        assertThat(office.verify(stripped).reason()).isEqualTo("bad_proof");

        Answer sealed = office.post(
                "/v1/passport/attenuate", "{\"token\":\"" + token + "\",\"caveats\":[\"method=GET\"],\"seal\":true}");
        Answer again = office.post(
                "/v1/passport/attenuate",
                "{\"token\":\"" + sealed.body().path("token").asString() + "\",\"caveats\":[\"method=GET\"]}");
        assertThat(again.status()).isEqualTo(400);
        assertThat(again.reason()).isEqualTo("not_attenuable");
    }

    @Test
    void aRemintedTokenIsANewRootThatAllowsNoMoreAndEndsNoLater() {
        String token = office.issue("\"ttl_s\":600");
        String narrow = office.narrowed(token, "method=GET", "ttl=60");
        Answer fresh = office.post(
                "/v1/passport/attenuate",
                "{\"token\":\"" + narrow + "\",\"remint\":true,\"caveats\":[\"path=/o/\"],"
                        + "\"accept_algs\":[\"ed25519+ml-dsa\"]}");
        assertThat(fresh.status()).as(fresh.body().toString()).isEqualTo(200);
        assertThat(fresh.body().path("alg").asString()).isEqualTo("ed25519+ml-dsa");
        assertThat(fresh.body().path("expires_in").asInt()).isBetween(1, 60);
        String minted = fresh.body().path("token").asString();
        assertThat(office.verify(minted).body().path("parsed").path("blocks").asInt(9))
                .isZero();
        assertThat(judged(minted, "PUT", "/o/x").reason()).isEqualTo("cav_method");
        assertThat(judged(minted, "GET", "/x").reason()).isEqualTo("cav_path");
        assertThat(judged(minted, "GET", "/o/x").body().path("ok").asBoolean()).isTrue();

        assertThat(office.post("/v1/passport/attenuate", "{\"token\":\"" + narrow + "\",\"remint\":true,\"ttl_s\":500}")
                        .reason())
                .isEqualTo("ttl_too_long");
        revoke("\"token\":\"" + token + "\"");
        assertThat(office.post("/v1/passport/attenuate", "{\"token\":\"" + narrow + "\",\"remint\":true}")
                        .reason())
                .isEqualTo("revoked");
    }

    private Answer judged(String token, String method, String path) {
        return office.post(
                "/v1/passport/verify",
                "{\"token\":\"" + token + "\",\"ctx\":{\"method\":\"" + method + "\",\"path\":\"" + path + "\"}}");
    }

    @Test
    void thePolicyInForceCanBeRead() {
        Answer policy = office.get("/v1/passport/policy", "Authorization", "Bearer " + office.key());
        assertThat(policy.status()).isEqualTo(200);
        assertThat(policy.body().path("source").asString()).isEqualTo("config");
        assertThat(policy.body().path("max_ttl_s").asInt()).isEqualTo(3600);
        assertThat(policy.body().path("in_force").asBoolean()).isTrue();
        office.reload("passport.issuer_policy.frozen=true");
        Eventually.await(
                "frozen",
                () -> office.get("/v1/passport/policy", "Authorization", "Bearer " + office.key())
                        .reason()
                        .equals("frozen"));
        assertThat(office.get("/v1/passport/policy").status()).isEqualTo(401);
    }

    @Test
    void whoPrefersNotToWaitIsToldWhereARevocationWillBeSeen() {
        Answer answer = office.send(HttpRequest.newBuilder(URI.create(office.url("/v1/passport/revoke")))
                .header("Content-Type", "application/json")
                .header("Authorization", "Bearer " + office.key())
                .header("Prefer", "respond-async")
                .POST(HttpRequest.BodyPublishers.ofString("{\"jti\":\"some\"}"))
                .build());
        assertThat(answer.status()).isEqualTo(202);
        String location = answer.raw().headers().firstValue("location").orElseThrow();
        assertThat(location).endsWith("since=" + (answer.body().path("seq").asLong() - 1));
        assertThat(office.get(location, "Authorization", "Bearer " + office.key())
                        .status())
                .isEqualTo(200);
    }

    @Test
    void everyKindOfRevocationIsSeenAtOnce() {
        String byToken = office.issue();
        assertThat(revoke("\"token\":\"" + byToken + "\"").status()).isEqualTo(200);
        assertThat(office.verify(byToken).reason()).isEqualTo("revoked");

        Answer issued = office.tryIssue();
        String byId = issued.body().path("token").asString();
        revoke("\"jti\":\"" + issued.body().path("jti").asString() + "\"");
        assertThat(office.verify(byId).reason()).isEqualTo("revoked");

        String bySubject = office.issue("\"tenant\":\"globex\"");
        revoke("\"subject_ref\":\"ann\",\"tenant\":\"globex\"");
        assertThat(office.verify(bySubject).reason()).isEqualTo("revoked");

        String stem = office.issue();
        String branch = office.narrowed(stem, "method=GET");
        Answer holder = office.post("/v1/passport/revoke", "{\"token\":\"" + branch + "\"}", branch);
        assertThat(holder.status()).as("holding it is right enough").isEqualTo(200);
        assertThat(office.verify(branch).reason()).isEqualTo("revoked");
        assertThat(office.verify(stem).body().path("ok").asBoolean())
                .as("the stem lives")
                .isTrue();

        Answer keyed = office.tryIssue();
        String byKey = keyed.body().path("token").asString();
        revoke("\"kid\":\"" + keyed.body().path("kid").asString() + "\"");
        assertThat(office.verify(byKey).reason()).isEqualTo("revoked");

        String byEpoch = office.issue();
        assertThat(office.verify(byEpoch).body().path("ok").asBoolean()).isTrue();
        assertThat(revoke("\"epoch\":1").reason()).isEqualTo("epoch_not_greater");
        assertThat(revoke("\"epoch\":5").body().path("global_floor").asInt()).isEqualTo(5);
        assertThat(office.verify(byEpoch).reason()).isEqualTo("epoch_floor");
        assertThat(office.verify(office.issue()).body().path("ok").asBoolean()).isTrue();
        assertThat(office.get("/v1/passport/epoch").body().path("epoch").asInt())
                .isEqualTo(5);
    }

    @Test
    void anEpochThatEndsSoftlyEndsWhenItsGraceIsOver(@TempDir Path folder) throws Exception {
        try (OfficeProcess first = OfficeProcess.in(folder)) {
            String old = first.issue();
            Answer moved = first.post("/v1/passport/revoke", "{\"epoch\":5,\"mode\":\"soft\"}");
            assertThat(moved.status()).isEqualTo(200);
            assertThat(moved.body().path("current_epoch").asInt()).isEqualTo(5);
            assertThat(moved.body().path("global_floor").asInt()).isLessThan(5);
            String fresh = first.issue();
            assertThat(first.verify(old).body().path("ok").asBoolean()).isTrue();
            assertThat(first.post("/v1/passport/revoke", "{\"jti\":\"x\",\"mode\":\"soft\"}")
                            .reason())
                    .isEqualTo("bad_request");

            first.timePasses(Duration.ofSeconds(601));
            first.post("/v1/passport/revoke", "{\"jti\":\"x\"}"); // the writer looks at the clock again
            Eventually.await("the floor rises", () -> first.verify(old).reason().equals("epoch_floor"));
            assertThat(first.verify(fresh).body().path("ok").asBoolean()).isTrue();
            assertThat(first.post("/v1/passport/revoke", "{\"epoch\":6,\"mode\":\"soft\"}")
                            .status())
                    .isEqualTo(200);
            assertThat(first.service().state().due()).hasSize(1);
        }
        try (OfficeProcess again = OfficeProcess.in(folder)) {
            assertThat(again.service().state().due())
                    .as("what is due is not forgotten")
                    .singleElement()
                    .satisfies(due -> assertThat(due.epoch()).isEqualTo(6));
        }
    }

    private Answer revoke(String member) {
        return office.post("/v1/passport/revoke", "{" + member + "}");
    }

    @Test
    void keysArePublishedWithATagAndNothingPrivate() throws Exception {
        Answer keys = office.get("/.well-known/jwks.json");
        String text = new String(keys.raw().body(), StandardCharsets.UTF_8);
        assertThat(text).doesNotContain("\"d\"", "\"priv\"", "\"k\"");
        assertThat(keys.raw().headers().firstValue("content-type")).contains("application/jwk-set+json");
        String tag = keys.raw().headers().firstValue("etag").orElseThrow();
        assertThat(office.get("/.well-known/jwks.json", "If-None-Match", tag).status())
                .isEqualTo(304);
        assertThat(office.get("/v1/keys", "If-None-Match", "\"other\"").status())
                .isEqualTo(200);
        assertThat(JWKSet.parse(text).getKeys()).hasSizeGreaterThanOrEqualTo(3);
        assertThat(JwkSet.parse(keys.raw().body()).tokenKeys()).hasSize(5);

        Answer discovery = office.get("/.well-known/openid-configuration");
        assertThat(discovery.body().path("issuer").asString())
                .isEqualTo(office.service().issuer());
    }

    @Test
    void theFeedIsSignedAndAWaitingReaderIsWokenByARevocation() throws Exception {
        assertThat(office.get("/v1/passport/revocations").status()).isEqualTo(401);
        String auth = "Bearer " + office.service().ownKey().reveal();
        String token = office.issue();
        IssuerState issuer = IssuerState.of(
                office.service().issuer(),
                JwkSet.parse(office.get("/v1/keys").raw().body()).tokenKeys(),
                Revocations.none(0),
                Tenants.ALL);
        RevocationFeed empty = RevocationFeed.parse(
                office.get("/v1/passport/revocations?since=0", "Authorization", auth)
                        .raw()
                        .body(),
                issuer,
                Signatures.portable());
        assertThat(empty.entries()).isEmpty();

        var waiting = new java.util.concurrent.FutureTask<>(
                () -> office.get("/v1/passport/revocations?since=0&wait=25", "Authorization", auth));
        Thread reader = Thread.ofVirtual().start(waiting);
        revoke("\"token\":\"" + token + "\"");
        RevocationFeed feed = RevocationFeed.parse(waiting.get().raw().body(), issuer, Signatures.portable());
        reader.join();
        assertThat(feed.seq()).isEqualTo(1);
        assertThat(feed.entries()).hasSize(1);
        assertThat(feed.applyTo(Revocations.none(0), 0, feed.asOf()).idCount()).isEqualTo(1);
    }

    @Test
    void aCapabilityMayIssueOnlyWhatIsNoWiderThanItself() {
        String issuing = office.post(
                        "/v1/passport/issue",
                        "{\"subject_ref\":\"ci\",\"audience\":[\"svc-passport\",\"svc-demo\"],\"ttl_s\":300,"
                                + "\"caveats\":[\"scope=passport:issue,read\"]}")
                .body()
                .path("token")
                .asString();
        String order = "{\"subject_ref\":\"job\",\"audience\":\"%s\",\"ttl_s\":%d}";
        Answer good = office.post("/v1/passport/issue", String.format(order, "svc-demo", 60), issuing);
        assertThat(good.status()).isEqualTo(200);
        assertThat(good.body().path("caveats").toString()).contains("passport:issue");
        assertThat(office.post("/v1/passport/issue", String.format(order, "svc-gateway", 60), issuing)
                        .reason())
                .isEqualTo("audience_not_allowed");
        assertThat(office.post("/v1/passport/issue", String.format(order, "svc-demo", 3000), issuing)
                        .reason())
                .isEqualTo("ttl_too_long");
        String plain = office.post("/v1/passport/issue", "{\"subject_ref\":\"ci\",\"audience\":[\"svc-passport\"]}")
                .body()
                .path("token")
                .asString();
        assertThat(office.post("/v1/passport/issue", String.format(order, "svc-demo", 60), plain)
                        .reason())
                .isEqualTo("cav_scope");
    }

    // a token for the office that names no scope  ->  its holder adds one, has it reminted: it opens nothing either way
    @Test
    void aHolderCannotGiveItselfAScope() {
        String plain = office.post("/v1/passport/issue", "{\"subject_ref\":\"ci\",\"audience\":[\"svc-passport\"]}")
                .body()
                .path("token")
                .asString();
        String wider = office.narrowed(plain, "scope=passport:issue,passport:introspect");
        String order = "{\"subject_ref\":\"job\",\"audience\":\"svc-passport\"}";
        Answer refused = office.post("/v1/passport/issue", order, wider);
        assertThat(refused.status()).isEqualTo(403);
        assertThat(refused.reason()).isEqualTo("cav_scope");
        assertThat(office.post("/v1/passport/introspect", "{\"token\":\"x\"}", wider)
                        .reason())
                .isEqualTo("cav_scope");

        Answer reminted = office.post("/v1/passport/attenuate", "{\"token\":\"" + wider + "\",\"remint\":true}");
        assertThat(reminted.status()).isEqualTo(400);
        assertThat(reminted.reason()).isEqualTo("bad_request");
    }

    @Test
    void hybridTokensAndPlainJwtsAreIssuedOnRequest() {
        Answer hybrid = office.tryIssue("\"accept_algs\":[\"ed25519+ml-dsa\",\"ed25519\"]");
        assertThat(hybrid.body().path("alg").asString()).isEqualTo("ed25519+ml-dsa");
        Answer verified = office.verify(hybrid.body().path("token").asString());
        assertThat(verified.body().path("parsed").path("pq").asString()).isEqualTo("verified");

        office.reload("passport.pq.mode=enforce");
        dev.ron.kernel.testkit.Eventually.await(
                "the mode", () -> office.tryIssue().reason().equals("no_acceptable_alg"));

        office.reload("passport.pq.mode=off");
        dev.ron.kernel.testkit.Eventually.await(
                "the mode",
                () -> office.tryIssue("\"accept_algs\":[\"ed25519+ml-dsa\"]")
                        .reason()
                        .equals("no_acceptable_alg"));
        Answer jwt = office.tryIssue("\"format\":\"jwt\"");
        assertThat(jwt.body().path("token").asString()).startsWith("eyJ");
        assertThat(jwt.body().path("token_type").asString()).isEqualTo("Bearer");
    }

    @Test
    void anAccessTokenIsVerifiedIntrospectedAndRevokedAsACapabilityIs() {
        String jwt = office.post(
                        "/v1/passport/issue", "{\"subject_ref\":\"u\",\"audience\":\"svc-demo\",\"format\":\"jwt\"}")
                .body()
                .path("token")
                .asString();
        Answer good = office.verify(jwt);
        assertThat(good.body().path("ok").asBoolean()).isTrue();
        assertThat(good.body().path("parsed").path("sub").asString()).isEqualTo("u");
        Answer seen = office.post("/v1/passport/introspect", "{\"token\":\"" + jwt + "\"}");
        assertThat(seen.body().path("active").asBoolean()).isTrue();
        assertThat(seen.body().path("aud").asString()).isEqualTo("svc-demo");
        assertThat(office.verify(jwt.substring(0, jwt.length() - 4) + "AAAA").reason())
                .isEqualTo("bad_signature");

        assertThat(revoke("\"token\":\"" + jwt + "\"").status()).isEqualTo(200);
        assertThat(office.verify(jwt).reason()).isEqualTo("revoked");
        assertThat(office.post("/v1/passport/introspect", "{\"token\":\"" + jwt + "\"}")
                        .body()
                        .path("active")
                        .asBoolean())
                .isFalse();
    }

    // enforce at the office  ->  who follows its keys takes nothing less either, and what is out can still be ended
    @Test
    void whatTheOfficeEnforcesItsKeysTellEveryVerifier() throws Exception {
        String classical = office.issue();
        String jwt = office.issue("\"format\":\"jwt\"");
        office.reload("passport.pq.mode=enforce");
        byte[] published = office.get("/.well-known/jwks.json").raw().body();
        IssuerState before = IssuerState.of(
                office.service().issuer(),
                List.of(),
                Revocations.none(office.frame().clock().now().getEpochSecond()),
                Tenants.ALL);
        TokenVerifier verifier =
                new TokenVerifier(VerifierConfig.of("svc-demo"), Signatures.portable(), new SignatureCache(1 << 20));
        RequestContext request = RequestContext.at(office.frame().clock().now().getEpochSecond())
                .method("GET")
                .build();
        assertThat(verifier.verify(classical, request, KeyState.of(before.withKeys(JwkSet.parse(published)))))
                .isInstanceOfSatisfying(
                        Decision.Deny.class, deny -> assertThat(deny.reason()).isEqualTo(Reason.PQ_MISSING));
        assertThat(office.verify(classical).reason()).isEqualTo("pq_missing");
        assertThat(office.verify(jwt).reason()).isEqualTo("pq_missing");
        assertThat(office.post("/v1/passport/introspect", "{\"token\":\"" + jwt + "\"}")
                        .body()
                        .path("active")
                        .asBoolean(true))
                .isFalse();
        assertThat(revoke("\"token\":\"" + classical + "\"").status()).isEqualTo(200);
        long ended = revoke("\"token\":\"" + jwt + "\"").body().path("seq").asLong();
        assertThat(revoke("\"token\":\"" + jwt + "\"").body().path("seq").asLong())
                .as("what is ended already is not ended again")
                .isEqualTo(ended);
        office.reload("passport.pq.mode=hybrid");
        assertThat(office.verify(classical).reason()).isEqualTo("revoked");
        assertThat(office.verify(jwt).reason()).isEqualTo("revoked");
    }

    @Test
    void nothingSecretReachesTheLog() {
        String token = office.issue();
        office.post("/v1/passport/issue", "{\"subject_ref\":\"x\"}");
        office.post("/v1/passport/verify", "{\"token\":\"" + token + "\"}", token);
        office.post("/v1/passport/revoke", "{\"token\":\"" + token + "\"}");
        office.get("/v1/passport/revocations?since=0", "Authorization", "Bearer " + token);
        String key = office.key();
        String seed = token.substring(token.lastIndexOf('~') + 2);
        office.close();
        String log = office.log.toString(StandardCharsets.UTF_8);
        assertThat(log).isNotEmpty().doesNotContain(seed, key, key.substring(20), "eyJ", "PRIVATE");
    }
}
