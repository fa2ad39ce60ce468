package dev.ron.service.config;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A {@code ron.toml} to begin with: every key with its meaning and its default, commented out. */
public final class ConfigTemplate {
    private static final int WIDTH = 110;

    private ConfigTemplate() {}

    public static String toml(List<Section<?>> sections) {
        StringBuilder out = new StringBuilder();
        sections.forEach(s -> table(s.name(), "", Shapes.group(s.type(), Change.RESTART), out));
        return out.toString();
    }

    // TOML wants the keys of a table before the tables within it.
    private static void table(String path, String why, Shape.Group group, StringBuilder out) {
        String name = path.contains("<name>") || path.contains("[]") ? "# " + header(path) : header(path);
        List<Shape.Field> tables = new ArrayList<>();
        StringBuilder keys = new StringBuilder();
        for (Shape.Field field : group.fields()) {
            if (groupIn(field.shape()) == null) {
                key(field, keys);
            } else {
                tables.add(field);
            }
        }
        comment(group.doc().isEmpty() ? why : group.doc(), out.append('\n'));
        out.append(name).append('\n').append(keys);
        for (Shape.Field field : tables) {
            Shape.Group inner = groupIn(field.shape());
            if (inner != null) {
                table(path + "." + field.name() + marker(field.shape()), field.doc(), inner, out);
            }
        }
    }

    private static String header(String path) {
        return path.endsWith("[]") ? "[[" + path.substring(0, path.length() - 2) + "]]" : "[" + path + "]";
    }

    private static String marker(Shape shape) {
        return switch (shape) {
            case Shape.Maybe maybe -> marker(maybe.inner());
            case Shape.Keyed keyed -> ".<name>" + marker(keyed.entry());
            case Shape.Listed listed -> "[]" + marker(listed.item());
            case Shape.Group _, Shape.Leaf _ -> "";
        };
    }

    private static Shape.@Nullable Group groupIn(Shape shape) {
        return switch (shape) {
            case Shape.Group group -> group;
            case Shape.Maybe maybe -> groupIn(maybe.inner());
            case Shape.Keyed keyed -> groupIn(keyed.entry());
            case Shape.Listed listed -> groupIn(listed.item());
            case Shape.Leaf _ -> null;
        };
    }

    private static void key(Shape.Field field, StringBuilder out) {
        comment(field.doc(), out);
        String value =
                field.standard().map(text -> literal(field.shape(), text)).orElseGet(() -> absent(field.shape()));
        out.append("# ").append(field.name()).append(" = ").append(value).append('\n');
    }

    private static String literal(Shape shape, String text) {
        return switch (shape) {
            case Shape.Listed listed -> {
                List<String> items = text.isEmpty() ? List.of() : List.of(text.split(",", -1));
                yield "["
                        + String.join(
                                ", ",
                                items.stream()
                                        .map(i -> literal(listed.item(), i.strip()))
                                        .toList()) + "]";
            }
            case Shape.Maybe maybe -> literal(maybe.inner(), text);
            case Shape.Leaf leaf -> leaf.scalar().jsonType().equals("string") ? quoted(text) : text;
            case Shape.Keyed _, Shape.Group _ -> "{}";
        };
    }

    private static String absent(Shape shape) {
        return switch (shape) {
            case Shape.Listed _ -> "[]";
            case Shape.Keyed _ -> "{}";
            case Shape.Maybe(Shape.Leaf leaf) -> "...  # " + leaf.scalar().expected();
            case Shape.Leaf leaf -> "...  # " + leaf.scalar().expected() + ", required";
            case Shape.Maybe _, Shape.Group _ -> "...";
        };
    }

    private static String quoted(String text) {
        return "\"" + text.replace("\\", "\\\\").replace("\"", "\\\"") + "\"";
    }

    private static void comment(String text, StringBuilder out) {
        StringBuilder line = new StringBuilder();
        for (String word : text.split("\\s+", -1)) {
            if (line.length() + word.length() > WIDTH) {
                out.append("#").append(line).append('\n');
                line.setLength(0);
            }
            line.append(' ').append(word);
        }
        if (!text.isBlank()) {
            out.append("#").append(line).append('\n');
        }
    }
}
