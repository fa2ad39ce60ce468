package dev.ron.service.config;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What a source says, before anybody knows what type it should have. */
sealed interface Raw {
    Origin origin();

    /** A TOML value with a type of its own: string, integer, float, boolean, date. */
    record Typed(Object value, Origin origin) implements Raw {}

    /** A text from the environment or the command line: it takes the type of its key. */
    record Text(String value, Origin origin) implements Raw {}

    /** The path of a file that holds the value. */
    record Indirect(String path, Origin origin) implements Raw {}

    record Items(List<Raw> items, Origin origin) implements Raw {}

    record Table(Map<String, Raw> entries, Origin origin) implements Raw {
        static Table empty() {
            return new Table(new LinkedHashMap<>(), Origin.DEFAULT);
        }
    }

    /** What the program itself says. */
    static Table builtIn(Map<?, ?> values) {
        Map<String, Raw> entries = new LinkedHashMap<>();
        values.forEach((key, value) -> entries.put((String) key, builtInValue(value)));
        return new Table(entries, Origin.DEFAULT);
    }

    private static Raw builtInValue(Object value) {
        return switch (value) {
            case Map<?, ?> table -> builtIn(table);
            case List<?> items ->
                new Items(items.stream().map(Raw::builtInValue).toList(), Origin.DEFAULT);
            default -> new Typed(value, Origin.DEFAULT);
        };
    }

    /**
     * Lays one source over another: tables are merged key by key, anything else is replaced whole.
     *
     * <p>Variable names know neither case nor dashes, so {@code GATEWAY_1} also finds an entry {@code gateway-1} below.
     */
    static Table over(Table lower, Table higher) {
        Map<String, Raw> merged = new LinkedHashMap<>(lower.entries);
        higher.entries.forEach((key, value) -> {
            String name = value.origin() instanceof Origin.Env ? spelledBelow(key, merged) : key;
            Raw below = merged.get(name);
            merged.put(name, below instanceof Table b && value instanceof Table t ? over(b, t) : value);
        });
        return new Table(merged, lower.entries.isEmpty() ? higher.origin : lower.origin);
    }

    private static String spelledBelow(String key, Map<String, Raw> below) {
        if (below.containsKey(key)) {
            return key;
        }
        return below.keySet().stream()
                .filter(k -> k.replace('-', '_').equalsIgnoreCase(key))
                .findFirst()
                .orElse(key);
    }
}
