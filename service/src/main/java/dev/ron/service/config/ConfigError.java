package dev.ron.service.config;

/** One mistake in the configuration, as it is shown: {@code ron.toml:14: gateway.drr.mode: "fast" (expected: auto, on, off)}. */
public record ConfigError(Origin origin, String key, String problem) {
    @Override
    public String toString() {
        String where = origin instanceof Origin.Builtin ? "" : origin + ": ";
        return where + (key.isEmpty() ? "" : key + ": ") + problem;
    }
}
