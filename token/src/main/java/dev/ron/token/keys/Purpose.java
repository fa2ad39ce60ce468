package dev.ron.token.keys;

import java.util.Optional;

/** What a key may sign; a signature made for one purpose is worth nothing for another. */
public enum Purpose {
    PCT("pct"),
    PCT_PQ("pct-pq"),
    JWT("jwt"),
    /** The same as {@link #JWT}, for readers that know no Ed25519; who verifies sees one purpose, {@code jwt}. */
    JWT_ES256("jwt-es256", "jwt"),
    FEED("feed");

    private final String wire;
    private final String published;

    Purpose(String wire) {
        this(wire, wire);
    }

    Purpose(String wire, String published) {
        this.wire = wire;
        this.published = published;
    }

    public String wire() {
        return wire;
    }

    /** As the published key set calls it. */
    public String published() {
        return published;
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
