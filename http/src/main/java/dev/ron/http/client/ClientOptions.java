package dev.ron.http.client;

import java.time.Duration;

/**
 * Bounds of a client; every one of them can be narrowed per request where that makes sense.
 *
 * @param maxPerTarget connections to one target, and so calls to it at once
 * @param maxTargets targets with connections at once
 * @param connectLimit name look-up, connect and TLS handshake together
 * @param totalLimit a whole call, from waiting for a connection to the last byte of the body
 * @param idleLimit how long an unused connection is kept
 * @param maxHeadBytes status line and header block of a response
 * @param maxHeaders header fields of a response
 * @param maxBodyBytes body of a response
 */
public record ClientOptions(
        int maxPerTarget,
        int maxTargets,
        Duration connectLimit,
        Duration totalLimit,
        Duration idleLimit,
        int maxHeadBytes,
        int maxHeaders,
        int maxBodyBytes) {

    public static ClientOptions defaults() {
        return new ClientOptions(
                64,
                1024,
                Duration.ofSeconds(2),
                Duration.ofSeconds(5),
                Duration.ofSeconds(30),
                16 * 1024,
                100,
                1 << 20);
    }

    public ClientOptions withMaxPerTarget(int limit) {
        return new ClientOptions(
                limit, maxTargets, connectLimit, totalLimit, idleLimit, maxHeadBytes, maxHeaders, maxBodyBytes);
    }

    public ClientOptions withConnectLimit(Duration limit) {
        return new ClientOptions(
                maxPerTarget, maxTargets, limit, totalLimit, idleLimit, maxHeadBytes, maxHeaders, maxBodyBytes);
    }

    public ClientOptions withTotalLimit(Duration limit) {
        return new ClientOptions(
                maxPerTarget, maxTargets, connectLimit, limit, idleLimit, maxHeadBytes, maxHeaders, maxBodyBytes);
    }

    public ClientOptions withIdleLimit(Duration limit) {
        return new ClientOptions(
                maxPerTarget, maxTargets, connectLimit, totalLimit, limit, maxHeadBytes, maxHeaders, maxBodyBytes);
    }

    public ClientOptions withMaxBodyBytes(int limit) {
        return new ClientOptions(
                maxPerTarget, maxTargets, connectLimit, totalLimit, idleLimit, maxHeadBytes, maxHeaders, limit);
    }
}
