package dev.ron.gateway;

import dev.ron.gateway.config.GatewayConfig;
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
                .withHosts(Set.copyOf(config.hosts().allow()));
    }
}
