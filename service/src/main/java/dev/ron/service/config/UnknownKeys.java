package dev.ron.service.config;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Says of a key nobody knows which one was probably meant: beside it, or of the same name elsewhere. */
final class UnknownKeys {
    private final List<String> allKeys = new ArrayList<>();

    UnknownKeys(Map<String, Shape.Group> sections) {
        sections.forEach((name, group) -> collect(group, name));
    }

    private void collect(Shape shape, String key) {
        switch (shape) {
            case Shape.Leaf _ -> allKeys.add(key);
            case Shape.Maybe m -> collect(m.inner(), key);
            case Shape.Listed l -> collect(l.item(), key);
            case Shape.Keyed k -> collect(k.entry(), key + ".<name>");
            case Shape.Group g -> g.fields().forEach(f -> collect(f.shape(), key + "." + f.name()));
        }
    }

    void report(Shape.Group group, String parent, String name, Raw raw, List<ConfigError> errors) {
        List<String> siblings = group.fields().stream().map(Shape.Field::name).toList();
        errors.add(new ConfigError(raw.origin(), parent + "." + name, says("unknown key", name, siblings)));
    }

    void reportSection(String name, Raw raw, List<String> sections, List<ConfigError> errors) {
        errors.add(new ConfigError(raw.origin(), name, says("unknown section", name, sections)));
    }

    private String says(String what, String name, List<String> siblings) {
        String word = name.length() > 64 ? name.substring(0, 64) : name;
        Optional<String> meant = Nearest.to(word, siblings)
                .or(() -> allKeys.stream().filter(k -> k.endsWith("." + word)).findFirst());
        return what
                + meant.map(m -> " (did you mean " + m + "?)")
                        .orElse(" (known here: " + String.join(", ", siblings) + ")");
    }
}
