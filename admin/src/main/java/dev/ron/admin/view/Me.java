package dev.ron.admin.view;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * {@code GET /api/me}: who asks.
 *
 * @param roles viewer, operator, admin; each includes those before it
 * @param csrfToken to be sent as {@code X-Csrf-Token} with every POST and DELETE
 */
public record Me(
        String subject,
        String displayName,
        List<String> roles,
        List<String> groups,
        String authMode,
        @Nullable Instant expiresAt,
        String csrfToken) {}
