package dev.ron.admin.view;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * {@code GET /api/audit}: newest first.
 *
 * @param nextBefore give it as {@code before} for the next page; null where there is none
 * @param chainOk whether every kept record follows from the one before it
 */
public record AuditPage(
        List<AuditRecord> records,
        @Nullable Long nextBefore,
        boolean chainOk,
        @Nullable String chainCause,
        boolean durable) {}
