package dev.ron.http.server;

import dev.ron.http.guard.Networks;
import java.net.InetAddress;
import java.time.Duration;
import java.util.Set;

/**
 * The limits of one listener.
 *
 * @param maxConns open connections
 * @param maxConnsPerSource of these, how many one address may hold
 * @param requestTimeout the longest deadline of a request; callers can only shorten it
 * @param lingerBytes how much is still read after a final answer, and
 * @param linger for how long, so that the answer is not lost to a reset
 * @param hosts the host names that are served; empty serves all
 * @param front who may come and how
 */
public record HostConfig(
        int maxConns,
        int maxConnsPerSource,
        HeadLimits head,
        BodyLimits body,
        Timeouts timeouts,
        Duration requestTimeout,
        int lingerBytes,
        Duration linger,
        Set<String> hosts,
        Front front) {
    private static final int KIB = 1 << 10;
    private static final int MIB = 1 << 20;

    public static final HostConfig DEFAULTS = new HostConfig(
            1024,
            256,
            new HeadLimits(8 * KIB, 16 * KIB, 100),
            new BodyLimits(MIB, 10, 8 * MIB),
            new Timeouts(
                    Duration.ofSeconds(5),
                    Duration.ofSeconds(5),
                    Duration.ofSeconds(60),
                    Duration.ofSeconds(2),
                    KIB,
                    Duration.ofSeconds(5)),
            Duration.ofSeconds(5),
            64 * KIB,
            Duration.ofMillis(500),
            Set.of(),
            Front.DEFAULTS);

    /** Bounds on the head of a request: beyond the first 414, beyond the others 431. */
    public record HeadLimits(int maxLineBytes, int maxHeadBytes, int maxFields) {}

    /** Bounds on a body as sent, and on what it may become when it is decoded. */
    public record BodyLimits(long maxBytes, int maxDecodeRatio, long maxDecodedBytes) {}

    /**
     * How long to wait for the far side.
     *
     * @param read a head from its first byte on, and the gap between two pieces of a body
     * @param write an answer that makes no progress
     * @param idle a connection between two requests
     * @param handshake TLS
     * @param minBytesPerSecond the pace of a body in either direction, demanded once {@code paceAfter} has passed
     */
    public record Timeouts(
            Duration read,
            Duration write,
            Duration idle,
            Duration handshake,
            int minBytesPerSecond,
            Duration paceAfter) {}

    /**
     * Who may come, and in which protocol.
     *
     * @param priorKnowledge takes HTTP/2 also without TLS, from callers that begin with it
     * @param bufferBudgetBytes what bodies of HTTP/2 that wait for their handlers may hold, all callers together
     * @param proxyProtocol peers that say in front of a connection who is behind them
     * @param allow who may connect; empty lets everybody in
     * @param deny who may not, whatever {@code allow} says
     */
    public record Front(
            boolean priorKnowledge, long bufferBudgetBytes, Networks proxyProtocol, Networks allow, Networks deny) {
        public static final Front DEFAULTS = new Front(false, 64L * MIB, Networks.NONE, Networks.NONE, Networks.NONE);

        public Front withPriorKnowledge() {
            return new Front(true, bufferBudgetBytes, proxyProtocol, allow, deny);
        }

        boolean letsIn(InetAddress address) {
            return (allow.isEmpty() || allow.contains(address)) && !deny.contains(address);
        }
    }

    public HostConfig {
        require(maxConns >= 1, "max_conns: " + maxConns + " (expected: at least 1)");
        require(
                maxConnsPerSource >= 1 && maxConnsPerSource <= maxConns,
                "max_conns_per_source: " + maxConnsPerSource + " (expected: 1.." + maxConns + ")");
        require(
                head.maxHeadBytes() >= 256 && head.maxLineBytes() <= head.maxHeadBytes(),
                "max_head_bytes: " + head.maxHeadBytes() + " (expected: at least 256 and the request line)");
        hosts = Set.copyOf(hosts);
    }

    private static void require(boolean good, String otherwise) {
        if (!good) {
            throw new IllegalArgumentException(otherwise);
        }
    }

    public HostConfig withConns(int all, int perSource) {
        return new HostConfig(all, perSource, head, body, timeouts, requestTimeout, lingerBytes, linger, hosts, front);
    }

    public HostConfig withHead(HeadLimits limits) {
        return new HostConfig(
                maxConns, maxConnsPerSource, limits, body, timeouts, requestTimeout, lingerBytes, linger, hosts, front);
    }

    public HostConfig withBody(BodyLimits limits) {
        return new HostConfig(
                maxConns, maxConnsPerSource, head, limits, timeouts, requestTimeout, lingerBytes, linger, hosts, front);
    }

    public HostConfig withTimeouts(Timeouts limits) {
        return new HostConfig(
                maxConns, maxConnsPerSource, head, body, limits, requestTimeout, lingerBytes, linger, hosts, front);
    }

    public HostConfig withRequestTimeout(Duration limit) {
        return new HostConfig(
                maxConns, maxConnsPerSource, head, body, timeouts, limit, lingerBytes, linger, hosts, front);
    }

    public HostConfig withFront(Front who) {
        return new HostConfig(
                maxConns, maxConnsPerSource, head, body, timeouts, requestTimeout, lingerBytes, linger, hosts, who);
    }

    public HostConfig withHosts(Set<String> served) {
        return new HostConfig(
                maxConns, maxConnsPerSource, head, body, timeouts, requestTimeout, lingerBytes, linger, served, front);
    }
}
