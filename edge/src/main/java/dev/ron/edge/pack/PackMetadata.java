package dev.ron.edge.pack;

import dev.ron.http.json.JsonError;
import dev.ron.http.json.JsonLimits;
import dev.ron.http.json.StrictJson;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** The JSON that packs carry; anything but one object of at most 8 MiB is refused. */
public final class PackMetadata {
    private static final StrictJson JSON = new StrictJson(JsonLimits.DEFAULT);
    /** What TileJSON can use; the rest (statistics of every attribute, often megabytes) is not kept in memory. */
    private static final List<String> KEPT = List.of(
            "name", "description", "attribution", "version", "type", "encoding", "vector_layers", "legend", "template");

    private PackMetadata() {}

    /** What is served of it. */
    public static ObjectNode parse(byte[] text, String packName) {
        return whole(text, packName).retain(KEPT);
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
            throw new PackError(PackFault.BAD_METADATA, packName + ": the metadata is not a JSON object");
        } catch (JsonError e) {
            throw new PackError(PackFault.BAD_METADATA, packName + ": the metadata is not JSON: " + e.detail());
        }
    }
}
