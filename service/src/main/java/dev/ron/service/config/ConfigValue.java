package dev.ron.service.config;

/**
 * One key of the effective configuration with its source.
 *
 * @param value what the record holds; compared on reload, never printed
 * @param text how the value is shown; {@code ***} for a secret
 */
public record ConfigValue(String key, Object value, String text, Origin origin, Change change) {
    @Override
    public String toString() {
        return key + " = " + text + "  # " + origin;
    }
}
