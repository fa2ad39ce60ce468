package dev.ron.passport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.passport.OfficeProcess.Answer;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What the office says of a token that it is asked about. */
class JudgedTokensTest {
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
    void aTextThatEndsTooSoonIsBadAloneAndHarmsNoOtherInABatch() {
        String token = office.issue();
        for (String cut : List.of("", "~", "pct1~", token.substring(0, token.lastIndexOf('~') + 1))) {
            Answer alone = office.verify(cut);
            assertThat(alone.status()).as(cut).isEqualTo(200);
            assertThat(alone.reason()).as(cut).isIn("malformed", "bad_proof");
            Answer batch = office.post(
                    "/v1/passport/verify_batch",
                    "{\"items\":[{\"token\":\"" + cut + "\"},{\"token\":\"" + token + "\"}]}");
            assertThat(batch.body().path("results").path(0).path("reason").asString())
                    .isEqualTo(alone.reason());
            assertThat(batch.body().path("results").path(1).path("ok").asBoolean())
                    .isTrue();
            Answer seen = office.post("/v1/passport/introspect", "{\"token\":\"" + cut + "\"}");
            assertThat(seen.status()).isEqualTo(cut.isEmpty() ? 400 : 200);
            assertThat(seen.body().path("active").asBoolean()).isFalse();
        }
    }

    // for two services, narrowed to the second  ->  good there and not at the first; where none is named, good
    @Test
    void aTokenNarrowedToAnyOfItsAudiencesIsGoodForThatOne() {
        String token = office.post(
                        "/v1/passport/issue", "{\"subject_ref\":\"ann\",\"audience\":[\"svc-demo\",\"svc-gateway\"]}")
                .body()
                .path("token")
                .asString();
        String narrow = office.narrowed(token, "aud=svc-gateway");
        assertThat(office.verify(narrow).body().path("ok").asBoolean()).isTrue();
        assertThat(judged(narrow, "\"method\":\"GET\"").body().path("ok").asBoolean())
                .isTrue();
        assertThat(judged(narrow, "\"audience\":\"svc-gateway\"")
                        .body()
                        .path("ok")
                        .asBoolean())
                .isTrue();
        assertThat(judged(narrow, "\"audience\":\"svc-demo\"").reason()).isEqualTo("cav_aud");
        assertThat(office.post("/v1/passport/introspect", "{\"token\":\"" + narrow + "\"}")
                        .body()
                        .path("active")
                        .asBoolean())
                .isTrue();
        assertThat(office.post("/v1/passport/attenuate", "{\"token\":\"" + narrow + "\",\"remint\":true}")
                        .status())
                .isEqualTo(200);
        String nowhere = office.narrowed(narrow, "aud=svc-demo");
        assertThat(office.verify(nowhere).reason()).isEqualTo("cav_aud");
    }

    private static Answer judged(String token, String member) {
        return office.post("/v1/passport/verify", "{\"token\":\"" + token + "\",\"ctx\":{" + member + "}}");
    }

    @Test
    void anAccessTokenIsGoodForEachOfItsAudiencesAndNamesThemAll() {
        String jwt = office.post(
                        "/v1/passport/issue",
                        "{\"subject_ref\":\"u\",\"audience\":[\"svc-demo\",\"svc-gateway\"],\"format\":\"jwt\"}")
                .body()
                .path("token")
                .asString();
        assertThat(judged(jwt, "\"audience\":\"svc-demo\"").body().path("ok").asBoolean())
                .isTrue();
        assertThat(judged(jwt, "\"audience\":\"svc-gateway\"").body().path("ok").asBoolean())
                .isTrue();
        assertThat(judged(jwt, "\"audience\":\"svc-admin\"").reason()).isEqualTo("wrong_audience");
        assertThat(office.post("/v1/passport/introspect", "{\"token\":\"" + jwt + "\"}")
                        .body()
                        .path("aud")
                        .toString())
                .isEqualTo("[\"svc-demo\",\"svc-gateway\"]");
    }
}
