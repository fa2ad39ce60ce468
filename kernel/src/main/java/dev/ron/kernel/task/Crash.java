package dev.ron.kernel.task;

/** A task failed; {@code reason} is one of the words of the {@code ServiceCrashed} event. */
public record Crash(String service, String task, String reason, boolean quarantined) {}
