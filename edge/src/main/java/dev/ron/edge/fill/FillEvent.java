package dev.ron.edge.fill;

/** Something that happened to fills, for whoever listens to {@code events}. */
public sealed interface FillEvent {
    /** An object was fetched or found unchanged. */
    record Brought(String key, String digest, long bytes) implements FillEvent {}

    /** A fetch brought nothing. */
    record Refused(String key, String reason, String detail) implements FillEvent {}
}
