package dev.ron.service.config;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Reads all sources, lays them over each other (flags, environment, file, defaults) and binds the sections. */
public final class ConfigLoader {
    private ConfigLoader() {}

    /** Loads a configuration of version 1, or reports every mistake in it. */
    public static ConfigResult load(List<Section<?>> sections, Sources sources) {
        List<ConfigError> errors = new ArrayList<>();
        Raw.Table file = sources.file().map(f -> TomlFile.read(f, errors)).orElseGet(Raw.Table::empty);
        boolean readable = errors.isEmpty();
        Raw.Table env = Assignments.env(sources.env(), errors);
        Raw.Table flags = Assignments.flags(sources.flags(), errors);
        if (!readable) {
            // Whatever else could be said would be about keys that the file may well set.
            return new ConfigResult.Rejected(errors, Map.of());
        }
        return bind(sections, List.of(file, env, flags), errors);
    }

    /**
     * A section that the program itself brings, such as what the demo adds; a mistake in it is a defect.
     *
     * @param values as a file would give them: tables are maps, arrays lists, integers longs
     */
    public static <T extends Record> T builtIn(Section<T> section, Map<String, ?> values) {
        List<ConfigError> errors = new ArrayList<>();
        Raw.Table table = Raw.builtIn(Map.of(section.name(), values));
        return switch (bind(List.of(section), List.of(table), errors)) {
            case ConfigResult.Loaded(Config config) -> config.section(section.type());
            case ConfigResult.Rejected rejected -> throw new IllegalArgumentException(rejected.text());
        };
    }

    private static Map<String, Shape.Group> shapes(List<Section<?>> sections) {
        Map<String, Shape.Group> shapes = new LinkedHashMap<>();
        Set<Class<?>> types = new HashSet<>();
        for (Section<?> s : sections) {
            if (shapes.put(s.name(), Shapes.group(s.type(), Change.RESTART)) != null || !types.add(s.type())) {
                throw new IllegalArgumentException("section " + s.name() + " or its record is registered twice");
            }
        }
        return shapes;
    }

    /** Lays the sources over each other, the last on top. */
    private static ConfigResult bind(List<Section<?>> sections, List<Raw.Table> sources, List<ConfigError> errors) {
        Map<String, Shape.Group> shapes = shapes(sections);
        Raw.Table merged = Raw.Table.empty();
        for (Raw.Table source : sources) {
            merged = Raw.over(merged, resolved(shapes, source, errors));
        }

        UnknownKeys unknown = new UnknownKeys(shapes);
        List<String> names = List.copyOf(shapes.keySet());
        merged.entries().forEach((name, raw) -> {
            if (!shapes.containsKey(name)) {
                unknown.reportSection(name, raw, names, errors);
            }
        });

        Binder binder = new Binder(errors, dangerOk(merged), unknown);
        Map<Class<?>, Optional<Object>> bound = new LinkedHashMap<>();
        for (Section<?> s : sections) {
            Shape.Group shape = Optional.ofNullable(shapes.get(s.name())).orElseThrow();
            bound.put(s.type(), binder.section(shape, s.name(), merged.entries().get(s.name())));
        }
        new Rules(bound, binder.values(), errors).run(binder.frames());
        Map<Class<?>, Object> records = new LinkedHashMap<>();
        bound.forEach((type, instance) -> instance.ifPresent(record -> records.put(type, record)));
        if (!errors.isEmpty()) {
            return new ConfigResult.Rejected(errors, records);
        }
        return new ConfigResult.Loaded(Config.first(records, binder.values()));
    }

    private static Raw.Table resolved(Map<String, Shape.Group> shapes, Raw.Table source, List<ConfigError> errors) {
        Map<String, Raw> entries = new LinkedHashMap<>();
        source.entries().forEach((name, raw) -> {
            Shape.Group shape = shapes.get(name);
            entries.put(name, shape == null ? raw : Indirection.resolve(shape, raw, name, errors));
        });
        return new Raw.Table(entries, source.origin());
    }

    private static boolean dangerOk(Raw.Table merged) {
        return merged.entries().get("node") instanceof Raw.Table node
                && switch (node.entries().get("danger_ok")) {
                    case Raw.Typed(Boolean b, var _) -> b;
                    case Raw.Text t -> t.value().equals("true");
                    case null, default -> false;
                };
    }
}
