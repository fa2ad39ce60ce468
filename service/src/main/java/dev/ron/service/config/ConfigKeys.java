package dev.ron.service.config;

import java.util.ArrayList;
import java.util.List;

/** All keys of a section as a flat list; {@code <name>} stands for an entry of a map. */
final class ConfigKeys {
    record Key(String key, String form, String standard, Change change, String doc) {}

    private ConfigKeys() {}

    static List<Key> of(String section, Shape.Group group) {
        List<Key> keys = new ArrayList<>();
        group.fields().forEach(f -> collect(section + "." + f.name(), f.shape(), f, keys));
        return keys;
    }

    static boolean isSecret(Shape shape) {
        return switch (shape) {
            case Shape.Leaf l -> l.scalar().isSecret();
            case Shape.Maybe m -> isSecret(m.inner());
            default -> false;
        };
    }

    private static void collect(String key, Shape shape, Shape.Field field, List<Key> keys) {
        switch (shape) {
            case Shape.Leaf leaf -> keys.add(key(key, leaf, "", "required", field));
            case Shape.Maybe(Shape.Leaf leaf) -> keys.add(key(key, leaf, "", "unset", field));
            case Shape.Listed(Shape.Leaf leaf) -> keys.add(key(key, leaf, "list of: ", "[]", field));
            case Shape.Maybe maybe -> collect(key, maybe.inner(), field, keys);
            case Shape.Listed listed -> collect(key + "[]", listed.item(), field, keys);
            case Shape.Keyed keyed -> collect(key + ".<name>", keyed.entry(), field, keys);
            case Shape.Group group -> group.fields().forEach(f -> collect(key + "." + f.name(), f.shape(), f, keys));
        }
    }

    private static Key key(String key, Shape.Leaf leaf, String prefix, String absent, Shape.Field field) {
        String form = leaf.scalar().expected()
                + leaf.bounds().map(b -> ", " + b.text()).orElse("");
        String standard = field.standard().map(s -> "`" + s + "`").orElse(absent);
        return new Key(key, prefix + form, standard, field.change(), field.doc());
    }
}
