package dev.ron.service.status;

import java.util.Locale;

/** The health of a plane, from best to worst. */
public enum Health {
    HEALTHY,
    DEGRADED,
    DOWN;

    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    public Health worse(Health other) {
        return compareTo(other) >= 0 ? this : other;
    }
}
