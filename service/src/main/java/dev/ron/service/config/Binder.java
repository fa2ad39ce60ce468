package dev.ron.service.config;

import java.lang.reflect.InvocationTargetException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Builds records from raw values; goes on after a mistake so that all of them are found in one run. */
final class Binder {
    /** A record under construction; rules look for their arguments upwards from here. */
    static final class Frame {
        final Shape.Group group;
        final String key;
        final Origin origin;
        final @Nullable Frame parent;

        @Nullable
        Object instance;

        Frame(Shape.Group group, String key, Origin origin, @Nullable Frame parent) {
            this.group = group;
            this.key = key;
            this.origin = origin;
            this.parent = parent;
        }
    }

    private final List<ConfigError> errors;
    private final boolean inlineSecrets;
    private final UnknownKeys unknown;
    private final List<ConfigValue> values = new ArrayList<>();
    private final List<Frame> frames = new ArrayList<>();

    Binder(List<ConfigError> errors, boolean inlineSecrets, UnknownKeys unknown) {
        this.errors = errors;
        this.inlineSecrets = inlineSecrets;
        this.unknown = unknown;
    }

    List<ConfigValue> values() {
        return values;
    }

    List<Frame> frames() {
        return frames;
    }

    /** Binds one section; empty when something in it is wrong. */
    Optional<Object> section(Shape.Group group, String name, @Nullable Raw raw) {
        Raw present = raw == null ? Raw.Table.empty() : raw;
        return Optional.ofNullable(bind(group, present, name, Change.RESTART, null));
    }

    private @Nullable Object bind(Shape shape, Raw raw, String key, Change change, @Nullable Frame parent) {
        return switch (shape) {
            case Shape.Leaf leaf -> {
                Object value = leaf(leaf, raw, key);
                if (value != null) {
                    record(key, value, leaf.scalar().show(value), raw, change);
                }
                yield value;
            }
            case Shape.Maybe maybe -> {
                Object value = bind(maybe.inner(), raw, key, change, parent);
                yield value == null ? null : Optional.of(value);
            }
            case Shape.Listed listed -> list(listed, raw, key, change, parent);
            case Shape.Keyed keyed -> map(keyed, raw, key, change, parent);
            case Shape.Group group -> group(group, raw, key, parent);
        };
    }

    private @Nullable Object field(Shape.Field field, @Nullable Raw raw, String key, Frame frame) {
        if (raw != null) {
            return bind(field.shape(), raw, key, field.change(), frame);
        }
        if (field.standard().isPresent()) {
            Raw standard = new Raw.Text(field.standard().get(), Origin.DEFAULT);
            return bind(field.shape(), standard, key, field.change(), frame);
        }
        return switch (field.shape()) {
            case Shape.Maybe _ -> Optional.empty();
            case Shape.Listed _ -> List.of();
            case Shape.Keyed _ -> Map.of();
            case Shape.Group g -> group(g, new Raw.Table(Map.of(), frame.origin), key, frame);
            case Shape.Leaf leaf -> fail(frame.origin, key, "missing (expected: " + expected(leaf) + ")");
        };
    }

    private @Nullable Object leaf(Shape.Leaf leaf, Raw raw, String key) {
        Scalar<?> scalar = leaf.scalar();
        if (scalar.isSecret() && !inlineSecrets && isInline(raw)) {
            return fail(
                    raw.origin(),
                    key,
                    "a secret in plain sight (expected: " + key + "_file with the path of a 0600 file, or "
                            + Assignments.PREFIX + "..._FILE; node.danger_ok = true allows it)");
        }
        Object value;
        try {
            value = switch (raw) {
                case Raw.Typed t -> scalar.convert(t.value());
                case Raw.Text t -> scalar.parse(t.value());
                case Raw.Indirect i -> {
                    String content;
                    try {
                        content = Indirection.read(i.path(), scalar.isSecret());
                    } catch (IllegalArgumentException e) {
                        yield fail(raw.origin(), key, String.valueOf(e.getMessage()));
                    }
                    yield scalar.parse(content);
                }
                case Raw.Items _, Raw.Table _ -> wrong(raw, key, expected(leaf));
            };
        } catch (IllegalArgumentException e) {
            value = wrong(scalar.isSecret() ? new Raw.Text("***", raw.origin()) : raw, key, expected(leaf));
        }
        if (value != null && leaf.bounds().isPresent() && !leaf.bounds().get().contains(value)) {
            return wrong(raw, key, leaf.bounds().get().text());
        }
        return value;
    }

