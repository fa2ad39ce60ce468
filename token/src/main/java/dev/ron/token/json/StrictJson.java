package dev.ron.token.json;

import dev.ron.token.Reason;
import dev.ron.token.Refused;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.json.JsonFactory;

/**
 * Reads one JSON object and refuses whatever two parsers could read differently.
 *
 * <p>Duplicate keys, bytes that are not UTF-8, lone surrogates, integers beyond 2^53 - 1, trailing text and deep nesting
 * are refused in every profile; fractions and null only in {@link #OWN}, since foreign issuers do send them.
 */
public final class StrictJson {
    private static final long MAX_INTEGER = (1L << 53) - 1;

    /** For our own formats. */
    public static final StrictJson OWN = new StrictJson(6, 512, false);

    /** For claim sets and key sets of other issuers. */
    public static final StrictJson FOREIGN = new StrictJson(16, 8192, true);

    private final JsonFactory factory;
    private final boolean otherAllowed;

    private StrictJson(int maxDepth, int maxString, boolean otherAllowed) {
        this.otherAllowed = otherAllowed;
        this.factory = JsonFactory.builder()
                .streamReadConstraints(StreamReadConstraints.builder()
                        .maxNestingDepth(maxDepth)
                        .maxStringLength(maxString)
                        .maxNameLength(256)
                        .maxNumberLength(64)
                        .build())
                .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                .build();
    }

    /** Parses {@code bytes}, which must be one object of at most {@code maxBytes}. */
    public Json.Obj object(byte[] bytes, int maxBytes, String what) throws Refused {
        if (bytes.length > maxBytes) {
            throw new Refused(Reason.TOO_LARGE, what + " has " + bytes.length + " bytes (at most " + maxBytes + ")");
        }
        // Decoded here, not by the parser, which would guess UTF-16 or UTF-32 from the first bytes.
        String text;
        try {
            text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException _) {
            throw malformed(what, "is not UTF-8");
        }
        try (JsonParser parser = factory.createParser(ObjectReadContext.empty(), text)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                throw malformed(what, "is not a JSON object");
            }
            Json.Obj object = members(parser, what);
            if (parser.nextToken() != null) {
                throw malformed(what, "has text after its end");
            }
            return object;
        } catch (JacksonException _) {
            throw malformed(what, "is not strict JSON");
        }
    }

    private Json.Obj members(JsonParser parser, String what) throws Refused {
        Map<String, Json> members = new LinkedHashMap<>();
        while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
            String name = wellFormed(parser.currentName(), what);
            members.put(name, value(parser, parser.nextToken(), what));
        }
        return new Json.Obj(members);
    }

    private Json value(JsonParser parser, JsonToken token, String what) throws Refused {
        return switch (token) {
            case VALUE_STRING -> new Json.Str(wellFormed(parser.getString(), what));
            case VALUE_NUMBER_INT -> integer(parser.getString(), what);
            case VALUE_TRUE -> new Json.Bool(true);
            case VALUE_FALSE -> new Json.Bool(false);
            case START_OBJECT -> members(parser, what);
            case START_ARRAY -> items(parser, what);
            case VALUE_NULL, VALUE_NUMBER_FLOAT -> other(what);
            default -> throw malformed(what, "is not strict JSON");
        };
    }

    private Json.Arr items(JsonParser parser, String what) throws Refused {
        List<Json> items = new ArrayList<>();
        for (JsonToken token = parser.nextToken(); token != JsonToken.END_ARRAY; token = parser.nextToken()) {
            items.add(value(parser, token, what));
        }
        return new Json.Arr(items);
    }

    private static Json integer(String digits, String what) throws Refused {
        if (digits.length() > 17) {
            throw malformed(what, "has an integer beyond 2^53-1");
        }
        long value = Long.parseLong(digits);
        if (value > MAX_INTEGER || value < -MAX_INTEGER) {
            throw malformed(what, "has an integer beyond 2^53-1");
        }
        return new Json.Int(value);
    }

    private Json other(String what) throws Refused {
        if (!otherAllowed) {
            throw malformed(what, "has a null or a number that is not an integer");
        }
        return new Json.Other();
    }

    private static String wellFormed(String text, String what) throws Refused {
        for (int i = 0; i < text.length(); i++) {
            if (Character.isSurrogate(text.charAt(i))) {
                boolean pair = Character.isHighSurrogate(text.charAt(i))
                        && i + 1 < text.length()
                        && Character.isLowSurrogate(text.charAt(i + 1));
                if (!pair) {
                    throw malformed(what, "has a lone surrogate");
                }
                i++;
            }
        }
        return text;
    }

    private static Refused malformed(String what, String problem) {
        return new Refused(Reason.MALFORMED, what + " " + problem);
    }
}
