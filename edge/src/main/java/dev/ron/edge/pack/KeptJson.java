package dev.ron.edge.pack;

import java.util.Optional;
import java.util.Set;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Some members of a JSON object, under a bound on the memory they take; the others are read past. */
final class KeptJson {
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
    private static final String FIELDS = "fields";
    private static final int NODE_BYTES = 150; // an object with its table; a text takes less
    private static final int MEMBER_BYTES = 100; // a name and its place in the table

    private final JsonParser in;
    private final boolean fields;
    private int left;

    /** @param fields whether members of that name are kept inside of others */
    KeptJson(JsonParser in, int maxBytes, boolean fields) {
        this.in = in;
        this.left = maxBytes;
        this.fields = fields;
    }

    /** The members with these names, or nothing if they take more than the bound; the parser is then at the end, too. */
    Optional<ObjectNode> members(Set<String> names) {
        ObjectNode object = NODES.objectNode();
        while (in.nextToken() == JsonToken.PROPERTY_NAME) {
            String name = in.currentName();
            in.nextToken();
            if (left < 0 || !names.contains(name)) {
                in.skipChildren();
            } else {
                object.set(name, value());
            }
        }
        return left < 0 ? Optional.empty() : Optional.of(object);
    }

    /** The value the parser is on; beyond the bound it is read past, and what is returned is not used. */
    private JsonNode value() {
        left -= NODE_BYTES;
        if (left < 0) {
            in.skipChildren();
            return NODES.nullNode();
        }
        return switch (in.currentToken()) {
            case START_OBJECT -> object();
            case START_ARRAY -> array();
            case VALUE_STRING -> {
                left -= 2 * in.getStringLength();
                yield NODES.stringNode(in.getString());
            }
            case VALUE_NUMBER_INT -> NODES.numberNode(in.getBigIntegerValue());
            case VALUE_NUMBER_FLOAT -> NODES.numberNode(in.getDecimalValue());
            case VALUE_TRUE -> NODES.booleanNode(true);
            case VALUE_FALSE -> NODES.booleanNode(false);
            default -> NODES.nullNode();
        };
    }

    private ObjectNode object() {
        ObjectNode object = NODES.objectNode();
        while (in.nextToken() == JsonToken.PROPERTY_NAME) {
            String name = in.currentName();
            in.nextToken();
            if (name.equals(FIELDS) && !fields) {
                in.skipChildren();
            } else {
                left -= MEMBER_BYTES + 2 * name.length();
                JsonNode value = value();
                if (left >= 0) {
                    object.set(name, value);
                }
            }
        }
        return object;
    }

    private ArrayNode array() {
        ArrayNode array = NODES.arrayNode();
        while (in.nextToken() != JsonToken.END_ARRAY) {
            JsonNode value = value();
            if (left >= 0) {
                array.add(value);
            }
        }
        return array;
    }
}
