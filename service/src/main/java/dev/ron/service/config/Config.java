package dev.ron.service.config;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The effective configuration: one immutable record per section, and the source of every value.
 *
 * <p>The hash covers what is shown, so two nodes can be compared by it; a secret's content is left out, because a hash
 * of it would let a guess be tested. The version counts content changes, secrets included.
 */
public final class Config {
    private final long version;
    private final String hash;
    private final Map<Class<?>, Object> sections;
    private final Map<String, ConfigValue> values;

    private Config(long version, String hash, Map<Class<?>, Object> sections, Map<String, ConfigValue> values) {
        this.version = version;
        this.hash = hash;
        this.sections = sections;
        this.values = values;
    }

    static Config first(Map<Class<?>, Object> sections, List<ConfigValue> values) {
        Map<String, ConfigValue> byKey = new LinkedHashMap<>();
        values.forEach(v -> byKey.put(v.key(), v));
        return new Config(1, hashOf(byKey), Map.copyOf(sections), byKey);
    }

    public Config withVersion(long number) {
        return new Config(number, hash, sections, values);
    }

    public long version() {
        return version;
    }

    public String hash() {
        return hash;
    }

    /** The record of a registered section; asking for another type is a bug. */
    public <T extends Record> T section(Class<T> type) {
        Object found = sections.get(type);
        if (found == null) {
            throw new IllegalArgumentException(type.getName() + " is not a section of this configuration");
        }
        return type.cast(found);
    }

    /** Every key in the order of the records, secrets redacted. */
    public List<ConfigValue> values() {
        return List.copyOf(values.values());
    }

    public Optional<ConfigValue> value(String key) {
        return Optional.ofNullable(values.get(key));
    }

    /** What differs in another configuration of the same sections, in key order. */
    public List<ConfigChange> changesTo(Config next) {
        TreeMap<String, ConfigValue> keys = new TreeMap<>(values);
        keys.putAll(next.values);
        List<ConfigChange> changes = new ArrayList<>();
        keys.forEach((key, any) -> {
            Optional<ConfigValue> from = value(key);
            Optional<ConfigValue> to = next.value(key);
            if (!from.map(ConfigValue::value).equals(to.map(ConfigValue::value))) {
                changes.add(
                        new ConfigChange(key, from.map(ConfigValue::text), to.map(ConfigValue::text), any.change()));
            }
        });
        return changes;
    }

    @Override
    public String toString() {
        return "config " + version + " (" + hash.substring(0, 12) + ")";
    }

    private static String hashOf(Map<String, ConfigValue> values) {
        StringBuilder canonical = new StringBuilder();
        new TreeMap<>(values)
                .forEach((key, v) ->
                        canonical.append(key).append('=').append(v.text()).append('\n'));
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256")
                    .digest(canonical.toString().getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
