package dev.ron.token.json;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.token.Refused;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.json.JsonFactory;

/** Our reader and Jackson's, with the same limits, accept the same texts and read the same values in them. */
class JacksonAgreesTest {
    private static final JsonFactory JACKSON = JsonFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(16)
                    .maxStringLength(8192)
                    .maxNameLength(256)
                    .maxNumberLength(64)
                    .build())
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .build();

    // any text made of JSON's own pieces, well-formed or not  ->  one verdict, one value
    @Property(tries = 8_000)
    void onTextsMadeOfPieces(@ForAll("pieces") String text) {
        assertThat(ours(text)).as(text).isEqualTo(theirs(text));
    }

    // a well-formed object in which one character is changed, or none  ->  one verdict, one value
    @Property(tries = 4_000)
    void onObjectsWithOneCharacterChanged(@ForAll("objects") String text) {
        assertThat(ours(text)).as(text).isEqualTo(theirs(text));
    }

    @Provide
    Arbitrary<String> pieces() {
        return Arbitraries.of(
                        "{",
                        "}",
                        "[",
                        "]",
                        ":",
                        ",",
                        "\"a\"",
                        "\"b\":1",
                        "\"\\u0061\"",
                        "\"\\ud83d\\ude00\"",
                        "\"\\ud83d\"",
                        "\"é😀\"",
                        "\"\\/\\b\\f\\n\\r\\t\\\\\\\"\"",
                        "\"\\x\"",
                        "\"\u0001\"",
                        "\"",
                        "\\",
                        "0",
                        "-0",
                        "01",
                        "-",
                        "12",
                        "-7",
                        "1.5",
                        "1e3",
                        "1E-2",
                        "1.",
                        ".5",
                        "+1",
                        "9007199254740991",
                        "9007199254740992",
                        "123456789012345678",
                        "true",
                        "false",
                        "null",
                        "nul",
                        "True",
                        " ",
                        "\n",
                        "\t",
                        "\u00a0",
                        "/",
                        "{\"a\":",
                        "[{}]",
                        "[[]]",
                        "\u007f",
                        "NaN")
                .list()
                .ofMaxSize(9)
                .map(parts -> "{" + String.join("", parts) + "}");
    }

    @Provide
    Arbitrary<String> objects() {
        Arbitrary<String> object = value(2).map(value -> "{\"k\":" + value + ",\"l\":[true,null,-1.5e3]}");
        Arbitrary<String> other = Arbitraries.strings()
                .withChars("{}[]:,\"\\ue0129-+. tfnx\u0000\u001fé")
                .ofMaxLength(1);
        return Arbitraries.lazyOf(() -> object.flatMap(text -> Arbitraries.integers()
                .between(0, text.length() - 1)
                .flatMap(at -> other.map(c -> Tuple.of(text, at, c)))
                .map(t -> t.get1().substring(0, t.get2())
                        + t.get3()
                        + t.get1().substring(t.get2() + (t.get3().isEmpty() ? 0 : 1)))));
    }

    private static Arbitrary<String> value(int depth) {
        Arbitrary<String> leaf = Arbitraries.of(
                "1",
                "-20",
                "\"text\"",
                "\"\\u00e9\"",
                "true",
                "false",
                "null",
                "0.5",
                "{}",
                "[]",
                "\"\\ud83d\\ude00\"",
                "\"\\ud83d\"",
                "\"\\ude00\\ud83d\"",
                "{\"n\":1,\"\\u006e\":2}",
                "9007199254740992");
        if (depth == 0) {
            return leaf;
        }
        return Arbitraries.oneOf(
                leaf,
                value(depth - 1).list().ofMaxSize(3).map(items -> "[" + String.join(" , ", items) + "]"),
                value(depth - 1).map(v -> "{ \"n\" : " + v + " }"));
    }

    private static Optional<Json> ours(String text) {
        try {
            return Optional.of(StrictJson.FOREIGN.object(text.getBytes(StandardCharsets.UTF_8), 1 << 16, "text"));
        } catch (Refused _) {
            return Optional.empty();
        }
    }

    private static Optional<Json> theirs(String text) {
        try (JsonParser parser = JACKSON.createParser(ObjectReadContext.empty(), text)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                return Optional.empty();
            }
            Json object = value(parser, JsonToken.START_OBJECT);
            return parser.nextToken() == null ? Optional.of(object) : Optional.empty();
        } catch (JacksonException | IllegalArgumentException _) {
            return Optional.empty();
        }
    }

    private static Json value(JsonParser parser, JsonToken token) {
        return switch (token) {
            case VALUE_STRING -> new Json.Str(paired(parser.getString()));
            case VALUE_NUMBER_INT -> integer(parser.getString());
            case VALUE_TRUE -> new Json.Bool(true);
            case VALUE_FALSE -> new Json.Bool(false);
            case VALUE_NULL, VALUE_NUMBER_FLOAT -> new Json.Other();
            case START_OBJECT -> {
                Map<String, Json> members = new LinkedHashMap<>();
                while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
                    String name = paired(parser.currentName());
                    members.put(name, value(parser, parser.nextToken()));
                }
                yield new Json.Obj(members);
            }
            case START_ARRAY -> {
                List<Json> items = new ArrayList<>();
                for (JsonToken t = parser.nextToken(); t != JsonToken.END_ARRAY; t = parser.nextToken()) {
                    items.add(value(parser, t));
                }
                yield new Json.Arr(items);
            }
            default -> throw new IllegalArgumentException("no value");
        };
    }

    private static Json integer(String digits) {
        long value = digits.length() > 17 ? Long.MAX_VALUE : Long.parseLong(digits);
        if (Math.abs(value) > (1L << 53) - 1) {
            throw new IllegalArgumentException("beyond 2^53-1");
        }
        return new Json.Int(value);
    }

    private static String paired(String text) {
        if (!StandardCharsets.UTF_16BE.newEncoder().canEncode(text)) {
            throw new IllegalArgumentException("lone surrogate");
        }
        return text;
    }
}
