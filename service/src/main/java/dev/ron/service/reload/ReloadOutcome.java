package dev.ron.service.reload;

import java.util.Locale;

/** How a reload ended; the word is the {@code outcome} label of {@code config_reloads_total}. */
public enum ReloadOutcome {
    APPLIED,
    /** The sources say what they said before; no event. */
    NOOP,
    /** A file could not be read or is not TOML. */
    PARSE_ERROR,
    /** A key is unknown, wrong or missing, or a rule is broken. */
    INVALID,
    /** A key changed that only a new process can take; nothing was applied. */
    RESTART_REQUIRED,
    /** A part could not get ready for the new values; nothing was applied. */
    PREPARE_FAILED,
    /** A part failed while changing over; everything was put back. */
    ROLLED_BACK;

    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    public boolean failed() {
        return this != APPLIED && this != NOOP;
    }
}
