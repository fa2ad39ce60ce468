package dev.ron.service.config;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** Turns variables and flags, which name one key each, into the same tree a file gives. */
final class Assignments {
    static final String PREFIX = "RON__";

    private Assignments() {}

    static Raw.Table env(Map<String, String> variables, List<ConfigError> errors) {
        Raw.Table root = Raw.Table.empty();
        new TreeMap<>(variables).forEach((name, value) -> {
            if (name.startsWith(PREFIX)) {
                String key = name.substring(PREFIX.length()).toLowerCase(Locale.ROOT);
                put(root, List.of(key.split("__", -1)), new Raw.Text(value, new Origin.Env(name)), errors);
            }
        });
        return root;
    }

    static Raw.Table flags(List<Sources.Assignment> flags, List<ConfigError> errors) {
        Raw.Table root = Raw.Table.empty();
        for (Sources.Assignment f : flags) {
            Origin origin = new Origin.Flag(f.flag());
            if (f.value().equals(Sources.NOT_ASSIGNED)) {
                errors.add(new ConfigError(origin, f.key(), "no value (expected: key=value)"));
            } else {
                put(root, List.of(f.key().split("\\.", -1)), new Raw.Text(f.value(), origin), errors);
            }
        }
        return root;
    }

    private static void put(Raw.Table root, List<String> path, Raw.Text value, List<ConfigError> errors) {
        Raw.Table at = root;
        String key = String.join(".", path);
        if (path.stream().anyMatch(String::isBlank)) {
            errors.add(new ConfigError(value.origin(), key, "empty part in the key"));
            return;
        }
        for (String part : path.subList(0, path.size() - 1)) {
            Raw next = at.entries().computeIfAbsent(part, p -> new Raw.Table(new LinkedHashMap<>(), value.origin()));
            if (!(next instanceof Raw.Table table)) {
                errors.add(
                        new ConfigError(value.origin(), key, "is below " + next.origin() + ", which sets one value"));
                return;
            }
            at = table;
        }
        String last = path.getLast();
        if (at.entries().get(last) instanceof Raw.Table) {
            errors.add(new ConfigError(value.origin(), key, "a value for a table whose keys are set too"));
            return;
        }
        at.entries().put(last, value);
    }
}
