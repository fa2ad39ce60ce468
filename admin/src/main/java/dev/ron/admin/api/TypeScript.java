package dev.ron.admin.api;

import dev.ron.admin.api.Shapes.Shape;

/** Writes the TypeScript types of the API, so that the console's pages and its server cannot drift apart. */
public final class TypeScript {
    private TypeScript() {}

    public static String write() {
        Shapes shapes = Shapes.ofApi();
        StringBuilder out =
                new StringBuilder("// Generated from the records of the API; `./ron docs` writes it anew.\n");
        shapes.records().forEach((name, type) -> {
            out.append("\nexport interface ").append(name).append(" {\n");
            for (Shapes.Member member : shapes.members(type)) {
                out.append("  ")
                        .append(member.name())
                        .append(member.optional() ? "?: " : ": ")
                        .append(text(member.shape()))
                        .append(";\n");
            }
            out.append("}\n");
        });
        return out.toString();
    }

    private static String text(Shape shape) {
        return switch (shape) {
            case Shape.Plain(String type, var _) -> type.equals("integer") ? "number" : type;
            case Shape.Listed(Shape.OrNull item) -> "(" + text(item) + ")[]";
            case Shape.Listed(Shape item) -> text(item) + "[]";
            case Shape.Keyed(Shape value) -> "Record<string, " + text(value) + ">";
            case Shape.Ref(String name) -> name;
            case Shape.OrNull(Shape inner) -> text(inner) + " | null";
            case Shape.Anything() -> "unknown";
        };
    }
}
