package dev.ron.admin.expose;

import java.util.EnumMap;
import java.util.Map;

/**
 * How a body went.
 *
 * @param lines lines that were neither empty nor comments
 * @param samples those that were read; lines nobody wanted are not among them
 * @param bad lines that were skipped, by why
 * @param truncated true where a cap on samples ended the reading
 */
public record ParseReport(long lines, long samples, Map<Flaw, Long> bad, boolean truncated) {

    /** What is wrong with a line. */
    public enum Flaw {
        TOO_LONG,
        NAME,
        LABELS,
        TOO_MANY_LABELS,
        VALUE
    }

    public ParseReport {
        Map<Flaw, Long> copy = new EnumMap<>(Flaw.class);
        copy.putAll(bad);
        bad = copy;
    }

    public long badLines() {
        return bad.values().stream().mapToLong(Long::longValue).sum();
    }

    /** Whether this is an exposition at all: more than half of the lines must be good, and there must be one. */
    public boolean plausible() {
        return lines > 0 && badLines() * 2 <= lines;
    }
}
