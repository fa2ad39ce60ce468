package dev.ron.http.problem;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ron.kernel.error.Code;
import dev.ron.kernel.error.RonException;
import java.time.Duration;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class ProblemTest {
    private static final String FULL = "{\"type\":\"urn:ron:problem:busy\",\"title\":\"Too busy\",\"status\":429,"
            + "\"detail\":\"512 in flight\",\"instance\":\"/a\",\"code\":\"busy\",\"reason\":\"inflight\","
            + "\"retryable\":true,\"retry_after\":3,\"corr_id\":\"01J\"}";

    @Test
    void hasExactlyTheSettledMembers() {
        RonException failure = new RonException(Code.BUSY, "inflight", "512 in flight", Duration.ofMillis(2001), null);
        assertThat(new String(Problem.of(failure, "/a", "01J").toJson(), UTF_8)).isEqualTo(FULL);
    }

    @Test
    void emptyMembersAreLeftOut() {
        Problem problem = Problem.of(new RonException(Code.NOT_FOUND, "no_route", ""), "", "c");
        assertThat(new String(problem.toJson(), UTF_8))
                .isEqualTo("{\"type\":\"urn:ron:problem:not_found\",\"title\":\"Not found\",\"status\":404,"
                        + "\"code\":\"not_found\",\"reason\":\"no_route\",\"retryable\":false,\"corr_id\":\"c\"}");
    }

    @ParameterizedTest
    @EnumSource(Code.class)
    void every429And503SaysWhenToComeBack(Code code) {
        Problem problem = Problem.of(new RonException(code, "x"), "/", "c");
        assertThat(problem.retryAfter() >= 1).isEqualTo(code.status() == 429 || code.status() == 503);
    }

    @ParameterizedTest
    @CsvSource({"0,1", "1,1", "999,1", "1000,1", "1001,2", "2000,2", "29999,30"})
    void retryAfterIsRoundedUpToWholeSeconds(long millis, int seconds) {
        assertThat(Problem.wholeSeconds(Duration.ofMillis(millis))).isEqualTo(seconds);
    }

    @Test
    void detailOfADefectStaysInside() {
        Problem problem = Problem.of(new RonException(Code.INTERNAL, "at com.x.Y line 3"), "/", "c");
        assertThat(new String(problem.toJson(), UTF_8)).doesNotContain("com.x");
        assertThat(Problem.internal("/", "c").status()).isEqualTo(500);
    }

    @Property(tries = 500)
    void readsBackWhatItWroteByteForByte(@ForAll("problems") Problem problem) {
        byte[] written = problem.toJson();
        Problem read = Problem.parse(written);
        assertThat(read.toJson()).isEqualTo(written);
        assertThat(read).isEqualTo(problem);
    }

    @Provide
    Arbitrary<Problem> problems() {
        Arbitrary<String> text = Arbitraries.strings()
                .ofMaxLength(30)
                .map(s -> new String(s.getBytes(UTF_8), UTF_8)); // no half surrogate pairs
        return Combinators.combine(
                        Arbitraries.integers().between(400, 599),
                        text,
                        text,
                        text,
                        text,
                        text,
                        Arbitraries.of(true, false),
                        Arbitraries.integers().between(0, 100))
                .as((status, title, detail, path, code, reason, retry, after) ->
                        new Problem(status, title, detail, path, code, reason, retry, after, "c"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "null",
                "[]",
                "<html>",
                "{}",
                "{\"status\":429}",
            })
    void otherBodiesAreTypedErrors(String body) {
        assertThatThrownBy(() -> Problem.parse(body.getBytes(UTF_8))).isInstanceOf(RonException.class);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "\"status\":429|\"status\":200",
                "\"status\":429|\"status\":600",
                "\"status\":429|\"status\":\"429\"",
                "\"retry_after\":3|\"retry_after\":0",
                "\"retry_after\":3|\"retry_after\":-1",
                "\"retry_after\":3,|\"message\":\"x\",\"retry_after\":3,",
                "\"code\":\"busy\"|\"code\":\"degraded\"",
                "\"code\":\"busy\",|",
                "\"retryable\":true|\"retryable\":1",
                "\"retry_after\":3,|",
                "\"corr_id\":\"01J\"}|\"corr_id\":\"01J\"}}",
            })
    void bodiesThatContradictThemselvesAreTypedErrors(String find, String replace) {
        String body = FULL.replace(find, replace == null ? "" : replace);
        assertThat(body).isNotEqualTo(FULL);
        assertThatThrownBy(() -> Problem.parse(body.getBytes(UTF_8))).isInstanceOf(RonException.class);
    }

    @Property(tries = 1000)
    void anyBytesGiveAProblemOrATypedError(@ForAll @Size(max = 60) byte[] bytes) {
        try {
            Problem.parse(bytes);
        } catch (RonException e) {
            assertThat(e.code()).isEqualTo(Code.PARSE_ERROR);
        }
    }
}
