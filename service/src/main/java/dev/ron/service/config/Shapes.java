package dev.ron.service.config;

import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** Reads the shape of config records; a record that cannot be bound is a bug and fails here, at start, by name. */
final class Shapes {
    private static final Pattern HUMP = Pattern.compile("(?<=[a-z0-9])(?=[A-Z])");

    private Shapes() {}

    static Shape.Group group(Class<?> type, Change inherited) {
        if (!type.isRecord()) {
            throw new IllegalArgumentException(type.getName() + " is not a record");
        }
        OnChange own = type.getAnnotation(OnChange.class);
        Change change = own == null ? inherited : own.value();
        RecordComponent[] components = type.getRecordComponents();
        List<Shape.Field> fields =
                Arrays.stream(components).map(c -> field(c, change)).toList();
        Doc doc = type.getAnnotation(Doc.class);
        return new Shape.Group(
                type, constructor(type, components), fields, rules(type), doc == null ? "" : doc.value());
    }

    static String keyOf(String javaName) {
        return HUMP.matcher(javaName).replaceAll("_").toLowerCase(Locale.ROOT);
    }

    private static Shape.Field field(RecordComponent c, Change inherited) {
        String key = keyOf(c.getName());
        OnChange own = c.getAnnotation(OnChange.class);
        Change change = own == null ? inherited : own.value();
        Shape shape = shape(c.getGenericType(), key, c, change);
        Default standard = c.getAnnotation(Default.class);
        Doc doc = c.getAnnotation(Doc.class);
        return new Shape.Field(
                key, shape, Optional.ofNullable(standard).map(Default::value), change, doc == null ? "" : doc.value());
    }

    private static Shape shape(Type type, String key, RecordComponent c, Change change) {
        if (type instanceof ParameterizedType p && p.getRawType() instanceof Class<?> raw) {
            Type[] args = p.getActualTypeArguments();
            if (raw == List.class) {
                return new Shape.Listed(shape(args[0], key, c, change));
            }
            if (raw == Map.class && args[0] == String.class) {
                return new Shape.Keyed(shape(args[1], key, c, change));
            }
            if (raw == Optional.class) {
                return new Shape.Maybe(shape(args[0], key, c, change));
            }
        }
        if (type instanceof Class<?> plain) {
            Optional<Scalar<?>> scalar = Scalar.of(plain).map(s -> s.forKey(key));
            if (scalar.isPresent()) {
                return new Shape.Leaf(scalar.get(), bounds(scalar.get(), c));
            }
            if (plain.isRecord()) {
                return group(plain, change);
            }
        }
        throw new IllegalArgumentException(
                c.getDeclaringRecord().getName() + "." + c.getName() + ": no key can hold a " + type.getTypeName());
    }

    private static Optional<Shape.Bounds> bounds(Scalar<?> scalar, RecordComponent c) {
        Range range = c.getAnnotation(Range.class);
        if (range != null) {
            return Optional.of(bounds(
                    scalar,
                    range.min() == Long.MIN_VALUE ? "" : Long.toString(range.min()),
                    range.max() == Long.MAX_VALUE ? "" : Long.toString(range.max())));
        }
        Within within = c.getAnnotation(Within.class);
        return Optional.ofNullable(within).map(w -> bounds(scalar, w.min(), w.max()));
    }

    private static Shape.Bounds bounds(Scalar<?> scalar, String min, String max) {
        String text = min.isEmpty() ? "at most " + max : max.isEmpty() ? "at least " + min : min + ".." + max;
        return new Shape.Bounds(limit(scalar, min), limit(scalar, max), text);
    }

    private static Optional<Comparable<?>> limit(Scalar<?> scalar, String text) {
        if (text.isEmpty()) {
            return Optional.empty();
        }
        if (scalar.parse(text) instanceof Comparable<?> bound) {
            return Optional.of(bound);
        }
        throw new IllegalArgumentException("no bounds on " + scalar.type().getSimpleName());
    }

    private static Constructor<?> constructor(Class<?> type, RecordComponent[] components) {
        Class<?>[] types =
                Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
        try {
            Constructor<?> constructor = type.getDeclaredConstructor(types);
            constructor.setAccessible(true);
            return constructor;
        } catch (NoSuchMethodException e) {
            throw new IllegalArgumentException(type.getName() + " has no canonical constructor", e);
        }
    }

    private static List<Shape.Rule> rules(Class<?> type) {
        List<Shape.Rule> rules = new ArrayList<>();
        for (Method m : type.getDeclaredMethods()) {
            Check check = m.getAnnotation(Check.class);
            if (check != null) {
                if (m.getReturnType() != boolean.class && m.getReturnType() != String.class) {
                    throw new IllegalArgumentException(
                            type.getName() + "." + m.getName() + ": a check answers boolean or String");
                }
                m.setAccessible(true);
                rules.add(new Shape.Rule(m, check.value(), check.key()));
            }
        }
        // Reflection has no fixed order; messages must have one.
        rules.sort(Comparator.comparing(r -> r.method().getName()));
        return rules;
    }
}
