package dev.ron.edge.pack.demo;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** One layer of a vector tile (Mapbox Vector Tile 2.1): features whose keys and values are stored once each. */
final class Layer {
    static final int EXTENT = 4096;

    private static final int VERSION = 2;

    private final String name;
    private final List<Proto> features = new ArrayList<>();
    private final Map<String, Integer> keys = new LinkedHashMap<>();
    private final Map<Object, Integer> values = new LinkedHashMap<>();

    Layer(String name) {
        this.name = name;
    }

    boolean isEmpty() {
        return features.isEmpty();
    }

    /** Adds a feature unless nothing of its shape is left in the tile; values are strings and whole numbers. */
    void add(Shape shape, Map<String, ?> attributes) {
        if (shape.isEmpty()) {
            return;
        }
        List<Integer> tags = new ArrayList<>();
        attributes.forEach((key, value) -> {
            tags.add(number(keys, key));
            tags.add(number(values, value));
        });
        features.add(new Proto()
                .number(1, features.size() + 1L)
                .packed(2, tags)
                .number(3, shape.type())
                .packed(4, shape.commands()));
    }

    private static <T> int number(Map<T, Integer> table, T entry) {
        Integer known = table.putIfAbsent(entry, table.size());
        return known == null ? table.size() - 1 : known;
    }

    Proto encode() {
        Proto layer = new Proto().number(15, VERSION).text(1, name);
        features.forEach(feature -> layer.message(2, feature));
        keys.keySet().forEach(key -> layer.text(3, key));
        values.keySet().forEach(value -> layer.message(4, encode(value)));
        return layer.number(5, EXTENT);
    }

    private static Proto encode(Object value) {
        return value instanceof Number number
                ? new Proto().number(5, number.longValue())
                : new Proto().text(1, String.valueOf(value));
    }
}
