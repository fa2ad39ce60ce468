package dev.ron.service.config;

/** A top-level table of {@code ron.toml} and the record it is bound to. */
public record Section<T extends Record>(String name, Class<T> type) {
    public static <T extends Record> Section<T> of(String name, Class<T> type) {
        return new Section<>(name, type);
    }
}
