package dev.ron.passport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.passport.OfficeProcess.Answer;
import dev.ron.passport.client.ApiKey;
import dev.ron.passport.client.Client;
import dev.ron.passport.client.Right;
import dev.ron.passport.office.Command;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What an office promises of every answer, every key and every policy, and nobody looks at until it is missing. */
@Timeout(60)
class SmallPrintTest {
    // any answer, good or bad  ->  a correlation id, and no cache keeps it; what is no problem is not to be sniffed
    // either
    @Test
    void everyAnswerIsMarked() throws Exception {
        try (OfficeProcess office = OfficeProcess.inMemory()) {
            String own = "Bearer " + office.service().ownKey().reveal();
            String token = "{\"token\":\"" + office.issue() + "\"}";
            List<Answer> all = List.of(
                    office.tryIssue(),
                    office.tryIssue("\"nonsense\":1"),
                    office.post("/v1/passport/verify", token),
                    office.post("/v1/passport/verify_batch", "[" + token + "]"),
                    office.post("/v1/passport/introspect", token),
                    office.post("/v1/passport/introspect", "{\"token\":\"\"}"),
                    office.post("/v1/passport/attenuate", token.replace("}", ",\"caveats\":[\"method=GET\"]}")),
                    office.post("/v1/passport/revoke", "{\"jti\":\"x\"}"),
                    office.post("/v1/passport/issue", "{}", "nobody"),
                    office.get("/v1/passport/policy", "Authorization", own),
                    office.get("/v1/passport/revocations?since=0", "Authorization", own),
                    office.get("/v1/passport/epoch"),
                    office.get("/.well-known/openid-configuration"),
                    office.get("/.well-known/oauth-authorization-server"),
                    office.get("/nowhere"));
            for (Answer answer : all) {
                String what = answer.raw().uri() + " " + answer.status();
                assertThat(header(answer, "x-corr-id")).as(what).isNotEmpty();
                assertThat(header(answer, "x-content-type-options"))
                        .as(what)
                        .isEqualTo(header(answer, "content-type").contains("problem") ? "" : "nosniff");
                assertThat(header(answer, "cache-control")).as(what).isIn("no-store", "no-cache");
            }
            Answer keys = office.get("/.well-known/jwks.json", "X-Corr-ID", "0f8fad5b-d9cb-469f-a165-70867728950e");
            assertThat(header(keys, "cache-control")).isEqualTo("public, max-age=60");
            assertThat(header(keys, "x-content-type-options")).isEqualTo("nosniff");
            assertThat(header(keys, "x-corr-id")).isEqualTo("0f8fad5b-d9cb-469f-a165-70867728950e");
            Answer known = office.get("/.well-known/jwks.json", "If-None-Match", header(keys, "etag"));
            assertThat(known.status()).isEqualTo(304);
            assertThat(header(known, "x-content-type-options")).isEmpty();
        }
    }

    private static String header(Answer answer, String name) {
        return answer.raw().headers().firstValue(name).orElse("");
    }

    // no registry | days pass  ->  the policy of the configuration is as good as on the first day
    @Test
    void aPolicyFromTheConfigurationIsNeverStale() throws Exception {
        try (OfficeProcess office = OfficeProcess.inMemory()) {
            office.timePasses(Duration.ofDays(20));
            assertThat(office.tryIssue().status()).isEqualTo(200);
            assertThat(office.get("/readyz/write").status()).isEqualTo(200);
        }
    }

    @Test
    void aClientKeyIsKeptOnlyAsItsHash(@TempDir Path folder) throws Exception {
        ApiKey key = ApiKey.random(new SecureRandom());
        String shown = key.reveal();
        assertThat(shown.substring(shown.indexOf('.') + 1)).as("256 bits").hasSize(43);
        try (OfficeProcess office = OfficeProcess.in(folder)) {
            office.carryOut(new Command.KeepClient(
                    new Client("shop", key.prefix(), key.hash(), List.of("acme"), Set.of(Right.ISSUE), List.of(), 0)));
            assertThat(office.post("/v1/passport/issue", "{\"subject_ref\":\"a\",\"audience\":\"svc-demo\"}", shown)
                            .status())
                    .isEqualTo(200);
        }
        try (Stream<Path> files = Files.walk(folder)) {
            String kept = String.join(
                    "\n",
                    files.filter(Files::isRegularFile).map(SmallPrintTest::text).toList());
            assertThat(kept).contains(key.hash()).doesNotContain(shown.substring(shown.indexOf('.') + 1));
        }
    }

    private static String text(Path file) {
        try {
            return Files.readString(file, StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    // a policy that asks for caveats and bounds them  ->  an order keeps to it or is refused with the number
    @Test
    void whatThePolicyAsksOfCaveatsIsAskedOfEveryOrder() throws Exception {
        try (OfficeProcess office = OfficeProcess.inMemory(
                "passport.issuer_policy.caveats_required=path", "passport.issuer_policy.caveats_max.rate_rps=5")) {
            assertThat(office.tryIssue().reason()).isEqualTo("caveat_out_of_bounds");
            Answer fast = office.tryIssue("\"caveats\":[\"path=/a/\",\"rate.rps=6\"]");
            assertThat(fast.reason()).isEqualTo("caveat_out_of_bounds");
            assertThat(fast.body().path("detail").asString()).contains("rate.rps: 6 (expected: at most 5)");
            assertThat(office.tryIssue("\"caveats\":[\"path=/a/\",\"rate.rps=5\"]")
                            .status())
                    .isEqualTo(200);
            Answer policy = office.get("/v1/passport/policy", "Authorization", "Bearer " + office.key());
            assertThat(policy.body().path("caveats_required").path(0).asString())
                    .isEqualTo("path");
            assertThat(policy.body().path("caveats_max").path("rate_rps").asInt())
                    .isEqualTo(5);
        }
    }

    @Test
    void aBatchBeyondItsLimitIsRefusedWhole() throws Exception {
        try (OfficeProcess office = OfficeProcess.inMemory()) {
            String item = "{\"token\":\"x\"}";
            Answer most = office.post(
                    "/v1/passport/verify_batch", "[" + String.join(",", Collections.nCopies(512, item)) + "]");
            assertThat(most.status()).isEqualTo(200);
            assertThat(most.body().path("results")).hasSize(512);
            Answer more = office.post(
                    "/v1/passport/verify_batch", "[" + String.join(",", Collections.nCopies(513, item)) + "]");
            assertThat(more.status()).isEqualTo(413);
            assertThat(more.reason()).isEqualTo("over_limit");
        }
    }
}
