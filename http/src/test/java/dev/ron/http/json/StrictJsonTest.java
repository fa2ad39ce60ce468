package dev.ron.http.json;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_16LE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ron.kernel.error.Code;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class StrictJsonTest {
    private final StrictJson json = new StrictJson();

    enum Kind {
        READ,
        WRITE
    }

    record Inner(String keyId, int n) {}

    record Doc(
            String name,
            int count,
            long big,
            double share,
            boolean on,
            Kind kind,
            List<Inner> inner,
            Map<String, Long> map,
            Optional<String> note,
            OptionalLong limit) {}

    record Positive(int n) {
        Positive {
            if (n < 1) {
                throw new IllegalArgumentException("n: " + n + " (expected: at least 1)");
            }
        }
    }

    private static final String GOOD = """
            {"name":"x","count":1,"big":2,"share":0.5,"on":true,"kind":"READ",
             "inner":[{"key_id":"k","n":1}],"map":{"a":1}}""";

    private Doc doc(String text) {
        return json.read(text.getBytes(UTF_8), Doc.class);
    }

    private static String with(String member, String value) {
        return GOOD.replaceFirst(
                "\"" + member + "\":(\\[.*?\\]|\\{.*?\\}|[^,}]*)",
                Matcher.quoteReplacement("\"" + member + "\":" + value));
    }

    @Test
    void readsWhatItWrote() {
        Doc doc = doc(GOOD);
        assertThat(doc)
                .isEqualTo(new Doc(
                        "x",
                        1,
                        2,
                        0.5,
                        true,
                        Kind.READ,
                        List.of(new Inner("k", 1)),
                        Map.of("a", 1L),
                        Optional.empty(),
                        OptionalLong.empty()));
        String written = new String(json.write(doc), UTF_8);
        assertThat(written).contains("\"key_id\":\"k\"").doesNotContain("note", "limit");
        assertThat(doc(written)).isEqualTo(doc);
    }

    @Test
    void optionalComponentsMayBePresentAbsentOrNull() {
        assertThat(doc(GOOD.replace("\"on\"", "\"note\":\"n\",\"limit\":7,\"on\""))
                        .note())
                .contains("n");
        assertThat(doc(GOOD.replace("\"on\"", "\"note\":null,\"on\"")).note()).isEmpty();
        assertThat(doc(with("share", "3")).share()).isEqualTo(3.0);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "name | 1",
                "name | 1.5",
                "name | true",
                "name | null",
                "name | {}",
                "name | []",
                "name | [\"x\"]",
                "name | \"\\ud800\"",
                "name | \"\\udc00\\ud800\"",
                "name | \"\\ud800x\"",
                "name | \"a\\u00\"",
                "name | 'x'",
                "count | 1.0",
                "count | 1.5",
                "count | \"1\"",
                "count | \"\"",
                "count | true",
                "count | null",
                "count | 2147483648",
                "count | 1e3",
                "count | 01",
                "count | +1",
                "count | [1]",
                "count | 0x1",
                "big | 9223372036854775808",
                "share | \"NaN\"",
                "share | NaN",
                "share | Infinity",
                "share | 1e999",
                "share | -1e999",
                "share | \"0.5\"",
                "share | \"\"",
                "share | null",
                "share | true",
                "on | 1",
                "on | \"true\"",
                "on | \"\"",
                "on | null",
                "kind | 0",
                "kind | \"read\"",
                "kind | \"\"",
                "kind | \"NONE\"",
                "kind | null",
                "inner | {}",
                "inner | \"\"",
                "inner | [1]",
                "inner | [{}]",
                "inner | [{\"key_id\":\"k\"}]",
                "inner | [{\"key_id\":\"k\",\"n\":1,\"x\":1}]",
                "inner | [{\"key_id\":\"k\",\"n\":1,\"n\":1}]",
                "inner | [{\"keyId\":\"k\",\"n\":1}]",
                "inner | [,]",
                "map | []",
                "map | \"\"",
                "map | {\"a\":\"1\"}",
                "map | {\"a\":1,\"a\":2}",
                "map | {\"a\":1,}",
            })
    void valuesOfAnotherTypeAreRefusedWithTheirField(String field, String value) {
        assertThatExceptionOfType(JsonError.class)
                .isThrownBy(() -> doc(with(field, value)))
                .satisfies(e -> {
                    assertThat(e.code()).isEqualTo(Code.PARSE_ERROR);
                    assertThat(e.reason()).isEqualTo("json");
                    assertThat(e.line()).isPositive();
                    assertThat(e.detail()).doesNotContain("dev.ron", "java.", "tools.jackson", "Feature", "Doc");
                });
    }

    @ParameterizedTest
    @ValueSource(strings = {"name", "count", "big", "share", "on", "kind", "inner", "map"})
    void missingFieldsAreNamed(String field) {
        String text = GOOD.replace("\"" + field + "\":", "\"other_" + field + "\":");
        assertThatThrownBy(() -> doc(text)).isInstanceOf(JsonError.class);
        String without =
                with(field, "@").replaceFirst(",?\\s*\"" + field + "\":@", "").replace("{,", "{");
        assertThatExceptionOfType(JsonError.class)
                .isThrownBy(() -> doc(without))
                .satisfies(e -> assertThat(e.detail()).contains(field).contains("missing"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "null",
                "[]",
                "1",
                "\"x\"",
                "{",
                "{}",
                "{\"name\"",
                "// c\n{}",
                "{/**/}",
                "\u0000",
                "nul",
                "]",
                "{]"
            })
    void otherDocumentsAreRefused(String text) {
        assertThatThrownBy(() -> doc(text)).isInstanceOf(JsonError.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {" {}", "1", "x", "]", "}", "\u0000", " // c"})
    void textAfterTheDocumentIsRefused(String more) {
        assertThatThrownBy(() -> doc(GOOD + more)).isInstanceOf(JsonError.class);
        assertThat(doc(GOOD + " \r\n\t ").name()).isEqualTo("x");
    }

    @Test
    void unknownFieldSaysWhereAndOffersTheNearest() {
        assertThatExceptionOfType(JsonError.class)
                .isThrownBy(() -> doc(GOOD.replace("\"inner\"", "\"nmae\":1,\"inner\"")))
                .satisfies(e -> {
                    assertThat(e.line()).isEqualTo(2);
                    assertThat(e.path()).isEqualTo("nmae");
                    assertThat(e.detail()).contains("line 2").contains("did you mean name?");
                });
        assertThatExceptionOfType(JsonError.class)
                .isThrownBy(() -> doc(with("inner", "[{\"key_id\":\"k\",\"n\":\"1\"}]")))
                .satisfies(e -> assertThat(e.path()).isEqualTo("inner[0].n"));
    }

    @Test
    void recordsOwnCheckSpeaksToTheClient() {
        assertThatThrownBy(() -> json.read("{\"n\":0}".getBytes(UTF_8), Positive.class))
                .isInstanceOf(JsonError.class)
                .hasMessageContaining("n: 0 (expected: at least 1)");
    }

    @Test
    void badUtf8IsRefusedAlsoWhereTheParserWouldTakeIt() {
        for (String bytes : List.of(
                "\u00c0\u00af", "\u00ed\u00a0\u0080", "\u00f4\u0090\u0080\u0080", "\u00ff", "\u0080", "\u00c3")) {
            byte[] text = with("name", "\"" + bytes + "\"").getBytes(ISO_8859_1);
            assertThatThrownBy(() -> json.read(text, Doc.class)).isInstanceOf(JsonError.class);
        }
        assertThatThrownBy(() -> json.read(GOOD.getBytes(UTF_16LE), Doc.class)).isInstanceOf(JsonError.class);
        assertThat(doc(with("name", "\"\\ud83d\\ude00\u00e9\\\\u\"")).name()).isEqualTo("\ud83d\ude00\u00e9\\u");
    }

    @Test
    void depthLengthNumbersAndTokensAreBounded() {
        assertThat(json.tree(nested(64))).isNotNull();
        assertThatThrownBy(() -> json.tree(nested(65))).isInstanceOf(JsonError.class);
        assertThatThrownBy(() -> json.tree(nested(100_000))).isInstanceOf(JsonError.class);
        assertThatThrownBy(() -> json.tree("9".repeat(129).getBytes(UTF_8))).isInstanceOf(JsonError.class);
        assertThatThrownBy(() -> json.tree(("{\"" + "n".repeat(1025) + "\":1}").getBytes(UTF_8)))
                .isInstanceOf(JsonError.class);
        StrictJson small = new StrictJson(new JsonLimits(4, 10, 100, 20));
        assertThatThrownBy(() -> small.tree("\"12345678901\"".getBytes(UTF_8))).isInstanceOf(JsonError.class);
        assertThatThrownBy(() -> small.tree(("[1" + ",1".repeat(30) + "]").getBytes(UTF_8)))
                .isInstanceOf(JsonError.class);
        assertThatThrownBy(() -> small.tree((" ".repeat(200) + "1").getBytes(UTF_8)))
                .isInstanceOf(JsonError.class);
    }

    private static byte[] nested(int depth) {
        return ("[".repeat(depth) + "]".repeat(depth)).getBytes(UTF_8);
    }

    @Test
    void treesKeepDecimalsExactAndRefuseDuplicates() {
        assertThat(json.tree("{\"a\":0.1}".getBytes(UTF_8)).get("a").decimalValue())
                .isEqualTo(new BigDecimal("0.1"));
        assertThatThrownBy(() -> json.tree("{\"a\":1,\"a\":1}".getBytes(UTF_8))).isInstanceOf(JsonError.class);
    }

    @Property(tries = 2000)
    void anyBytesGiveADocumentOrATypedError(@ForAll @Size(max = 40) byte[] bytes) {
        try {
            assertThat(json.tree(bytes)).isNotNull();
        } catch (JsonError e) {
            assertThat(e.detail()).isNotEmpty();
        }
    }
}
