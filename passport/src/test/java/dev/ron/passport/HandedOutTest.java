package dev.ron.passport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.passport.OfficeProcess.Answer;
import dev.ron.passport.client.ApiKey;
import dev.ron.passport.client.Client;
import dev.ron.passport.client.Right;
import dev.ron.passport.office.Command;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A client's tokens may do no more than the client: neither at the office nor at the services that any token of theirs steers. */
class HandedOutTest {
    private static OfficeProcess office;

    @BeforeAll
    static void open() throws Exception {
        office = OfficeProcess.inMemory();
    }

    @AfterAll
    static void close() {
        office.close();
    }

    private static String client(String name, Set<Right> rights, String... audiences) {
        ApiKey key = ApiKey.random(new SecureRandom());
        office.carryOut(new Command.KeepClient(
                new Client(name, key.prefix(), key.hash(), List.of("acme"), rights, List.of(audiences), 0)));
        return key.reveal();
    }

    private static Answer order(String credential, String audience, String scope, String... members) {
        String more = members.length == 0 ? "" : "," + String.join(",", members);
        return office.post(
                "/v1/passport/issue",
                "{\"subject_ref\":\"x\",\"audience\":\"" + audience + "\",\"caveats\":[\"scope=" + scope + "\"]" + more
                        + "}",
                credential);
    }

    private static String token(Answer answer) {
        assertThat(answer.status()).as(answer.body().toString()).isEqualTo(200);
        return answer.body().path("token").asString();
    }

    private static void assertForbidden(Answer answer) {
        assertThat(answer.status()).as(answer.body().toString()).isEqualTo(403);
        assertThat(answer.reason()).isEqualTo("forbidden");
    }

    @Test
    void aRightToTheOfficeIsHandedOutOnlyByWhoHasIt() {
        String web = client("web", Set.of(Right.ISSUE, Right.VERIFY));
        assertForbidden(order(web, "svc-passport", "passport:revoke,passport:introspect"));
        assertForbidden(order(web, "svc-passport", "passport:issue,passport:revoke"));
        assertForbidden(order(web, "svc-passport", "passport:unheard-of"));
        String issuing = token(order(web, "svc-passport", "passport:issue,passport:verify"));
        String nothing = token(order(issuing, "svc-passport", "passport:revoke"));
        assertThat(office.post("/v1/passport/revoke", "{\"subject_ref\":\"y\"}", nothing)
                        .reason())
                .isEqualTo("cav_scope");
        String again = token(order(issuing, "svc-passport", "passport:verify"));
        assertThat(office.post("/v1/passport/verify", "{\"token\":\"x\"}", again)
                        .status())
                .as("a part of what it was given may be handed on")
                .isEqualTo(200);

        String desk = client("desk", Set.of(Right.ISSUE, Right.REVOKE));
        String revoking = token(order(desk, "svc-passport", "passport:revoke"));
        assertThat(office.post("/v1/passport/revoke", "{\"subject_ref\":\"y\"}", revoking)
                        .status())
                .isEqualTo(200);
    }

    @Test
    void aNewRootTakesNoRightAlongThatItsClientHasNot() {
        String web = client("reminting", Set.of(Right.ISSUE, Right.VERIFY));
        String remint = "{\"token\":\"%s\",\"remint\":true%s}";
        String stronger = token(office.post(
                "/v1/passport/issue",
                "{\"subject_ref\":\"x\",\"tenant\":\"acme\",\"audience\":\"svc-passport\","
                        + "\"caveats\":[\"scope=passport:revoke\"]}"));
        assertForbidden(office.post("/v1/passport/attenuate", String.format(remint, stronger, ""), web));
        String plain =
                token(office.post("/v1/passport/issue", "{\"subject_ref\":\"x\",\"audience\":\"svc-passport\"}", web));
        assertForbidden(office.post(
                "/v1/passport/attenuate",
                String.format(remint, plain, ",\"caveats\":[\"scope=passport:introspect\"]"),
                web));
    }

    @Test
    void whatSteersTheInstanceIsForClientsThatWereGivenItByName() {
        String web = client("whole", Set.of(Right.ISSUE));
        for (String audience : List.of("svc-admin", "svc-registry")) {
            Answer refused = order(web, audience, "admin:admin,registry:commit");
            assertThat(refused.reason()).isEqualTo("audience_not_allowed");
            assertThat(refused.body().path("detail").asString())
                    .contains("svc-gateway", "svc-demo")
                    .doesNotContain("svc-admin", "svc-registry");
            assertThat(order(web, audience, "admin", "\"format\":\"jwt\"").reason())
                    .isEqualTo("audience_not_allowed");
            token(order(client("named-" + audience, Set.of(Right.ISSUE), audience), audience, "admin:viewer"));
            token(order(client("any-" + audience, Set.of(Right.ISSUE), Client.ANY), audience, "admin:viewer"));
        }
        String elsewhere = token(office.post(
                "/v1/passport/issue", "{\"subject_ref\":\"x\",\"tenant\":\"acme\",\"audience\":\"svc-admin\"}"));
        assertThat(office.post("/v1/passport/attenuate", "{\"token\":\"" + elsewhere + "\",\"remint\":true}", web)
                        .reason())
                .isEqualTo("audience_not_allowed");
    }

    // a data folder of before, when naming no service meant every one  ->  the demo's first client still steers all
    @Test
    void theFirstClientOfAnOlderDemoStillSteersAll(@TempDir Path folder) throws Exception {
        String steering = "{\"subject_ref\":\"x\",\"audience\":[\"svc-admin\",\"svc-registry\"]}";
        try (OfficeProcess older = OfficeProcess.in(folder)) {
            Client first = older.service().state().clients().values().stream()
                    .filter(client -> client.audiences().contains(Client.ANY))
                    .findFirst()
                    .orElseThrow();
            older.carryOut(new Command.KeepClient(new Client(
                    first.id(), first.prefix(), first.keyHash(), first.tenants(), first.rights(), List.of(), 0)));
            assertThat(older.post("/v1/passport/issue", steering).reason()).isEqualTo("audience_not_allowed");
        }
        try (OfficeProcess newer = OfficeProcess.in(folder)) {
            assertThat(newer.post("/v1/passport/issue", steering).status()).isEqualTo(200);
        }
    }

    // two scopes both bind  ->  an access token, which has one, names what is in both
    @Test
    void anAccessTokenNamesWhatAllItsScopesHaveInCommon() {
        assertThat(scopeOf(token(ordered("scope=a,b", "scope=b,c")))).isEqualTo("b");
        assertThat(scopeOf(token(ordered("scope=a,b")))).isEqualTo("a b");
        Answer nothing = ordered("scope=a", "scope=b");
        assertThat(nothing.status()).isEqualTo(400);
        assertThat(nothing.reason()).isEqualTo("caveat_out_of_bounds");
    }

    private static Answer ordered(String... scopes) {
        return office.tryIssue("\"format\":\"jwt\"", "\"caveats\":[\"" + String.join("\",\"", scopes) + "\"]");
    }

    private static String scopeOf(String jwt) {
        String claims = new String(Base64.getUrlDecoder().decode(jwt.split("\\.", -1)[1]), StandardCharsets.UTF_8);
        return claims.replaceAll(".*\"scope\":\"([^\"]*)\".*", "$1");
    }
}
