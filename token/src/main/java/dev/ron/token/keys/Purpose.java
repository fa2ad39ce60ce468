package dev.ron.token.keys;

import java.util.Optional;

/** What a key may sign; a signature made for one purpose is worth nothing for another. */
public enum Purpose {
    PCT("pct"),
    PCT_PQ("pct-pq"),
    JWT("jwt"),
    FEED("feed");

    private final String wire;

    Purpose(String wire) {
        this.wire = wire;
    }

    public String wire() {
        return wire;
    }

    public static Optional<Purpose> of(String wire) {
        for (Purpose purpose : values()) {
            if (purpose.wire.equals(wire)) {
                return Optional.of(purpose);
            }
        }
        return Optional.empty();
    }
}
