package dev.ron.passport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.passport.OfficeProcess.Answer;
import dev.ron.token.crypto.HolderSeed;
import dev.ron.token.crypto.Signatures;
import dev.ron.token.json.Base64Url;
import dev.ron.token.pct.Proof;
import dev.ron.token.verify.Decision;
import dev.ron.token.verify.RequestContext;
import dev.ron.token.verify.SignatureCache;
import dev.ron.token.verify.TokenVerifier;
import dev.ron.token.verify.VerifierConfig;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** The finer points of the HTTP surface: one item of a batch, seeds and keys of the client's own, tags, asking twice. */
class HttpDetailsTest {
    private static final String THUMBPRINT = Base64Url.encode(new byte[32]);

    private static OfficeProcess office;

    @BeforeAll
    static void open() throws Exception {
        office = OfficeProcess.inMemory();
    }

    @AfterAll
    static void close() {
        office.close();
    }

    @Test
    void aContextThatMakesNoSenseIsThatItemsRefusalAlone() {
        String good = "{\"token\":\"" + office.issue() + "\"}";
        String odd = good.replace("}", ",\"ctx\":{\"peer_ip\":\"not an address\"}}");
        for (String body :
                List.of("{\"items\":[" + good + "," + odd + "," + good + "]}", "[" + good + "," + odd + "]")) {
            Answer answer = office.post("/v1/passport/verify_batch", body);
            assertThat(answer.status()).as(answer.body().toString()).isEqualTo(200);
            JsonNode results = answer.body().path("results");
            assertThat(IntStream.range(0, results.size())
                            .mapToObj(i -> results.path(i).path("reason").asString("ok")))
                    .as(body)
                    .startsWith("ok", "bad_request");
            assertThat(results.path(1).path("ok").asBoolean(true)).isFalse();
            assertThat(results.path(1).path("detail").asString()).contains("peer_ip");
            assertThat(results.path(0).path("ok").asBoolean()).isTrue();
        }
        assertThat(office.post("/v1/passport/verify", odd).status())
                .as("alone it is the request that is bad")
                .isEqualTo(400);
    }

    private static HolderSeed seed() {
        byte[] secret = new byte[HolderSeed.SIZE];
        new SecureRandom().nextBytes(secret);
        return new HolderSeed(secret);
    }

    // a seed that never left the client  ->  what comes back is of no use to anybody else, and whole with its proof
    @Test
    void aClientMayKeepItsSeed() {
        HolderSeed seed = seed();
        Proof proof = Proof.ofSeed(seed);
        String nk = seed.nextKey(Signatures.portable());
        Answer issued = office.tryIssue("\"holder\":{\"nh\":\"" + proof.commitment() + "\",\"nk\":\"" + nk + "\"}");
        assertThat(issued.status()).as(issued.body().toString()).isEqualTo(200);
        assertThat(issued.body().path("attenuable").asBoolean()).isTrue();
        String bare = issued.body().path("token").asString();
        assertThat(office.verify(bare).reason()).isEqualTo("bad_proof");
        String whole = bare + "~s" + Base64Url.encode(seed.bytes());
        Answer verified = office.verify(whole);
        assertThat(verified.body().path("ok").asBoolean()).isTrue();
        assertThat(verified.body().path("parsed").path("sealed").asBoolean(true))
                .isFalse();
        assertThat(office.verify(office.narrowed(whole, "method=GET"))
                        .body()
                        .path("ok")
                        .asBoolean())
                .as("the key it named signs the next block")
                .isTrue();

        Answer last = office.tryIssue("\"holder\":{\"nh\":\"" + proof.commitment() + "\"}");
        assertThat(last.body().path("attenuable").asBoolean(true)).isFalse();
    }

    @Test
    void whatAClientSaysOfItsSeedAndKeyMustBeReadable() {
        String nh = "\"nh\":\"" + THUMBPRINT + "\"";
        for (String bad : List.of(
                "\"holder\":{\"nh\":\"short\"}",
                "\"holder\":{" + nh + ",\"nk\":\"" + THUMBPRINT + "\"}", // of small order
                "\"holder\":{" + nh + "},\"attenuable\":true",
                "\"holder\":{" + nh + "},\"format\":\"jwt\"",
                "\"cnf\":{\"jkt\":\"" + THUMBPRINT + "\"},\"format\":\"jwt\"",
                "\"cnf\":{\"jkt\":\"" + THUMBPRINT + "\",\"x5t#S256\":\"" + THUMBPRINT + "\"}",
                "\"cnf\":{}")) {
            Answer answer = office.tryIssue(bad);
            assertThat(answer.status()).as(bad).isEqualTo(400);
            assertThat(answer.reason()).as(bad).isEqualTo("bad_request");
        }
    }

    @Test
    void aTokenBoundAtIssueIsOfUseOnlyToWhoProvesTheKeyAndSoIsItsRemint() {
        String cnf = "\"cnf\":{\"x5t#S256\":\"" + THUMBPRINT + "\"}";
        String bound = office.issue(cnf);
        assertThat(verdict(bound, "")).isEqualTo("cav_bind");
        assertThat(verdict(bound, Base64Url.encode(new byte[31]) + "AA")).isEqualTo("cav_bind");
        assertThat(verdict(bound, THUMBPRINT)).isEqualTo("allow");
        String reminted = office.post("/v1/passport/attenuate", "{\"token\":\"" + bound + "\",\"remint\":true}")
                .body()
                .path("token")
                .asString();
        assertThat(verdict(reminted, "")).isEqualTo("cav_bind");
        assertThat(verdict(reminted, THUMBPRINT)).isEqualTo("allow");
    }

