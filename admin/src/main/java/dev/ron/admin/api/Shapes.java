package dev.ron.admin.api;

import dev.ron.admin.view.LiveEvent;
import dev.ron.admin.view.Points;
import java.lang.reflect.AnnotatedType;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.time.Instant;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The records of the API as reflection sees them: the one source of the OpenAPI document and the TypeScript types. */
final class Shapes {
    private final Map<String, Class<?>> records = new TreeMap<>();

    /** A value of the API. */
    sealed interface Shape {
        /** A number, a string or a boolean; {@code format} as in JSON Schema, may be empty. */
        record Plain(String type, String format) implements Shape {}

        record Listed(Shape item) implements Shape {}

        record Keyed(Shape value) implements Shape {}

        record Ref(String name) implements Shape {}

        record OrNull(Shape inner) implements Shape {}

        record Anything() implements Shape {}
    }

    /** A member of a record. */
    record Member(String name, Shape shape, boolean optional) {}

    static Shapes ofApi() {
        Shapes shapes = new Shapes();
        for (Endpoint endpoint : Endpoint.values()) {
            shapes.add(endpoint.asked());
            shapes.add(endpoint.answer());
        }
        Arrays.stream(LiveEvent.class.getDeclaredClasses())
                .sorted(Comparator.comparing(Class::getSimpleName))
                .forEach(shapes::add);
        return shapes;
    }

    private void add(Class<?> type) {
        if (type.isRecord() && type != Points.class && records.putIfAbsent(name(type), type) == null) {
            for (RecordComponent component : type.getRecordComponents()) {
                shape(component.getAnnotatedType());
            }
        }
    }

    /** The records by name; nested ones carry the name of their outer. */
    Map<String, Class<?>> records() {
        return records;
    }

    List<Member> members(Class<?> type) {
        return Arrays.stream(type.getRecordComponents())
                .map(c -> new Member(c.getName(), shape(c.getAnnotatedType()), c.getType() == Optional.class))
                .toList();
    }

    static String name(Class<?> type) {
        Class<?> outer = type.getDeclaringClass();
        return outer != null && outer.isRecord() ? outer.getSimpleName() + type.getSimpleName() : type.getSimpleName();
    }

    private Shape shape(AnnotatedType annotated) {
        Shape shape = plain(annotated.getType());
        return annotated.isAnnotationPresent(Nullable.class) ? new Shape.OrNull(shape) : shape;
    }

    private Shape plain(Type type) {
        if (type instanceof ParameterizedType p && p.getRawType() instanceof Class<?> raw) {
            Type[] args = p.getActualTypeArguments();
            return raw == List.class
                    ? new Shape.Listed(plain(args[0]))
                    : raw == Map.class ? new Shape.Keyed(plain(args[1])) : plain(args[0]);
        }
        if (type instanceof Class<?> c) {
            if (c == Points.class) {
                return new Shape.Listed(new Shape.OrNull(new Shape.Plain("number", "double")));
            }
            if (c.isRecord()) {
                add(c);
                return new Shape.Ref(name(c));
            }
            return scalar(c);
        }
        return new Shape.Anything();
    }

    private static Shape scalar(Class<?> c) {
        if (c == String.class) {
            return new Shape.Plain("string", "");
        }
        if (c == Instant.class) {
            return new Shape.Plain("string", "date-time");
        }
        if (c == boolean.class || c == Boolean.class) {
            return new Shape.Plain("boolean", "");
        }
        if (c == int.class || c == Integer.class) {
            return new Shape.Plain("integer", "int32");
        }
        if (c == long.class || c == Long.class) {
            return new Shape.Plain("integer", "int64");
        }
        if (c == double.class || c == Double.class) {
            return new Shape.Plain("number", "double");
        }
        return new Shape.Anything();
    }
}
