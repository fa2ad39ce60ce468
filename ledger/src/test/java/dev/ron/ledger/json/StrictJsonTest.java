package dev.ron.ledger.json;

import static dev.ron.ledger.Refusals.refuses;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.ledger.Reason;
import dev.ron.ledger.Refused;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StrictJsonTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"a\":1,\"a\":2}",
                "{\"a\":1,\"\\u0061\":2}",
                "1.0",
                "1e3",
                "1E400",
                "-0",
                "-0.0",
                "9007199254740992",
                "-9007199254740992",
                "123456789012345678901234567890",
                "null",
                "[null]",
                "NaN",
                "Infinity",
                "01",
                "+1",
                "\"\\ud800\"",
                "\"\\udc00\\ud800\"",
                "{\"\\ud83d\":1}",
                "{} {}",
                "{}x",
                "",
                " ",
                "{\"a\":1,}",
                "[1,]",
                "{a:1}",
                "{'a':1}",
                "// c\n{}",
                "\"a\nb\"",
                "\"\\x41\"",
                "[1",
                "{\"a\"",
                "\ufeff{}",
            })
    void refusesWhatTwoParsersCouldReadDifferently(String text) {
        refuses(() -> StrictJson.HASHED.read(utf8(text), "payload"), Reason.MALFORMED, "payload");
    }

    @Test
    void namesTheDuplicateKeyAndItsPlace() {
        refuses(
                () -> StrictJson.HASHED.read(utf8("{\"a\":1,\n\"b\":2,\"a\":3}"), "payload"),
                Reason.MALFORMED,
                "payload, line 2",
                "key \"a\" twice");
    }

    @Test
    void refusesBytesThatAreNotUtf8() {
        refuses(
                () -> StrictJson.HASHED.read(new byte[] {'"', (byte) 0xc0, (byte) 0x80, '"'}, "x"),
                Reason.MALFORMED,
                "UTF-8");
        byte[] utf16 = "{}".getBytes(StandardCharsets.UTF_16LE);
        refuses(() -> StrictJson.HASHED.read(utf16, "x"), Reason.MALFORMED);
    }

    @Test
    void holdsTheCaps() throws Refused {
        StrictJson small = new StrictJson(100, 4);
        assertThat(Json.depth(small.read(utf8("[[[[1]]]]"), "x"))).isEqualTo(4);
        refuses(() -> small.read(utf8("[[[[[1]]]]]"), "x"), Reason.OVER_LIMIT, "depth 4");
        refuses(() -> small.read(utf8("\"" + "a".repeat(99) + "\""), "x"), Reason.OVER_LIMIT, "101 bytes");
        StringBuilder wide = new StringBuilder("{\"k\":0");
        for (int i = 1; i < StrictJson.MAX_MEMBERS; i++) {
            wide.append(",\"k").append(i).append("\":0");
        }
        StrictJson.HASHED.read(utf8(wide + "}"), "x");
        refuses(() -> StrictJson.HASHED.read(utf8(wide + ",\"z\":0}"), "x"), Reason.OVER_LIMIT, "4096");
        refuses(() -> StrictJson.HASHED.read(utf8("[".repeat(100_000)), "x"), Reason.OVER_LIMIT);
    }

    @Test
    void acceptsTheEdgesOfTheIntegers() throws Refused {
        assertThat(StrictJson.HASHED.read(utf8("[9007199254740991,-9007199254740991,0]"), "x"))
                .isEqualTo(new Json.Arr(java.util.List.of(
                        new Json.Int(Json.MAX_INTEGER), new Json.Int(-Json.MAX_INTEGER), new Json.Int(0))));
    }

    @Test
    void canonicalReaderSaysWhereTheFormDiffers() throws Refused {
        StrictJson.HASHED.readCanonical(utf8("{\"a\":1,\"b\":\"/\"}"), "x");
        refuses(() -> StrictJson.HASHED.readCanonical(utf8("{\"b\":1,\"a\":2}"), "x"), Reason.NOT_CANONICAL, "byte 2");
        refuses(() -> StrictJson.HASHED.readCanonical(utf8("{\"a\": 1}"), "x"), Reason.NOT_CANONICAL, "byte 5");
        refuses(() -> StrictJson.HASHED.readCanonical(utf8("\"\\/\""), "x"), Reason.NOT_CANONICAL);
        refuses(() -> StrictJson.HASHED.readCanonical(utf8("\"\\u000A\""), "x"), Reason.NOT_CANONICAL);
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    // Names that share one place in a parser's table of names, which lives as long as the process: were their number
    // capped there, a text could be read today and refused at the next start.
    @Test
    void readsNamesThatCollideHoweverManyThereAre() throws Refused {
        StringBuilder text = new StringBuilder("{");
        for (int i = 0; i < 1024; i++) {
            text.append(i == 0 ? "\"" : ",\"");
            for (int bit = 0; bit < 10; bit++) {
                text.append((i >> bit & 1) == 0 ? "Ab" : "BA");
            }
            text.append("\":1");
        }
        Json.Obj read = (Json.Obj) StrictJson.HASHED.read(utf8(text.append('}').toString()), "payload");
        assertThat(read.members()).hasSize(1024);
    }
}
