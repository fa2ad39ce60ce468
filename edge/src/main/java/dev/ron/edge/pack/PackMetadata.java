package dev.ron.edge.pack;

import dev.ron.http.json.JsonError;
import dev.ron.http.json.JsonLimits;
import dev.ron.http.json.StrictJson;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** The JSON that packs carry; anything but one object of at most 8 MiB is refused. */
public final class PackMetadata {
    /** What the part that stays in memory may take there, more or less. */
    public static final int MAX_KEPT_BYTES = 1 << 20;

    private static final StrictJson JSON = new StrictJson(JsonLimits.DEFAULT);
    /** What TileJSON can use; the rest (statistics of every attribute, often megabytes) is not kept in memory. */
    private static final Set<String> KEPT = Set.of(
            "name", "description", "attribution", "version", "type", "encoding", "vector_layers", "legend", "template");

    private PackMetadata() {}

    /** What is served of it: the layers without their fields where those are too many; too many layers are refused. */
    public static ObjectNode parse(byte[] text, String packName) {
        if (text.length == 0) {
            return JsonNodeFactory.instance.objectNode();
        }
        return kept(text, packName, true)
                .or(() -> kept(text, packName, false))
                .orElseThrow(() -> new PackError(
                        PackFault.TOO_LARGE,
                        packName + ": the names, texts and layers in the metadata take more than " + MAX_KEPT_BYTES
                                + " bytes of memory"));
    }

    private static Optional<ObjectNode> kept(byte[] text, String packName, boolean fields) {
        return scan(text, packName, in -> new KeptJson(in, MAX_KEPT_BYTES, fields).members(KEPT));
    }

    /** All of it. */
    public static ObjectNode whole(byte[] text, String packName) {
        if (text.length == 0) {
            return JsonNodeFactory.instance.objectNode();
        }
        try {
            JsonNode tree = JSON.tree(text);
            if (tree instanceof ObjectNode object) {
                return object;
            }
            throw notAnObject(packName);
        } catch (JsonError e) {
            throw notJson(packName, e);
        }
    }

    /** Throws unless it is what {@link #whole} would take; holds nothing of it. */
    public static void check(byte[] text, String packName) {
        if (text.length > 0) {
            scan(text, packName, JsonParser::skipChildren);
        }
    }

    private static <T> T scan(byte[] text, String packName, Function<JsonParser, T> reader) {
        try {
            return JSON.scan(text, in -> {
                if (in.currentToken() != JsonToken.START_OBJECT) {
                    throw notAnObject(packName);
                }
                return reader.apply(in);
            });
        } catch (JsonError e) {
            throw notJson(packName, e);
        }
    }

    private static PackError notAnObject(String packName) {
        return new PackError(PackFault.BAD_METADATA, packName + ": the metadata is not a JSON object");
    }

    private static PackError notJson(String packName, JsonError e) {
        return new PackError(PackFault.BAD_METADATA, packName + ": the metadata is not JSON: " + e.detail());
    }
}
