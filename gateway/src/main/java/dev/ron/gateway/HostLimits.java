package dev.ron.gateway;

import dev.ron.gateway.config.GatewayConfig;
import dev.ron.http.guard.Networks;
import dev.ron.http.server.HostConfig;
import java.util.Set;

/** The limits of the listener, from the configuration. */
final class HostLimits {
    private HostLimits() {}

    static HostConfig of(GatewayConfig config) {
        GatewayConfig.Limits limits = config.limits();
        HostConfig standard = HostConfig.DEFAULTS;
        return standard.withConns(config.maxConns(), config.maxConnsPerSource())
                .withHead(new HostConfig.HeadLimits(
                        (int) limits.maxLineBytes().count(),
                        (int) limits.maxHeaderBytes().count(),
                        limits.maxHeaderCount()))
                .withBody(new HostConfig.BodyLimits(
                        limits.maxBodyBytes().count(),
                        limits.decodeRatioMax(),
                        limits.decodeAbsCapBytes().count()))
                .withTimeouts(new HostConfig.Timeouts(
                        config.readTimeout(),
                        config.writeTimeout(),
                        config.idleTimeout(),
                        standard.timeouts().handshake(),
                        (int) limits.minRate().count(),
                        standard.timeouts().paceAfter()))
                .withRequestTimeout(config.requestTimeout())
                .withHosts(Set.copyOf(config.hosts().allow()))
                .withFront(front(config));
    }

    private static HostConfig.Front front(GatewayConfig config) {
        GatewayConfig.Peers peers = config.peers();
        return new HostConfig.Front(
                peers.http2PriorKnowledge(),
                HostConfig.Front.DEFAULTS.bufferBudgetBytes(),
                Networks.of(peers.proxyProtocol()),
                Networks.of(peers.allow()),
                Networks.of(peers.deny()));
    }
}
