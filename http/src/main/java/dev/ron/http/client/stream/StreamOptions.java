package dev.ron.http.client.stream;

import java.time.Duration;

/**
 * Bounds of the connections to one endpoint.
 *
 * @param maxConnections open connections, over all loops, besides streams
 * @param maxPending calls that may wait for one
 * @param connectLimit connect and TLS handshake
 * @param idleLimit how long an unused connection is kept
 */
public record StreamOptions(int maxConnections, int maxPending, Duration connectLimit, Duration idleLimit) {
    public static final StreamOptions DEFAULTS =
            new StreamOptions(256, 128, Duration.ofSeconds(1), Duration.ofSeconds(30));

    public StreamOptions {
        if (maxConnections < 1 || maxPending < 0) {
            throw new IllegalArgumentException("max_connections: " + maxConnections + ", max_pending: " + maxPending
                    + " (expected: at least 1 and 0)");
        }
    }
}
