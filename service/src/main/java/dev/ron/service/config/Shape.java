package dev.ron.service.config;

import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Optional;

/** The form a part of the configuration must have, read once from the records. */
sealed interface Shape {
    record Leaf(Scalar<?> scalar, Optional<Bounds> bounds) implements Shape {}

    record Listed(Shape item) implements Shape {}

    record Keyed(Shape entry) implements Shape {}

    /** A key that may be absent and is then an empty Optional. */
    record Maybe(Shape inner) implements Shape {}

    record Group(Class<?> type, Constructor<?> constructor, List<Field> fields, List<Rule> rules, String doc)
            implements Shape {
        Optional<Field> field(String name) {
            return fields.stream().filter(f -> f.name().equals(name)).findFirst();
        }
    }

    /** One component of a record. */
    record Field(String name, Shape shape, Optional<String> standard, Change change, String doc) {}

    /** One {@link Check} method. */
    record Rule(Method method, String says, String key) {}

    /** Inclusive limits of a leaf, and how they are printed: {@code 1..65535}. */
    record Bounds(Optional<Comparable<?>> min, Optional<Comparable<?>> max, String text) {
        // Limits are parsed by the leaf's own scalar, so both sides have its type.
        @SuppressWarnings({"unchecked", "rawtypes"})
        boolean contains(Object value) {
            return min.map(m -> ((Comparable) m).compareTo(value) <= 0).orElse(true)
                    && max.map(m -> ((Comparable) m).compareTo(value) >= 0).orElse(true);
        }
    }
}
