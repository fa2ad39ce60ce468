package dev.ron.registry.book;

import java.util.Locale;

/** Where a proposal stands; the first two may change into any other, the rest are for good. */
public enum Standing {
    PENDING,
    APPROVED,
    COMMITTED,
    STALE,
    REJECTED,
    WITHDRAWN,
    EXPIRED;

    public String wire() {
        return name().toLowerCase(Locale.ROOT);
    }

    public static Standing of(String wire) {
        return valueOf(wire.toUpperCase(Locale.ROOT));
    }
}
