package dev.ron.service.status;

import org.jspecify.annotations.Nullable;

/**
 * A part of a node that has its own health: a service ({@code gateway}) or a part of one ({@code gateway.scheduler}).
 *
 * @param notes what an operator should know, where there is something
 */
public record Plane(
        String name,
        Health health,
        boolean ready,
        long restartCount,
        @Nullable String notes) {
    public static Plane healthy(String name) {
        return new Plane(name, Health.HEALTHY, true, 0, null);
    }

    public static Plane of(String name, Health health, String notes) {
        return new Plane(name, health, health != Health.DOWN, 0, notes.isEmpty() ? null : notes);
    }
}
