package dev.ron.passport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ron.kernel.error.Code;
import dev.ron.kernel.error.RonException;
import dev.ron.passport.OfficeProcess.Answer;
import dev.ron.passport.client.Client;
import dev.ron.passport.client.Right;
import dev.ron.passport.office.Command;
import dev.ron.token.json.Base64Url;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Bad input gets a precise reason, and nothing of it comes back. */
class BadInputTest {
    private static OfficeProcess office;

    @BeforeAll
    static void open() throws Exception {
        office = OfficeProcess.inMemory();
    }

    @AfterAll
    static void close() {
        office.close();
    }

    static Stream<Arguments> badOrders() {
        return Stream.of(
                order(400, "json", "{\"subject_ref\":\"a\",\"audience\":\"svc-demo\",\"nonsense\":1}"),
                order(400, "json", "{\"subject_ref\":\"a\",\"subject_ref\":\"b\",\"audience\":\"svc-demo\"}"),
                order(400, "json", "{\"audience\":\"svc-demo\"}"),
                order(400, "json", "{\"subject_ref\":1,\"audience\":\"svc-demo\"}"),
                order(400, "json", "{\"subject_ref\":\"a\",\"audience\":\"svc-demo\"} x"),
                order(400, "json", "not json"),
                order(400, "bad_request", "{\"subject_ref\":\"\",\"audience\":\"svc-demo\"}"),
                order(400, "bad_request", "{\"subject_ref\":\"a b\",\"audience\":\"svc-demo\"}"),
                order(400, "bad_request", "{\"subject_ref\":\"a\",\"audience\":[]}"),
                order(400, "bad_request", "{\"subject_ref\":\"a\",\"audience\":7}"),
                order(400, "bad_request", "{\"subject_ref\":\"a\",\"audience\":\"svc-demo\",\"ttl_s\":0}"),
                order(400, "bad_request", "{\"subject_ref\":\"a\",\"audience\":\"svc-demo\",\"tenant\":\"a/b\"}"),
                order(400, "bad_request", "{\"subject_ref\":\"a\",\"audience\":\"svc-demo\",\"format\":\"xml\"}"),
                order(400, "bad_request", "{\"subject_ref\":\"a\",\"audience\":\"svc-demo\",\"caveats\":[7]}"),
                order(
                        400,
                        "bad_request",
                        "{\"subject_ref\":\"a\",\"audience\":\"svc-demo\",\"caveats\":[\"path=../x\"]}"),
                order(400, "audience_not_allowed", "{\"subject_ref\":\"a\",\"audience\":\"svc-other\"}"),
                order(400, "ttl_too_long", "{\"subject_ref\":\"a\",\"audience\":\"svc-demo\",\"ttl_s\":3601}"),
                order(
                        400,
                        "unknown_caveat",
                        "{\"subject_ref\":\"a\",\"audience\":\"svc-demo\",\"caveats\":[\"moon=full\"]}"),
                order(
                        400,
                        "unknown_caveat",
                        "{\"subject_ref\":\"a\",\"audience\":\"svc-demo\",\"caveats\":[{\"t\":\"x\",\"v\":1}]}"),
                order(
                        400,
                        "no_acceptable_alg",
                        "{\"subject_ref\":\"a\",\"audience\":\"svc-demo\",\"accept_algs\":[\"rsa\"]}"),
                order(400, "json", "{\"subject_ref\":\"a\",\"audience\":\"svc-demo\",\"accept_algs\":[null]}"),
                order(
                        400,
                        "caveat_out_of_bounds",
                        "{\"subject_ref\":\"a\",\"audience\":\"svc-demo\",\"caveats\":["
                                + ("\"path=/" + "p".repeat(100) + "\",").repeat(40) + "\"path=/p\"]}"),
                order(413, "body_cap", "{\"subject_ref\":\"" + "a".repeat(1 << 20) + "\"}"));
    }

    private static Arguments order(int status, String reason, String body) {
        return Arguments.of(status, reason, body);
    }

