package dev.ron.admin.view;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** {@code GET /api/nodes/{id}/health}, {@code /ready} and {@code /version}: one probe, asked now. */
public record ProbeView(
        String nodeId,
        String path,
        boolean ok,
        @Nullable Integer status,
        @Nullable Long ms,
        @Nullable String error,
        Map<String, Object> value) {}
