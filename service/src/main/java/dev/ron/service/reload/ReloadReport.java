package dev.ron.service.reload;

import java.util.List;

/**
 * What a reload did.
 *
 * @param version the version in force afterwards
 * @param details the changes that were applied, or everything that stood in the way; redacted
 */
public record ReloadReport(String source, ReloadOutcome outcome, long version, List<String> details) {
    public ReloadReport {
        details = List.copyOf(details);
    }
}
