package dev.ron.edge.pack.mbtiles;

import dev.ron.edge.pack.Bounds;
import dev.ron.edge.pack.Center;
import dev.ron.edge.pack.PackError;
import dev.ron.edge.pack.PackFault;
import dev.ron.edge.pack.PackMetadata;
import dev.ron.edge.pack.TileCoord;
import dev.ron.edge.pack.TileType;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.node.ObjectNode;

/** The metadata table in our terms; optional fields that do not parse are as if absent, as in every other reader. */
public record MbtilesMetadata(Map<String, String> values, String packName) {
    private static final List<String> TEXTS =
            List.of("name", "description", "attribution", "version", "type", "legend");
    private static final int MAX_TEXT_CHARS = PackMetadata.MAX_KEPT_BYTES / 2;
    private static final Set<String> IN_HEADER = Set.of("json", "format", "bounds", "center", "minzoom", "maxzoom");

    TileType type() {
        String format = values.getOrDefault("format", "").toLowerCase(Locale.ROOT);
        // Tippecanoe and Planetiler write "pbf"; some write the media type.
        String word = format.startsWith("image/") ? format.substring("image/".length()) : format;
        return TileType.ofExtension(word).orElseGet(() -> byMediaType(format));
    }

    private TileType byMediaType(String format) {
        for (TileType type : TileType.values()) {
            if (type != TileType.UNKNOWN && type.mediaType().equals(format)) {
                return type;
            }
        }
        throw new PackError(
                PackFault.BAD_METADATA,
                packName + ": metadata format \"" + format + "\" (expected: pbf, png, jpg, webp, avif or mlt)");
    }

    Optional<Integer> zoom(String key) {
        return numbers(key, 1)
                .map(List::getFirst)
                .filter(z -> z >= 0 && z <= TileCoord.MAX_ZOOM && z == Math.rint(z))
                .map(Double::intValue);
    }

    public Optional<Bounds> bounds() {
        return numbers("bounds", 4).flatMap(n -> {
            try {
                return Optional.of(new Bounds(n.get(0), n.get(1), n.get(2), n.get(3)));
            } catch (IllegalArgumentException _) {
                return Optional.empty();
            }
        });
    }

    public Optional<Center> center() {
        return numbers("center", 3)
                .map(n -> new Center(n.get(0), n.get(1), n.get(2).intValue()));
    }

    private Optional<List<Double>> numbers(String key, int count) {
        List<Double> found = new ArrayList<>();
        for (String part : values.getOrDefault(key, "").split(",", -1)) {
            try {
                double number = Double.parseDouble(part.strip());
                if (!Double.isFinite(number)) {
                    return Optional.empty();
                }
                found.add(number);
            } catch (NumberFormatException _) {
                return Optional.empty();
            }
        }
        return found.size() == count ? Optional.of(found) : Optional.empty();
    }

    /** What TileJSON is made from: the texts, and the layers from the {@code json} row. */
    ObjectNode description() {
        ObjectNode description = PackMetadata.parse(json(), packName);
        long chars = 0;
        for (String text : TEXTS) {
            String value = values.get(text);
            if (value != null) {
                chars += value.length();
                description.put(text, value);
            }
        }
        if (chars > MAX_TEXT_CHARS) {
            throw new PackError(
                    PackFault.TOO_LARGE,
                    packName + ": " + TEXTS + " in the metadata have " + chars + " characters (expected: at most "
                            + MAX_TEXT_CHARS + ")");
        }
        return description;
    }

    /** All of it but what an archive says in its header. */
    public ObjectNode whole() {
        ObjectNode whole = PackMetadata.whole(json(), packName);
        values.forEach((name, value) -> {
            if (!IN_HEADER.contains(name)) {
                whole.put(name, value);
            }
        });
        return whole;
    }

    private byte[] json() {
        return values.getOrDefault("json", "").getBytes(StandardCharsets.UTF_8);
    }
}
