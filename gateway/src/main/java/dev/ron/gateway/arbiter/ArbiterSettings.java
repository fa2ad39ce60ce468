package dev.ron.gateway.arbiter;

import java.time.Duration;

/** The bounds of one arbiter. */
public record ArbiterSettings(
        int limit, int seats, Duration maxQueueWait, int maxTenants, int maxStreams, int maxStreamsPerTenant) {

    /** The defaults for an upstream that takes so many at once. */
    public static ArbiterSettings of(int limit) {
        return new ArbiterSettings(limit, 512, Duration.ofSeconds(1), 4_096, 1_024, 256);
    }
}
