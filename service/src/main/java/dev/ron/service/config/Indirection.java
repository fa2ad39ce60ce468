package dev.ron.service.config;

import dev.ron.http.tls.PrivateFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Values kept in files of their own: {@code <VAR>_FILE} for every variable, {@code <key>_file} for every secret.
 *
 * <p>Each source is rewritten on its own, before merging, so that precedence is between keys and not between spellings.
 */
final class Indirection {
    private static final String SUFFIX = "_file";
    private static final long MAX_VALUE_BYTES = 64 << 10;

    private Indirection() {}

    static Raw resolve(Shape shape, Raw raw, String key, List<ConfigError> errors) {
        return switch (shape) {
            case Shape.Maybe m -> resolve(m.inner(), raw, key, errors);
            case Shape.Listed l
            when raw instanceof Raw.Items items ->
                new Raw.Items(
                        items.items().stream()
                                .map(i -> resolve(l.item(), i, key, errors))
                                .toList(),
                        items.origin());
            case Shape.Keyed k
            when raw instanceof Raw.Table t -> {
                Map<String, Raw> entries = new LinkedHashMap<>();
                t.entries().forEach((name, v) -> entries.put(name, resolve(k.entry(), v, key + "." + name, errors)));
                yield new Raw.Table(entries, t.origin());
            }
            case Shape.Group g when raw instanceof Raw.Table t -> group(g, t, key, errors);
            default -> raw;
        };
    }

    private static Raw.Table group(Shape.Group group, Raw.Table table, String key, List<ConfigError> errors) {
        Map<String, Raw> entries = new LinkedHashMap<>();
        table.entries().forEach((name, raw) -> {
            String full = key.isEmpty() ? name : key + "." + name;
            Optional<Shape.Field> field = group.field(name);
            Optional<Shape.Field> target = field.isPresent() ? Optional.empty() : pointedAt(group, name, raw);
            if (target.isPresent()) {
                String real = target.get().name();
                if (table.entries().containsKey(real)) {
                    errors.add(new ConfigError(raw.origin(), full, "set beside " + real + ": keep one of the two"));
                }
                entries.put(real, new Raw.Indirect(pathOf(raw), raw.origin()));
            } else {
                entries.put(
                        name,
                        field.map(f -> resolve(f.shape(), raw, full, errors)).orElse(raw));
            }
        });
        return new Raw.Table(entries, table.origin());
    }

    private static Optional<Shape.Field> pointedAt(Shape.Group group, String name, Raw raw) {
        if (!name.endsWith(SUFFIX) || pathOf(raw).isEmpty()) {
            return Optional.empty();
        }
        return group.field(name.substring(0, name.length() - SUFFIX.length()))
                .filter(f -> raw.origin() instanceof Origin.Env || ConfigKeys.isSecret(f.shape()));
    }

    private static String pathOf(Raw raw) {
        return switch (raw) {
            case Raw.Text t -> t.value();
            case Raw.Typed(String s, var _) -> s;
            default -> "";
        };
    }

    /** Reads the value a file holds, without its last line break; the message of a failure says what to do. */
    static String read(String file, boolean secret) {
        Path path = Path.of(file);
        try {
            if (secret && PrivateFile.isOpenToOthers(path)) {
                throw new IllegalArgumentException(file + " can be read by other users: chmod 600 " + file);
            }
            if (Files.size(path) > MAX_VALUE_BYTES) {
                throw new IllegalArgumentException(file + " is larger than 64KiB");
            }
            String text = Files.readString(path);
            return text.endsWith("\r\n")
                    ? text.substring(0, text.length() - 2)
                    : text.endsWith("\n") ? text.substring(0, text.length() - 1) : text;
        } catch (NoSuchFileException e) {
            throw new IllegalArgumentException("no such file: " + file, e);
        } catch (IOException e) {
            throw new IllegalArgumentException("cannot read " + file + ": " + e.getMessage(), e);
        }
    }
}
