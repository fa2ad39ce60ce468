package dev.ron.http.json;

import static tools.jackson.databind.DeserializationFeature.ACCEPT_FLOAT_AS_INT;
import static tools.jackson.databind.DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES;
import static tools.jackson.databind.DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES;
import static tools.jackson.databind.DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES;
import static tools.jackson.databind.DeserializationFeature.FAIL_ON_READING_DUP_TREE_KEY;
import static tools.jackson.databind.DeserializationFeature.FAIL_ON_TRAILING_TOKENS;
import static tools.jackson.databind.DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES;
import static tools.jackson.databind.DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS;
import static tools.jackson.databind.cfg.CoercionAction.Fail;
import static tools.jackson.databind.cfg.CoercionInputShape.Binary;
import static tools.jackson.databind.cfg.CoercionInputShape.Boolean;
import static tools.jackson.databind.cfg.CoercionInputShape.EmptyArray;
import static tools.jackson.databind.cfg.CoercionInputShape.EmptyString;
import static tools.jackson.databind.cfg.CoercionInputShape.Float;
import static tools.jackson.databind.cfg.CoercionInputShape.Integer;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.Nulls;
import java.util.function.Function;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.ObjectMapper;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.cfg.EnumFeature;
import tools.jackson.databind.cfg.MapperBuilder;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.module.SimpleModule;
import tools.jackson.databind.type.LogicalType;

/**
 * Reads a JSON document into a record, or refuses it: unknown, duplicate, missing and null fields, trailing text,
 * values of another type, numbers that do not fit, bad UTF-8 and everything beyond its {@link JsonLimits}.
 *
 * <p>Components are spelled in snake_case; a component of an Optional type may be absent, all others are required.
 */
public final class StrictJson {
    private final ObjectMapper mapper;
    private final JsonLimits limits;

    public StrictJson(JsonLimits limits) {
        this.limits = limits;
        JsonFactory factory = JsonFactory.builder()
                .streamReadConstraints(constraints(limits))
                .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                .build();
        mapper = strict(JsonMapper.builder(factory)).build();
    }

    public StrictJson() {
        this(JsonLimits.DEFAULT);
    }

    /** The strictness of this class for a mapper of any format (CBOR, for example). */
    public static <B extends MapperBuilder<?, B>> B strict(B builder) {
        SimpleModule numbers = new SimpleModule("ron-numbers")
                .addDeserializer(double.class, new FiniteDouble(true))
                .addDeserializer(Double.class, new FiniteDouble(false));
        return builder.enable(
                        FAIL_ON_UNKNOWN_PROPERTIES,
                        FAIL_ON_TRAILING_TOKENS,
                        FAIL_ON_NULL_CREATOR_PROPERTIES,
                        FAIL_ON_NULL_FOR_PRIMITIVES,
                        FAIL_ON_READING_DUP_TREE_KEY,
                        USE_BIG_DECIMAL_FOR_FLOATS)
                .disable(ACCEPT_FLOAT_AS_INT, FAIL_ON_MISSING_CREATOR_PROPERTIES)
                .changeDefaultNullHandling(nulls -> nulls.withContentNulls(Nulls.FAIL))
                .enable(EnumFeature.FAIL_ON_NUMBERS_FOR_ENUMS)
                .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
                .withCoercionConfigDefaults(
                        c -> c.setCoercion(EmptyString, Fail).setCoercion(EmptyArray, Fail))
                .withCoercionConfig(
                        LogicalType.Textual,
                        c -> c.setCoercion(Integer, Fail)
                                .setCoercion(Float, Fail)
                                .setCoercion(Boolean, Fail)
                                .setCoercion(Binary, Fail))
                .annotationIntrospector(new RequiredUnlessOptional())
                .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
                .changeDefaultPropertyInclusion(
                        _ -> JsonInclude.Value.construct(JsonInclude.Include.NON_ABSENT, JsonInclude.Include.ALWAYS))
                .addModule(numbers);
    }

    private static StreamReadConstraints constraints(JsonLimits limits) {
        return StreamReadConstraints.builder()
                .maxNestingDepth(limits.maxDepth())
                .maxStringLength(limits.maxStringChars())
                .maxTokenCount(limits.maxTokens())
                .maxNameLength(JsonLimits.MAX_NAME_CHARS)
                .maxNumberLength(JsonLimits.MAX_NUMBER_CHARS)
                .build();
    }

    /** Reads one document; a bad one is a {@link JsonError} with its place. */
    public <T> T read(byte[] document, Class<T> type) {
        return read(document, 0, document.length, type);
    }

    public <T> T read(byte[] document, int offset, int length, Class<T> type) {
        return parse(document, offset, length, parser -> {
            T value = mapper.readValue(parser, type);
            if (parser.nextToken() != null) {
                throw JsonErrors.at(parser, "text after the document");
            }
            if (value == null || (value instanceof JsonNode node && (node.isNull() || node.isMissingNode()))) {
                throw JsonErrors.at(parser, "the document is empty or null");
            }
            return value;
        });
    }

    /**
     * Reads a document of which not everything shall be held: {@code reader} gets the parser on the first token and leaves
     * it on the last.
     */
    public <T> T scan(byte[] document, Function<JsonParser, T> reader) {
        return parse(document, 0, document.length, parser -> {
            parser.nextToken();
            T value = reader.apply(parser);
            if (parser.nextToken() != null) {
                throw JsonErrors.at(parser, "text after the document");
            }
            return value;
        });
    }

    private <T> T parse(byte[] document, int offset, int length, Function<JsonParser, T> reader) {
        if (length > limits.maxDocumentBytes()) {
            throw new JsonError(0, 0, "", length + " bytes (expected: at most " + limits.maxDocumentBytes() + ")");
        }
        int bad = JsonText.firstBad(document, offset, offset + length);
        if (bad >= 0) {
            throw JsonErrors.badText(document, offset, bad);
        }
        try (JsonParser parser = mapper.createParser(document, offset, length)) {
            return read(parser, reader);
        }
    }

    /** Reads a document of any shape; numbers with a fraction are exact decimals. */
    public JsonNode tree(byte[] document) {
        return read(document, JsonNode.class);
    }

    private static <T> T read(JsonParser parser, Function<JsonParser, T> reader) {
        try {
            return reader.apply(parser);
        } catch (JacksonException e) {
            throw JsonErrors.of(e, parser);
        }
    }

    /** Writes a record or a tree as UTF-8; empty Optionals are left out. */
    public byte[] write(Object value) {
        return mapper.writeValueAsBytes(value);
    }
}