    @ParameterizedTest(name = "{0} {1}")
    @MethodSource("badOrders")
    void aBadOrderIsRefusedWithItsReason(int status, String reason, String body) {
        Answer answer = office.post("/v1/passport/issue", body);
        assertThat(answer.status()).isEqualTo(status);
        assertThat(answer.reason()).isEqualTo(reason);
        assertThat(answer.body().toString()).doesNotContain("Exception", "dev.ron");
    }

    // acknowledged but never to be read again would be the end of the next start and of every verifier
    @Test
    void nothingIsKeptThatCouldNotBeReadAgain(@TempDir Path folder) throws Exception {
        try (OfficeProcess kept = OfficeProcess.in(folder)) {
            for (String body : List.of(
                    "{\"subject_ref\":\"x\",\"tenant\":\"\"}",
                    "{\"subject_ref\":\"x\",\"tenant\":\"" + "t".repeat(65) + "\"}",
                    "{\"epoch\":9007199254740992}",
                    "{\"epoch\":9007199254740991}")) {
                Answer answer = kept.post("/v1/passport/revoke", body);
                assertThat(answer.status()).as(body).isEqualTo(400);
                assertThat(answer.reason()).isEqualTo("bad_request");
            }
            for (Client bad : List.of(
                    client(List.of(""), 0), client(List.of("t".repeat(65)), 0), client(List.of("t"), 100_000))) {
                assertThatThrownBy(() -> kept.carryOut(new Command.KeepClient(bad)))
                        .isInstanceOfSatisfying(
                                RonException.class, e -> assertThat(e.code()).isEqualTo(Code.BAD_REQUEST));
            }
            kept.carryOut(new Command.KeepClient(client(List.of("t"), 60)));
            kept.carryOut(new Command.DropClient("odd"));
            assertThatThrownBy(() -> kept.carryOut(new Command.DropClient("odd")))
                    .hasMessageContaining("no client");
        }
        try (OfficeProcess again = OfficeProcess.in(folder)) {
            assertThat(again.issue()).startsWith("pct1~");
            assertThat(again.service().state().clients().values()).noneMatch(c -> c.id().equals("odd"));
        }
    }

    private static Client client(List<String> tenants, long maxTtl) {
        return new Client(
                "odd", "oddoddoddod", Base64Url.encode(new byte[32]), tenants, Set.of(Right.ISSUE), List.of(), maxTtl);
    }

