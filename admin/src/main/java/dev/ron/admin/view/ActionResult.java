package dev.ron.admin.view;

import org.jspecify.annotations.Nullable;

/**
 * What became of an action.
 *
 * @param outcome ok, error, or unknown: the node may or may not have acted
 * @param accepted what the node said; null where it said nothing
 */
public record ActionResult(
        String actionId,
        String nodeId,
        String action,
        String outcome,
        @Nullable Boolean accepted,
        @Nullable Integer nodeStatus,
        @Nullable String message,
        long auditSeq) {}