    private static String verdict(String token, String thumbprint) {
        RequestContext.Builder request = RequestContext.at(
                        office.frame().clock().now().getEpochSecond())
                .method("GET")
                .readOnly();
        if (!thumbprint.isEmpty()) {
            request.certificateThumbprint(thumbprint);
        }
        VerifierConfig standard = VerifierConfig.of("svc-demo");
        TokenVerifier verifier = new TokenVerifier(
                new VerifierConfig(
                        "svc-demo", 60, standard.caps(), standard.pq(), false, Long.MAX_VALUE / 4, Long.MAX_VALUE / 4),
                Signatures.portable(),
                new SignatureCache(1 << 20));
        return verifier.verify(token, request.build(), office.service().state().keyState())
                        instanceof Decision.Deny deny
                ? deny.reason().wire()
                : "allow";
    }

    @Test
    void whoHasTheEpochOrTheFeedAlreadyIsToldSo() {
        String auth = "Bearer " + office.service().ownKey().reveal();
        String feed = "/v1/passport/revocations?since=0";
        String epochTag = tag(office.get("/v1/passport/epoch"));
        String feedTag = tag(office.get(feed, "Authorization", auth));
        assertThat(office.get("/v1/passport/epoch", "If-None-Match", epochTag).status())
                .isEqualTo(304);
        assertThat(office.get(feed, "Authorization", auth, "If-None-Match", feedTag)
                        .status())
                .isEqualTo(304);
        office.post("/v1/passport/revoke", "{\"jti\":\"news\"}");
        assertThat(office.get("/v1/passport/epoch", "If-None-Match", epochTag).status())
                .isEqualTo(200);
        assertThat(office.get(feed, "Authorization", auth, "If-None-Match", feedTag)
                        .status())
                .isEqualTo(200);
        assertThat(office.get(feed, "If-None-Match", feedTag).status()).isEqualTo(401);
    }

    private static String tag(Answer answer) {
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.raw().headers().allValues("cache-control")).hasSize(1);
        return answer.raw().headers().firstValue("etag").orElseThrow();
    }

    // revoked | revoked again, by its holder, by a client, as a branch, by its key  ->  200, and nothing is written
    @Test
    void toEndWhatHasEndedIsNoMistake() throws Exception {
        try (OfficeProcess here = OfficeProcess.inMemory()) {
            String jwt = here.issue("\"format\":\"jwt\"");
            for (String token : List.of(here.issue(), jwt)) {
                String body = "{\"token\":\"" + token + "\"}";
                long seq = ended(here.post("/v1/passport/revoke", body));
                assertThat(ended(here.post("/v1/passport/revoke", body, token))).isEqualTo(seq);
                assertThat(ended(here.post("/v1/passport/revoke", body))).isEqualTo(seq);
            }
            String stem = here.issue();
            String branch = here.narrowed(stem, "method=GET");
            long root = ended(here.post("/v1/passport/revoke", "{\"token\":\"" + stem + "\"}"));
            assertThat(ended(here.post("/v1/passport/revoke", "{\"token\":\"" + branch + "\"}", branch)))
                    .isEqualTo(root);
            Answer keyed = here.tryIssue();
            String byKey = keyed.body().path("token").asString();
            long key = ended(here.post(
                    "/v1/passport/revoke",
                    "{\"kid\":\"" + keyed.body().path("kid").asString() + "\"}"));
            assertThat(ended(here.post("/v1/passport/revoke", "{\"token\":\"" + byKey + "\"}")))
                    .isEqualTo(key);
            String forged = byKey.substring(0, byKey.lastIndexOf('~')) + "~s" + "A".repeat(43);
            assertThat(here.post("/v1/passport/revoke", "{\"token\":\"" + forged + "\"}", forged)
                            .status())
                    .as("what was never good is not told as ended")
                    .isEqualTo(401);
        }
    }

    private static long ended(Answer answer) {
        assertThat(answer.status()).as(answer.body().toString()).isEqualTo(200);
        return answer.body().path("seq").asLong();
    }

    @Test
    void whatIsParsedOfAnAccessTokenIsToldAsOfACapability() {
        JsonNode parsed =
                office.verify(office.issue("\"format\":\"jwt\"")).body().path("parsed");
        assertThat(parsed.path("alg").asString()).isEqualTo("EdDSA");
        assertThat(parsed.path("kid").asString()).hasSize(16);
        assertThat(parsed.path("epoch").asInt()).isPositive();
        assertThat(parsed.path("aud").path(0).asString()).isEqualTo("svc-demo");
    }

    // made, then 90 s  ->  every token of that key is told with that age, and what is no token of a key with none
    @Test
    void theAgeOfTheKeyIsTold() throws Exception {
        try (OfficeProcess here = OfficeProcess.inMemory()) {
            here.timePasses(Duration.ofSeconds(90));
            String good = here.issue();
            for (String token : List.of(good, here.issue("\"format\":\"jwt\""))) {
                assertThat(here.verify(token).body().path("key_age_ms").asLong(-1))
                        .isBetween(90_000L, 600_000L);
            }
            String forged = good.substring(0, good.lastIndexOf('~')) + "~s" + "A".repeat(43);
            assertThat(here.verify(forged).body().has("key_age_ms")).isFalse();
        }
    }

    @Test
    void aProofIsReservedAndSoOnlyNull() {
        assertThat(office.tryIssue("\"proof\":null").status()).isEqualTo(200);
        for (String value : List.of("\"x\"", "{}", "false", "[]")) {
            Answer answer = office.tryIssue("\"proof\":" + value);
            assertThat(answer.status()).as(value).isEqualTo(400);
            assertThat(answer.body().path("detail").asString()).as(value).contains("proof");
        }
    }
}
