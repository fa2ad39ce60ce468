package dev.ron.ledger.json;

import dev.ron.ledger.Reason;
import dev.ron.ledger.Refused;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.TokenStreamFactory;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.core.exc.StreamConstraintsException;
import tools.jackson.core.json.JsonFactory;

/**
 * Reads JSON and refuses whatever two parsers could read differently, since signers approve what they read and others
 * verify what they hash.
 *
 * <p>Refused: bytes that are not UTF-8, a byte-order mark, duplicate keys, lone surrogates, floats, exponents, -0,
 * integers beyond 2^53 - 1, null, trailing text, and anything past the caps of size, depth and members.
 */
public final class StrictJson {
    /** A hashed object on its own: payloads, approvals, entries. */
    public static final StrictJson HASHED = new StrictJson(1 << 20, 32);

    /** A record that wraps a hashed object one level down, such as a proposal with its payload. */
    public static final StrictJson RECORD = new StrictJson((1 << 20) + (64 << 10), 33);

    /** A bundle, which wraps hashed objects four levels down and carries several of them. */
    public static final StrictJson BUNDLE = new StrictJson(32 << 20, 36);

    /** How many {@link Json#tokens tokens} a caller may send. */
    public static final int MAX_TOKENS = 120_000;

    /** A record that a caller sends: its text may not stand for many times its size in memory. */
    public static final StrictJson SENT = new StrictJson(RECORD.maxBytes, RECORD.maxDepth, MAX_TOKENS);

    public static final int MAX_MEMBERS = 4096;

    private final int maxBytes;
    private final int maxDepth;
    private final int maxTokens;
    private final JsonFactory factory;

    public StrictJson(int maxBytes, int maxDepth) {
        this(maxBytes, maxDepth, Integer.MAX_VALUE);
    }

    private StrictJson(int maxBytes, int maxDepth, int maxTokens) {
        this.maxBytes = maxBytes;
        this.maxDepth = maxDepth;
        this.maxTokens = maxTokens;
        this.factory = JsonFactory.builder()
                // The parser's table of names outlives a document: names that collide would fill it, and whether a text
                // is read would then depend on what was read before it.
                .disable(TokenStreamFactory.Feature.CANONICALIZE_PROPERTY_NAMES)
                .streamReadConstraints(StreamReadConstraints.builder()
                        .maxNestingDepth(maxDepth)
                        .maxStringLength(maxBytes)
                        .maxNameLength(1024)
                        .maxNumberLength(64)
                        .maxTokenCount(maxTokens)
                        .build())
                .build();
    }

    /** Reads one value and nothing after it. */
    public Json read(byte[] bytes, String what) throws Refused {
        if (bytes.length > maxBytes) {
            throw new Refused(Reason.OVER_LIMIT, what + ": " + bytes.length + " bytes (expected: 1.." + maxBytes + ")");
        }
        try (JsonParser parser = factory.createParser(ObjectReadContext.empty(), utf8(bytes, what))) {
            JsonToken first = parser.nextToken();
            if (first == null) {
                throw new Refused(Reason.MALFORMED, what + ": empty");
            }
            Json value = value(parser, first, what);
            if (parser.nextToken() != null) {
                throw malformed(parser, what, "text after the end");
            }
            return value;
        } catch (StreamConstraintsException e) {
            throw new Refused(
                    Reason.OVER_LIMIT,
                    what + at(e.getLocation()) + "past a cap (depth " + maxDepth + ", name 1024, tokens " + maxTokens
                            + ")");
        } catch (JacksonException e) {
            throw new Refused(Reason.MALFORMED, what + at(e.getLocation()) + "not JSON");
        }
    }

    /** Reads bytes that must already be canonical: what was hashed is then what was sent, byte for byte. */
    public Json readCanonical(byte[] bytes, String what) throws Refused {
        Json value = read(bytes, what);
        byte[] canonical = CanonicalJson.bytes(value);
        int difference = Arrays.mismatch(bytes, canonical);
        if (difference >= 0) {
            throw new Refused(
                    Reason.NOT_CANONICAL, what + ": not in RFC 8785 form, first difference at byte " + difference);
        }
        return value;
    }

    // Decoded here, not by the parser, which would guess UTF-16 or UTF-32 from the first bytes.
    private static String utf8(byte[] bytes, String what) throws Refused {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException _) {
            throw new Refused(Reason.MALFORMED, what + ": not UTF-8");
        }
    }

    private static Json value(JsonParser parser, JsonToken token, String what) throws Refused {
        return switch (token) {
            case START_OBJECT -> object(parser, what);
            case START_ARRAY -> array(parser, what);
            case VALUE_STRING -> new Json.Str(wellFormed(parser, parser.getString(), what));
            case VALUE_NUMBER_INT -> integer(parser, what);
            case VALUE_TRUE -> new Json.Bool(true);
            case VALUE_FALSE -> new Json.Bool(false);
            case VALUE_NUMBER_FLOAT -> throw malformed(parser, what, "a number with fraction or exponent");
            case VALUE_NULL -> throw malformed(parser, what, "null; leave the member out");
            default -> throw malformed(parser, what, "not JSON");
        };
    }

    private static Json.Obj object(JsonParser parser, String what) throws Refused {
        TreeMap<String, Json> members = new TreeMap<>();
        while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
            String name = wellFormed(parser, parser.currentName(), what);
            if (members.containsKey(name)) {
                throw malformed(parser, what, "key " + Quoted.of(name) + " twice");
            }
            if (members.size() == MAX_MEMBERS) {
                throw new Refused(Reason.OVER_LIMIT, what + ": an object with more than " + MAX_MEMBERS + " members");
            }
            members.put(name, value(parser, parser.nextToken(), what));
        }
        return new Json.Obj(members);
    }

    private static Json.Arr array(JsonParser parser, String what) throws Refused {
        List<Json> items = new ArrayList<>();
        for (JsonToken token = parser.nextToken(); token != JsonToken.END_ARRAY; token = parser.nextToken()) {
            items.add(value(parser, token, what));
        }
        return new Json.Arr(items);
    }

    private static Json.Int integer(JsonParser parser, String what) throws Refused {
        String digits = parser.getString();
        // RFC 8785 writes -0 as 0, so accepting it would give one hash two readable texts.
        if (digits.equals("-0")) {
            throw malformed(parser, what, "-0");
        }
        long value = digits.length() > 17 ? Long.MAX_VALUE : Long.parseLong(digits);
        if (value > Json.MAX_INTEGER || value < -Json.MAX_INTEGER) {
            throw malformed(parser, what, "an integer beyond 2^53-1");
        }
        return new Json.Int(value);
    }

    private static String wellFormed(JsonParser parser, String text, String what) throws Refused {
        if (!Json.isWellFormed(text)) {
            throw malformed(parser, what, "a lone surrogate");
        }
        return text;
    }

    private static Refused malformed(JsonParser parser, String what, String problem) {
        return new Refused(Reason.MALFORMED, what + at(parser.currentTokenLocation()) + problem);
    }

    // The parser gives no location when a constraint is hit.
    private static String at(@Nullable TokenStreamLocation where) {
        return where == null ? ": " : ", line " + where.getLineNr() + " column " + where.getColumnNr() + ": ";
    }
}
