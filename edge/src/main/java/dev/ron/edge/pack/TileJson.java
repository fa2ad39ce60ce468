package dev.ron.edge.pack;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** TileJSON 3.0.0 of a pack: what map clients read first. */
public final class TileJson {
    private TileJson() {}

    /** The document; {@code tilesUrl} is absolute and holds {@code {z}}, {@code {x}} and {@code {y}}. */
    public static ObjectNode of(PackInfo info, String tilesUrl) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.put("tilejson", "3.0.0");
        json.putArray("tiles").add(tilesUrl);
        json.put("scheme", "xyz");
        for (String name : new String[] {"name", "description", "attribution", "version", "legend"}) {
            copyText(info.description(), name, json);
        }
        json.put("minzoom", info.minZoom());
        json.put("maxzoom", info.maxZoom());
        Bounds bounds = info.bounds();
        json.putArray("bounds")
                .add(bounds.west())
                .add(bounds.south())
                .add(bounds.east())
                .add(bounds.north());
        info.center()
                .ifPresent(center -> json.putArray("center")
                        .add(center.longitude())
                        .add(center.latitude())
                        .add(center.zoom()));
        if (info.type().isVector()) {
            json.set("vector_layers", layers(info.description().path("vector_layers")));
            if (info.type() == TileType.MLT) {
                json.put("encoding", "mlt"); // MapLibre takes a vector tile for MVT unless it is told
            }
        } else if (info.description().path("encoding").asString("").equals("terrarium")) {
            json.put("encoding", "terrarium");
        }
        return json;
    }

    /** Only strings are copied: a pack's author must not be able to put other shapes where clients expect text. */
    private static void copyText(ObjectNode from, String name, ObjectNode to) {
        JsonNode value = from.path(name);
        if (value.isString() && !value.asString().isEmpty()) {
            to.put(name, value.asString());
        }
    }

    /** The layers with an id; "fields" is required by the format, so it is added where it is missing. */
    private static ArrayNode layers(JsonNode found) {
        ArrayNode layers = JsonNodeFactory.instance.arrayNode();
        for (JsonNode layer : found) {
            if (layer instanceof ObjectNode object && object.path("id").isString()) {
                ObjectNode copy = object.deepCopy();
                if (!copy.path("fields").isObject()) {
                    copy.putObject("fields");
                }
                layers.add(copy);
            }
        }
        return layers;
    }
}
