package dev.ron.service.config;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Every key that exists, for editors (JSON Schema) and for readers (Markdown). */
public final class ConfigSchema {
    private static final JsonMapper JSON = JsonMapper.shared();

    private ConfigSchema() {}

    /** JSON Schema 2020-12 of the whole file. */
    public static String json(List<Section<?>> sections) {
        ObjectNode root = JSON.createObjectNode();
        root.put("$schema", "https://json-schema.org/draft/2020-12/schema");
        root.put("title", "ron.toml");
        root.put("type", "object");
        root.put("additionalProperties", false);
        ObjectNode properties = root.putObject("properties");
        sections.forEach(s -> properties.set(s.name(), node(Shapes.group(s.type(), Change.RESTART))));
        return JSON.writerWithDefaultPrettyPrinter().writeValueAsString(root) + "\n";
    }

    private static ObjectNode node(Shape shape) {
        ObjectNode node = JSON.createObjectNode();
        switch (shape) {
            case Shape.Leaf leaf -> leaf(leaf, node);
            case Shape.Maybe maybe -> node.setAll(node(maybe.inner()));
            case Shape.Listed listed -> node.put("type", "array").set("items", node(listed.item()));
            case Shape.Keyed keyed -> node.put("type", "object").set("additionalProperties", node(keyed.entry()));
            case Shape.Group group -> group(group, node);
        }
        return node;
    }

    private static void group(Shape.Group group, ObjectNode node) {
        node.put("type", "object");
        if (!group.doc().isEmpty()) {
            node.put("description", group.doc());
        }
        node.put("additionalProperties", false);
        ObjectNode properties = node.putObject("properties");
        ArrayNode required = JSON.createArrayNode();
        for (Shape.Field f : group.fields()) {
            ObjectNode p = node(f.shape());
            if (!f.doc().isEmpty()) {
                p.put("description", f.doc());
            }
            f.standard().ifPresent(d -> standard(f.shape(), d, p));
            p.put("x-change", f.change().name().toLowerCase(Locale.ROOT));
            properties.set(f.name(), p);
            if (f.standard().isEmpty() && f.shape() instanceof Shape.Leaf leaf) {
                if (leaf.scalar().isSecret()) {
                    continue;
                }
                required.add(f.name());
            }
        }
        group.fields().stream()
                .filter(f -> ConfigKeys.isSecret(f.shape()))
                .forEach(f -> properties
                        .putObject(f.name() + "_file")
                        .put("type", "string")
                        .put(
                                "description",
                                "Path of a file, readable by its owner only, that holds " + f.name() + "."));
        if (!required.isEmpty()) {
            node.set("required", required);
        }
    }

    private static void leaf(Shape.Leaf leaf, ObjectNode node) {
        Scalar<?> scalar = leaf.scalar();
        node.put("type", scalar.jsonType());
        if (!scalar.allowed().isEmpty()) {
            ArrayNode words = node.putArray("enum");
            scalar.allowed().forEach(words::add);
        } else if (scalar.jsonType().equals("string") && scalar.type() != String.class) {
            node.put("x-format", scalar.expected());
        }
        leaf.bounds().ifPresent(b -> {
            boolean number = !scalar.jsonType().equals("string");
            limit(node, number ? "minimum" : "x-minimum", scalar, b.min());
            limit(node, number ? "maximum" : "x-maximum", scalar, b.max());
        });
    }

    private static void limit(ObjectNode node, String name, Scalar<?> scalar, Optional<Comparable<?>> limit) {
        limit.ifPresent(v -> {
            switch (v) {
                case Integer i -> node.put(name, i);
                case Long l -> node.put(name, l);
                case Double d -> node.put(name, d);
                default -> node.put(name, scalar.show(v));
            }
        });
    }

    private static void standard(Shape shape, String text, ObjectNode node) {
        if (shape instanceof Shape.Leaf leaf) {
            Object value = leaf.scalar().parse(text);
            switch (value) {
                case Boolean b -> node.put("default", b);
                case Integer i -> node.put("default", i);
                case Long l -> node.put("default", l);
                case Double d -> node.put("default", d);
                default -> node.put("default", text);
            }
        } else {
            node.put("default", text);
        }
    }

    /** One table of all keys per section: key, form, default, what a change takes, meaning. */
    public static String markdown(List<Section<?>> sections) {
        StringBuilder out = new StringBuilder();
        for (Section<?> s : sections) {
            Shape.Group group = Shapes.group(s.type(), Change.RESTART);
            out.append("## `[").append(s.name()).append("]`\n\n");
            if (!group.doc().isEmpty()) {
                out.append(group.doc()).append("\n\n");
            }
            out.append("| key | form | default | change | meaning |\n| --- | --- | --- | --- | --- |\n");
            ConfigKeys.of(s.name(), group).forEach(k -> out.append(row(k)));
            out.append('\n');
        }
        return out.toString();
    }

    private static String row(ConfigKeys.Key k) {
        return "| `" + k.key() + "` | " + cell(k.form()) + " | " + cell(k.standard()) + " | "
                + k.change().name().toLowerCase(Locale.ROOT) + " | " + cell(k.doc()) + " |\n";
    }

    private static String cell(String text) {
        return text.replace("|", "\\|").replace("\n", " ");
    }
}
