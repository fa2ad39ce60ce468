package dev.ron.admin.view;

import org.jspecify.annotations.Nullable;

/** The small answers and bodies of the API. */
public final class Small {
    private Small() {}

    /** {@code POST /api/nodes/{id}/refresh}: coalesced where one was waiting already. */
    public record Refreshed(String nodeId, boolean queued, boolean coalesced) {}

    /** {@code POST /api/session}: the token to keep in the cookie. */
    public record SessionAsked(String token) {
        @Override
        public String toString() {
            return "SessionAsked[***]";
        }
    }

    /** {@code POST /api/console/reload}. */
    public record Reloaded(
            boolean accepted,
            @Nullable String outcome,
            @Nullable Long configVersion,
            @Nullable String message) {}
}