    private @Nullable Object list(Shape.Listed shape, Raw raw, String key, Change change, @Nullable Frame parent) {
        Raw.Items items = switch (raw) {
            case Raw.Items i -> i;
            case Raw.Text t -> items(t);
            default -> null;
        };
        if (items == null) {
            return wrong(raw, key, "a list");
        }
        List<Object> bound = new ArrayList<>();
        for (int i = 0; i < items.items().size(); i++) {
            Raw item = items.items().get(i);
            String at = key + "[" + i + "]";
            Object value = shape.item() instanceof Shape.Leaf leaf
                    ? leaf(leaf, item, at)
                    : bind(shape.item(), item, at, change, parent);
            if (value != null) {
                bound.add(value);
            }
        }
        if (bound.size() < items.items().size()) {
            return null;
        }
        if (shape.item() instanceof Shape.Leaf leaf) {
            String text = bound.stream()
                    .map(v -> "\"" + leaf.scalar().show(v) + "\"")
                    .collect(Collectors.joining(", ", "[", "]"));
            record(key, List.copyOf(bound), text, raw, change);
        }
        return List.copyOf(bound);
    }

    private static Raw.@Nullable Items items(Raw.Text text) {
        String value = text.value().strip();
        if (value.startsWith("[")) {
            try {
                return TomlFile.array(value, text.origin());
            } catch (IllegalArgumentException e) {
                return null;
            }
        }
        List<Raw> items = new ArrayList<>();
        if (!value.isEmpty()) {
            for (String part : value.split(",", -1)) {
                items.add(new Raw.Text(part.strip(), text.origin()));
            }
        }
        return new Raw.Items(items, text.origin());
    }

    private @Nullable Object map(Shape.Keyed shape, Raw raw, String key, Change change, @Nullable Frame parent) {
        if (!(raw instanceof Raw.Table table)) {
            return wrong(raw, key, "a table; set its keys one by one: " + key + ".<name>");
        }
        Map<String, Object> bound = new LinkedHashMap<>();
        table.entries().forEach((name, entry) -> {
            Object value = bind(shape.entry(), entry, key + "." + name, change, parent);
            if (value != null) {
                bound.put(name, value);
            }
        });
        return bound.size() < table.entries().size() ? null : Collections.unmodifiableMap(bound);
    }

    private @Nullable Object group(Shape.Group group, Raw raw, String key, @Nullable Frame parent) {
        if (!(raw instanceof Raw.Table table)) {
            return wrong(raw, key, "a table; set its keys one by one: " + key + ".<key>");
        }
        Frame frame = new Frame(group, key, raw.origin(), parent);
        frames.add(frame);
        table.entries().forEach((name, entry) -> {
            if (group.field(name).isEmpty()) {
                unknown.report(group, key, name, entry, errors);
            }
        });
        List<Object> arguments = new ArrayList<>();
        for (Shape.Field field : group.fields()) {
            Object value = field(field, table.entries().get(field.name()), key + "." + field.name(), frame);
            if (value != null) {
                arguments.add(value);
            }
        }
        if (arguments.size() < group.fields().size()) {
            return null;
        }
        try {
            frame.instance = group.constructor().newInstance(arguments.toArray());
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof IllegalArgumentException cause) {
                return fail(raw.origin(), key, String.valueOf(cause.getMessage()));
            }
            throw new IllegalStateException(group.type().getName() + " refused its values", e);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(group.type().getName() + " cannot be built", e);
        }
        return frame.instance;
    }

    private static boolean isInline(Raw raw) {
        return raw instanceof Raw.Typed || (raw instanceof Raw.Text && raw.origin() instanceof Origin.Flag);
    }

    private static String expected(Shape.Leaf leaf) {
        // Bounds say more than the type where both are numbers; a duration's bounds carry their units.
        return leaf.bounds().map(Shape.Bounds::text).orElse(leaf.scalar().expected());
    }

    private @Nullable Object wrong(Raw raw, String key, String expected) {
        return fail(raw.origin(), key, Shown.of(raw) + " (expected: " + expected + ")");
    }

    private @Nullable Object fail(Origin origin, String key, String problem) {
        errors.add(new ConfigError(origin, key, problem));
        return null;
    }

    private void record(String key, Object value, String text, Raw raw, Change change) {
        values.add(new ConfigValue(key, value, text, raw.origin(), change));
    }
}
