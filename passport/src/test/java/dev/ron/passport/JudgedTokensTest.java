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
}
