package dev.ron.admin.view;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One line of the audit log; {@code hash} is SHA-256 over the line without it, {@code prevHash} included.
 *
 * @param phase intent, outcome or rejected
 * @param result pending, ok, denied, error or unknown
 */
public record AuditRecord(
        long seq,
        String at,
        String actionId,
        String phase,
        String subject,
        List<String> roles,
        String authMode,
        String peer,
        String nodeId,
        String environment,
        String action,
        String reason,
        String result,
        @Nullable Integer nodeStatus,
        @Nullable String code,
        String corrId,
        String prevHash,
        String hash) {}
