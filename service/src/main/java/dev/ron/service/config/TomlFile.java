package dev.ron.service.config;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.tomlj.Toml;
import org.tomlj.TomlArray;
import org.tomlj.TomlParseResult;
import org.tomlj.TomlPosition;
import org.tomlj.TomlTable;
import org.tomlj.TomlVersion;

/** Reads {@code ron.toml} (TOML 1.0) so that every value knows its line. */
final class TomlFile {
    private static final long MAX_FILE_BYTES = 1 << 20;

    private TomlFile() {}

    static Raw.Table read(Path path, List<ConfigError> errors) {
        try {
            if (Files.size(path) > MAX_FILE_BYTES) {
                errors.add(problem(path, 0, "larger than 1MiB: is this a configuration file?"));
                return Raw.Table.empty();
            }
            return parse(Files.readString(path), path, errors);
        } catch (NoSuchFileException e) {
            errors.add(problem(path, 0, "no such file: " + path));
        } catch (CharacterCodingException e) {
            errors.add(problem(path, 0, "not UTF-8 text"));
        } catch (IOException e) {
            errors.add(problem(path, 0, "cannot be read: " + e.getMessage()));
        }
        return Raw.Table.empty();
    }

    static Raw.Table parse(String text, Path path, List<ConfigError> errors) {
        TomlParseResult result;
        try {
            result = Toml.parse(text, TomlVersion.V1_0_0);
        } catch (RuntimeException | AssertionError | StackOverflowError e) {
            // The parser collects errors, but some input trips its own checks: [a]#\0, or brackets a megabyte deep.
            errors.add(problem(
                    path, 0, "not TOML that can be read (" + e.getClass().getSimpleName() + ")"));
            return Raw.Table.empty();
        }
        if (result.hasErrors()) {
            result.errors()
                    .forEach(e -> errors.add(problem(path, e.position().line(), String.valueOf(e.getMessage()))));
            return Raw.Table.empty();
        }
        return table(result, path, new Origin.File(path, 0));
    }

    /** A list written as a TOML array in a variable or flag. */
    static Raw.Items array(String text, Origin origin) {
        TomlParseResult result = Toml.parse("v = " + text, TomlVersion.V1_0_0);
        TomlArray array = result.hasErrors() || !result.isArray("v") ? null : result.getArray("v");
        if (array == null) {
            throw new IllegalArgumentException("not a TOML array");
        }
        List<Raw> items = new ArrayList<>();
        array.toList().forEach(v -> items.add(new Raw.Typed(v, origin)));
        return new Raw.Items(items, origin);
    }

    private static Raw.Table table(TomlTable table, Path path, Origin origin) {
        Map<String, Raw> entries = new LinkedHashMap<>();
        for (String key : table.keySet()) {
            List<String> at = List.of(key);
            entries.put(key, node(table.get(at), path, table.inputPositionOf(at)));
        }
        return new Raw.Table(entries, origin);
    }

    private static Raw node(@Nullable Object value, Path path, @Nullable TomlPosition position) {
        Origin origin = new Origin.File(path, position == null ? 0 : position.line());
        return switch (value) {
            case TomlTable t -> table(t, path, origin);
            case TomlArray a -> {
                List<Raw> items = new ArrayList<>();
                for (int i = 0; i < a.size(); i++) {
                    items.add(node(a.get(i), path, a.inputPositionOf(i)));
                }
                yield new Raw.Items(items, origin);
            }
            case null -> new Raw.Typed("", origin);
            default -> new Raw.Typed(value, origin);
        };
    }

    private static ConfigError problem(Path path, int line, String says) {
        return new ConfigError(new Origin.File(path, line), "", says);
    }
}
