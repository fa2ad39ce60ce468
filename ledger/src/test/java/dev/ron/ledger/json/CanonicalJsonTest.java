package dev.ron.ledger.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ron.ledger.Refused;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** RFC 8785: its own examples without the numbers, and the laws they stand for. */
class CanonicalJsonTest {
    @Example
    void stringsOfRfc8785Section322() throws Refused {
        String input = """
                {"string": "\\u20ac$\\u000F\\u000aA'\\u0042\\u0022\\u005c\\\\\\"\\/",
                 "literals": [true, false]}""";
        assertThat(canonical(input))
                .isEqualTo("{\"literals\":[true,false],\"string\":\"€$\\u000f\\nA'B\\\"\\\\\\\\\\\"/\"}");
        // The same bytes as RFC 8785 §3.2.4 prints for the string member.
        assertThat(HexFormat.of()
                        .formatHex(canonical("\"\\u20ac$\\u000F\\u000aA'\"").getBytes(StandardCharsets.UTF_8)))
                .isEqualTo("22e282ac245c75303030665c6e412722");
    }

    @Example
    void sortingOfRfc8785Section323() throws Refused {
        String input = """
                {"\\u20ac": "Euro Sign", "\\r": "Carriage Return", "\\ufb33": "Hebrew Letter Dalet With Dagesh",
                 "1": "One", "\\ud83d\\ude00": "Emoji: Grinning Face", "\\u0080": "Control",
                 "\\u00f6": "Latin Small Letter O With Diaeresis"}""";
        Json.Obj object = (Json.Obj) read(input);
        assertThat(object.members().values().stream().map(value -> ((Json.Str) value).value()))
                .containsExactly(
                        "Carriage Return",
                        "One",
                        "Control",
                        "Latin Small Letter O With Diaeresis",
                        "Euro Sign",
                        "Emoji: Grinning Face",
                        "Hebrew Letter Dalet With Dagesh");
    }

    @Example
    void structuresAndUnicodeOfTheReferenceSuite() throws Refused {
        assertThat(canonical("{\"1\": {\"f\": {\"f\": \"hi\",\"F\": 5} ,\"\\n\": 56}, \"10\": { }, \"\": \"empty\","
                        + " \"a\": { }, \"111\": [ {\"e\": \"yes\",\"E\": \"no\" } ], \"A\": { } }"))
                .isEqualTo("{\"\":\"empty\",\"1\":{\"\\n\":56,\"f\":{\"F\":5,\"f\":\"hi\"}},\"10\":{},"
                        + "\"111\":[{\"E\":\"no\",\"e\":\"yes\"}],\"A\":{},\"a\":{}}");
        // Not normalised: A with combining ring stays two code points.
        assertThat(canonical("{\"Unnormalized Unicode\":\"A\\u030a\"}"))
                .isEqualTo("{\"Unnormalized Unicode\":\"A\u030a\"}");
        assertThat(canonical("{\"peach\":\"This sorting order\",\"p\\u00e9ch\\u00e9\":\"is wrong according to French\","
                        + "\"p\\u00eache\":\"but canonicalization MUST\",\"sin\":\"ignore locale\"}"))
                .isEqualTo("{\"peach\":\"This sorting order\",\"péché\":\"is wrong according to French\","
                        + "\"pêche\":\"but canonicalization MUST\",\"sin\":\"ignore locale\"}");
    }

    @Example
    void everyControlCharacterHasItsShortestEscape() {
        String text =
                IntStream.range(0, 0x20).mapToObj(c -> String.valueOf((char) c)).collect(Collectors.joining());
        assertThat(CanonicalJson.text(new Json.Str(text + "\u007f")))
                .isEqualTo(
                        "\"\\u0000\\u0001\\u0002\\u0003\\u0004\\u0005\\u0006\\u0007\\b\\t\\n\\u000b\\f\\r\\u000e\\u000f"
                                + "\\u0010\\u0011\\u0012\\u0013\\u0014\\u0015\\u0016\\u0017\\u0018\\u0019\\u001a\\u001b\\u001c\\u001d\\u001e\\u001f\u007f\"");
    }

    @Example
    void valuesWithoutCanonicalTextCannotBeMade() {
        assertThatThrownBy(() -> new Json.Str("\ud800")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Json.Int(1L << 53)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Json.Obj.of(java.util.Map.of("\udc00", new Json.Bool(true))))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Property(tries = 500)
    void canonicalOfParseIsAFixedPoint(@ForAll("values") Json value) throws Refused {
        byte[] once = CanonicalJson.bytes(value);
        Json back = StrictJson.HASHED.readCanonical(once, "x");
        assertThat(back).isEqualTo(value);
        assertThat(CanonicalJson.bytes(back)).isEqualTo(once);
    }

    @Property(tries = 300)
    void orderAndSpacesOfTheTextDoNotMatter(@ForAll("values") Json value) throws Refused {
        assertThat(read(loose(value))).isEqualTo(value);
    }

    @Provide
    Arbitrary<Json> values() {
        Arbitrary<String> text = Arbitraries.strings().ofMaxLength(8).filter(Json::isWellFormed);
        Arbitrary<Json> scalar = Arbitraries.oneOf(
                text.map(Json.Str::new),
                Arbitraries.longs().between(-Json.MAX_INTEGER, Json.MAX_INTEGER).map(Json.Int::new),
                Arbitraries.of(true, false).map(Json.Bool::new));
        Arbitrary<Json> level = scalar;
        for (int i = 0; i < 3; i++) {
            level = Arbitraries.oneOf(
                    scalar,
                    level.list().ofMaxSize(4).map(Json.Arr::new),
                    Arbitraries.maps(text, level).ofMaxSize(4).map(Json.Obj::of));
        }
        return level;
    }

    /** The same value with members in reverse order, spaces everywhere, and every character escaped. */
    private static String loose(Json value) {
        return switch (value) {
            case Json.Obj(var members) ->
                members.reversed().entrySet().stream()
                        .map(member -> loose(new Json.Str(member.getKey())) + " :\n" + loose(member.getValue()))
                        .collect(Collectors.joining(" , ", "{ ", " }"));
            case Json.Arr(List<Json> items) ->
                items.stream().map(CanonicalJsonTest::loose).collect(Collectors.joining("\t,", "[ ", " ]"));
            case Json.Str(String text) ->
                text.chars()
                        .mapToObj(c -> String.format(java.util.Locale.ROOT, "\\u%04X", c))
                        .collect(Collectors.joining("", "\"", "\""));
            case Json.Int _, Json.Bool _ -> CanonicalJson.text(value);
        };
    }

    private static Json read(String text) throws Refused {
        return StrictJson.HASHED.read(text.getBytes(StandardCharsets.UTF_8), "x");
    }

    private static String canonical(String text) throws Refused {
        return CanonicalJson.text(read(text));
    }
}
