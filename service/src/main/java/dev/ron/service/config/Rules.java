package dev.ron.service.config;

import java.lang.reflect.InvocationTargetException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Runs the {@link Check} methods of every record that could be built. */
final class Rules {
    private final Map<Class<?>, Optional<Object>> sections;
    private final List<ConfigValue> values;
    private final List<ConfigError> errors;

    /** @param sections every registered section; empty where it could not be built */
    Rules(Map<Class<?>, Optional<Object>> sections, List<ConfigValue> values, List<ConfigError> errors) {
        this.sections = sections;
        this.values = values;
        this.errors = errors;
    }

    void run(List<Binder.Frame> frames) {
        for (Binder.Frame frame : frames) {
            if (frame.instance != null) {
                for (Shape.Rule rule : frame.group.rules()) {
                    arguments(rule, frame).ifPresent(args -> check(rule, frame, args));
                }
            }
        }
    }

    private void check(Shape.Rule rule, Binder.Frame frame, List<Object> arguments) {
        try {
            Object answer = rule.method().invoke(frame.instance, arguments.toArray());
            String more = answer instanceof String text ? text : "";
            if (Boolean.FALSE.equals(answer) || !more.isEmpty()) {
                errors.add(blame(rule, frame, rule.says() + more));
            }
        } catch (InvocationTargetException | IllegalAccessException e) {
            throw new IllegalStateException("check " + rule.method() + " failed", e);
        }
    }

    private ConfigError blame(Shape.Rule rule, Binder.Frame frame, String says) {
        if (rule.key().isEmpty()) {
            return new ConfigError(frame.origin, frame.key, says);
        }
        String key = frame.key + "." + rule.key();
        return values.stream()
                .filter(v -> v.key().equals(key))
                .findFirst()
                .map(v -> new ConfigError(v.origin(), key, v.text() + " (" + says + ")"))
                .orElseGet(() -> new ConfigError(frame.origin, key, says));
    }

    /** Empty when a record the rule needs has mistakes of its own, which are reported already. */
    private Optional<List<Object>> arguments(Shape.Rule rule, Binder.Frame frame) {
        List<Object> found = new ArrayList<>();
        for (Class<?> type : rule.method().getParameterTypes()) {
            Binder.Frame around = enclosing(frame, type);
            Object instance = around != null
                    ? around.instance
                    : sections.getOrDefault(type, Optional.empty()).orElse(null);
            if (around == null && !sections.containsKey(type)) {
                throw new IllegalArgumentException(
                        rule.method() + ": " + type.getSimpleName() + " is neither around it nor a section");
            }
            if (instance == null) {
                return Optional.empty();
            }
            found.add(instance);
        }
        return Optional.of(found);
    }

    private static Binder.@Nullable Frame enclosing(Binder.Frame frame, Class<?> type) {
        for (Binder.Frame f = frame.parent; f != null; f = f.parent) {
            if (f.group.type() == type) {
                return f;
            }
        }
        return null;
    }
}
