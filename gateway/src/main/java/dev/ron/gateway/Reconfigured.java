package dev.ron.gateway;

import dev.ron.gateway.auth.TrustedIssuers;
import dev.ron.gateway.config.GatewayConfig;
import dev.ron.gateway.fields.Via;
import dev.ron.gateway.proxy.ProxyHandler;
import dev.ron.gateway.proxy.ProxyParts;
import dev.ron.gateway.proxy.Shared;
import dev.ron.gateway.upstream.Upstreams;
import dev.ron.gateway.upstream.Yard;
import dev.ron.service.config.Config;
import dev.ron.service.config.ConfigChange;
import dev.ron.service.reload.ConfigSubscriber;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/** Changes routes, upstreams and limits while requests run; each of them keeps the configuration it began with. */
final class Reconfigured implements ConfigSubscriber {
    private final UnaryOperator<GatewayConfig> adjust;
    private final Yard yard;
    private final Via via;
    private final Shared shared;
    private final TrustedIssuers issuers;
    private final ProxyHandler proxy;
    private final Consumer<GatewayConfig> listener;

    /** @param listener takes the limits of the listener */
    Reconfigured(
            UnaryOperator<GatewayConfig> adjust,
            Yard yard,
            Via via,
            Shared shared,
            TrustedIssuers issuers,
            ProxyHandler proxy,
            Consumer<GatewayConfig> listener) {
        this.adjust = adjust;
        this.yard = yard;
        this.via = via;
        this.shared = shared;
        this.issuers = issuers;
        this.proxy = proxy;
        this.listener = listener;
    }

    @Override
    public String name() {
        return "gateway";
    }

    @Override
    public Change prepare(Config next, List<ConfigChange> changes) {
        ProxyParts before = proxy.parts();
        GatewayConfig wanted = adjust.apply(next.section(GatewayConfig.class));
        Issuers.requireFor(wanted, issuers);
        Upstreams upstreams = yard.prepare(wanted, before.upstreams(), before.config());
        ProxyParts parts = new ProxyParts(wanted, via, upstreams, shared);
        return Change.of(() -> change(parts, before), () -> change(before, parts));
    }

    private void change(ProxyParts to, ProxyParts from) {
        if (proxy.parts() == to) {
            return;
        }
        proxy.use(to);
        yard.adopt(to.config(), to.upstreams(), from.upstreams());
        listener.accept(to.config());
    }
}
