package dev.ron.http.server;

import java.time.Duration;

/**
 * How long a stop waits for who may be asking already.
 *
 * @param callers on open connections, who may learn of the stop meanwhile
 * @param newcomers since they came, while they have not asked anything yet
 */
public record DrainGrace(Duration callers, Duration newcomers) {
    static final DrainGrace DEFAULT = new DrainGrace(Duration.ofMillis(200), Duration.ofSeconds(1));

    public static final DrainGrace NONE = new DrainGrace(Duration.ZERO, Duration.ZERO);
}
