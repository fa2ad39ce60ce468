package dev.ron.admin.panel;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A part of a status document, read tolerantly: a member that is missing or of another type is not there. */
record Told(Map<String, Object> members) {
    static final Told NOTHING = new Told(Map.of());

    static Told of(@Nullable Object value) {
        if (!(value instanceof Map<?, ?> map)) {
            return NOTHING;
        }
        Map<String, Object> copy = new LinkedHashMap<>();
        map.forEach((key, each) -> copy.put(String.valueOf(key), each));
        return new Told(copy);
    }

    Told part(String name) {
        return of(members.get(name));
    }

    List<Told> parts(String name) {
        return members.get(name) instanceof List<?> list
                ? list.stream().map(Told::of).toList()
                : List.of();
    }

    List<String> texts(String name) {
        return members.get(name) instanceof List<?> list
                ? list.stream().map(String::valueOf).toList()
                : List.of();
    }

    @Nullable
    String text(String name) {
        return members.get(name) instanceof String text ? text : null;
    }

    @Nullable
    Double number(String name) {
        return members.get(name) instanceof Number n ? Double.valueOf(n.doubleValue()) : null;
    }

    @Nullable
    Long whole(String name) {
        return members.get(name) instanceof Number n ? Long.valueOf(n.longValue()) : null;
    }

    @Nullable
    Boolean flag(String name) {
        return members.get(name) instanceof Boolean b ? b : null;
    }

    /** A circuit breaker's state, given as a word or as the number it has in metrics. */
    @Nullable
    String circuit(String name) {
        Long number = whole(name);
        return number == null
                ? text(name)
                : List.of("closed", "half_open", "open").get(Math.clamp(number, 0, 2));
    }

    static @Nullable Double firstOf(@Nullable Double one, @Nullable Double other) {
        return one != null ? one : other;
    }
}