    @Test
    void aBodyThatGrowsTooMuchIsRefused() throws IOException {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(packed)) {
            out.write(("{\"subject_ref\":\"" + "a".repeat(512 << 10) + "\"}").getBytes(StandardCharsets.UTF_8));
        }
        Answer bomb = office.send(HttpRequest.newBuilder(URI.create(office.url("/v1/passport/issue")))
                .header("Content-Type", "application/json")
                .header("Content-Encoding", "gzip")
                .header("Authorization", "Bearer " + office.key())
                .POST(HttpRequest.BodyPublishers.ofByteArray(packed.toByteArray()))
                .build());
        assertThat(bomb.status()).isEqualTo(413);
        assertThat(bomb.reason()).isEqualTo("decoded_ratio");
    }

    @Test
    void aStrangerIsRefusedInOneWay() {
        String body = "{\"subject_ref\":\"a\",\"audience\":\"svc-demo\"}";
        String almost = office.key().substring(0, office.key().length() - 2) + "AA";
        for (String credential : new String[] {"x", "ron_ck_AAAAAAAAAAA." + "A".repeat(43), almost}) {
            Answer answer = office.post("/v1/passport/issue", body, credential);
            assertThat(answer.status()).isEqualTo(401);
            assertThat(answer.reason()).isEqualTo("unauthenticated");
            assertThat(answer.raw().headers().firstValue("www-authenticate"))
                    .hasValue("Bearer realm=\"ron\", error=\"invalid_token\","
                            + " error_description=\"unauthenticated\"");
        }
        Answer bare = office.send(HttpRequest.newBuilder(URI.create(office.url("/v1/passport/issue")))
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build());
        assertThat(bare.status()).isEqualTo(401);
        assertThat(bare.raw().headers().firstValue("www-authenticate"))
                .as("who showed nothing is told no error")
                .hasValue("Bearer realm=\"ron\"");
        Answer weak = office.post(
                "/v1/passport/issue", body, office.service().ownKey().reveal());
        assertThat(weak.status()).isEqualTo(403);
        assertThat(weak.raw().headers().firstValue("www-authenticate"))
                .hasValueSatisfying(text -> assertThat(text).contains("error=\"insufficient_scope\""));
        Answer twice = office.send(HttpRequest.newBuilder(URI.create(office.url("/v1/passport/issue")))
                .header("Content-Type", "application/json")
                .header("Authorization", "Bearer a")
                .header("Authorization", "Bearer b")
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build());
        assertThat(twice.status()).isEqualTo(400);
        Answer text = office.send(HttpRequest.newBuilder(URI.create(office.url("/v1/passport/issue")))
                .header("Content-Type", "text/plain")
                .header("Authorization", "Bearer " + office.key())
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build());
        assertThat(text.status()).isEqualTo(415);
    }

    @Test
    void aBadTokenIsRefusedWithItsReason() {
        String token = office.issue();
        String[] parts = token.split("~", -1);
        String[] root = parts[1].split("\\.", -1);
        assertReason("malformed", "hello");
        assertReason("malformed", "pct1~" + root[0] + "!." + root[1] + "." + root[2] + "~" + parts[2]);
        assertReason("malformed", "pct1~" + root[0] + "=." + root[1] + "." + root[2] + "~" + parts[2]);
        assertReason("alg_refused", "pct1~" + header("none") + "." + root[1] + "." + root[2] + "~" + parts[2]);
        assertReason("alg_refused", "pct1~" + header("HS256") + "." + root[1] + "." + root[2] + "~" + parts[2]);
        assertReason("bad_proof", "pct1~" + parts[1] + "~s" + "A".repeat(43));
        assertReason("bad_proof", "pct1~" + parts[1]);
        String forged = (root[2].startsWith("A") ? "B" : "A") + root[2].substring(1);
        assertReason("bad_signature", "pct1~" + root[0] + "." + root[1] + "." + forged + "~" + parts[2]);
        assertReason("too_large", "pct1~" + "A".repeat(9000));

        String one = office.narrowed(token, "method=GET");
        String two = office.narrowed(one, "path=/a/");
        String[] p = two.split("~", -1);
        assertReason("bad_chain", "pct1~" + p[1] + "~" + p[3] + "~" + p[2] + "~" + p[4]);
        assertReason("bad_chain", "pct1~" + p[1] + "~" + p[3] + "~" + p[4]);
        assertReason("bad_proof", "pct1~" + p[1] + "~" + p[2] + "~" + p[4]);
        Answer elsewhere = office.post(
                "/v1/passport/verify", "{\"token\":\"" + token + "\",\"ctx\":{\"audience\":\"svc-gateway\"}}");
        assertThat(elsewhere.reason()).isEqualTo("wrong_audience");
    }

    private static String header(String alg) {
        String json = "{\"alg\":\"" + alg
                + "\",\"crit\":[\"pct\"],\"kid\":\"1IG2tMH7J2wbJZnO\",\"pct\":1,\"typ\":\"pct+jwt\"}";
        return Base64.getUrlEncoder()
                .withoutPadding()
                .encodeToString(json.getBytes(java.nio.charset.StandardCharsets.UTF_8));
    }

    private static void assertReason(String reason, String token) {
        Answer answer = office.verify(token);
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.body().path("ok").asBoolean(true)).isFalse();
        assertThat(answer.reason()).isEqualTo(reason);
        assertThat(answer.body().has("parsed")).isFalse();
    }
}
