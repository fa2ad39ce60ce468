package dev.ron.gateway;

import dev.ron.gateway.config.GatewayConfig;
import dev.ron.gateway.config.RouteConfig;
import dev.ron.gateway.config.UpstreamConfig;
import dev.ron.gateway.fields.Via;
import dev.ron.gateway.proxy.ProxyHandler;
import dev.ron.gateway.upstream.AllowedAddresses;
import dev.ron.gateway.upstream.Keeper;
import dev.ron.gateway.upstream.Upstream;
import dev.ron.gateway.upstream.UpstreamTarget;
import dev.ron.gateway.upstream.Upstreams;
import dev.ron.http.client.Addresses;
import dev.ron.http.client.SystemAddresses;
import dev.ron.http.client.stream.StreamClient;
import dev.ron.http.guard.Guard;
import dev.ron.http.guard.InflightGuard;
import dev.ron.http.guard.RateGuard;
import dev.ron.http.loop.EventLoops;
import dev.ron.http.server.HostConfig;
import dev.ron.http.server.HttpHost;
import dev.ron.http.server.Routes;
import dev.ron.kernel.Kernel;
import dev.ron.kernel.flow.TokenBucket;
import dev.ron.kernel.topology.Topology;
import dev.ron.service.lifecycle.RonService;
import dev.ron.service.lifecycle.ServiceContext;
import dev.ron.service.log.AccessLines;
import dev.ron.service.metrics.HttpMetrics;
import dev.ron.service.metrics.ServiceMetrics;
import dev.ron.service.tls.ServiceTls;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.ToIntFunction;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** svc-gateway; {@link #start} is its whole runtime: upstreams, their keepers, the proxy, the listener. */
public final class GatewayService implements RonService {
    private final EventLoops loops;
    private final String bind;
    private final int port;
    private final UnaryOperator<GatewayConfig> adjust;
    private @Nullable HttpHost host;
    private @Nullable Upstreams upstreams;

    /** @param adjust adds to the configuration what only the process knows, such as the demo's routes */
    public GatewayService(EventLoops loops, String bind, int port, UnaryOperator<GatewayConfig> adjust) {
        this.loops = loops;
        this.bind = bind;
        this.port = port;
        this.adjust = adjust;
    }

    @Override
    public String name() {
        return "gateway";
    }

    @Override
    public Topology topology() {
        return GatewayTopology.TOPOLOGY;
    }

    @Override
    public void start(ServiceContext context) {
        GatewayConfig config = adjust.apply(context.config(GatewayConfig.class));
        Kernel kernel = context.kernel();
        Upstreams all = upstreams(config, context);
        upstreams = all;
        meters(context.metrics(), all);
        Addresses addresses = new AllowedAddresses(new SystemAddresses(kernel.lane(GatewayTopology.NAMES)));
        var keepers = kernel.kind(GatewayTopology.PROBE);
        for (Upstream upstream : all.all()) {
            Keeper keeper = new Keeper(upstream, addresses, loops, context.clock());
            keeper.start();
            keepers.spawn(keeper::run);
        }

        ProxyHandler proxy = new ProxyHandler(
                config,
                via(config),
                all,
                context.metrics(),
                () -> !context.shutdown().running());
        HostConfig limits = limits(config);
        Routes routes = new Routes(limits, guards(config, kernel)).add(RouteConfig.METHODS, "/**", proxy);
        context.addProbes(routes);
        HttpHost started = HttpHost.builder(kernel, loops, GatewayTopology.HOST)
                .config(limits)
                .meter(new HttpMetrics(context.metrics()))
                .accessLog(new AccessLines(context.clock()))
                .tls(ServiceTls.of(
                        context, next -> next.section(GatewayConfig.class).tls()))
                .bind(bind, port, routes.build());
        started.attach(context.shutdown());
        HttpMetrics.inflight(context.metrics(), started::inflight);
        context.listensAt(bind + ":" + started.port());
        host = started;
    }

    private Upstreams upstreams(GatewayConfig config, ServiceContext context) {
        StreamClient client = new StreamClient(loops, Optional.empty());
        Map<String, Upstream> byId = new LinkedHashMap<>();
        for (Map.Entry<String, UpstreamConfig> one : config.upstreams().entrySet()) {
            byId.put(
                    one.getKey(),
                    new Upstream(
                            one.getKey(),
                            one.getValue(),
                            config.breaker(),
                            client,
                            context.clock(),
                            context.metrics()));
        }
        return new Upstreams(byId);
    }

    private static Via via(GatewayConfig config) {
        String random =
                "ron-" + HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextInt());
        return new Via(config.instance().isEmpty() ? random : config.instance());
    }

    private static Guard[] guards(GatewayConfig config, Kernel kernel) {
        List<Guard> guards = new ArrayList<>();
        int rps = config.drr().rateLimitRps();
        if (rps > 0) {
            TokenBucket bucket = new TokenBucket(kernel.clock(), rps, Math.max(1, rps / 10.0));
            guards.add(new RateGuard(bucket, "gateway.drr.rate_limit_rps"));
        }
        guards.add(new InflightGuard(kernel.permits(GatewayTopology.HOST.inflight(), config.maxInflight())));
        return guards.toArray(Guard[]::new);
    }

    private static HostConfig limits(GatewayConfig config) {
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
                .withHosts(java.util.Set.copyOf(config.hosts().allow()));
    }

    private static void meters(ServiceMetrics metrics, Upstreams all) {
        metrics.gaugesBy(
                "gateway_upstream_healthy",
                "Whether a target is chosen.",
                List.of("upstream", "target"),
                () -> byTarget(all, target -> target.healthy() ? 1 : 0));
        metrics.gaugesBy(
                "gateway_pool_connections",
                "Open connections to a target.",
                List.of("upstream", "target"),
                () -> byTarget(
                        all,
                        target -> target.endpoints().stream()
                                .mapToInt(endpoint -> endpoint.connectionCount())
                                .sum()));
        metrics.gauges("circuit_state", "0 closed, 1 half-open, 2 open.", "endpoint", () -> {
            Map<String, Integer> states = new LinkedHashMap<>();
            byTarget(all, UpstreamTarget::circuit)
                    .forEach((labels, state) -> states.put(String.join("/", labels), state));
            return states;
        });
    }

    private static Map<List<String>, Integer> byTarget(Upstreams all, ToIntFunction<UpstreamTarget> value) {
        Map<List<String>, Integer> values = new LinkedHashMap<>();
        for (Upstream upstream : all.all()) {
            for (UpstreamTarget target : upstream.targets()) {
                values.put(List.of(upstream.id(), target.target().authority()), value.applyAsInt(target));
            }
        }
        return values;
    }

    @Override
    public Map<String, Object> statusData() {
        Upstreams all = upstreams;
        if (all == null) {
            return Map.of();
        }
        List<Map<String, Object>> shown = new ArrayList<>();
        for (Upstream upstream : all.all()) {
            shown.add(Map.of(
                    "id",
                    upstream.id(),
                    "inflight",
                    upstream.slots().inUse(),
                    "targets",
                    upstream.targets().stream()
                            .map(target -> Map.of(
                                    "url",
                                    target.target().toString(),
                                    "healthy",
                                    target.healthy(),
                                    "circuit",
                                    target.circuit()))
                            .toList()));
        }
        return Map.of("upstreams", shown);
    }

    /** The port in use; 0 before the start. */
    public int port() {
        return host == null ? 0 : host.port();
    }

    /** Requests in hand. */
    public int inflight() {
        return host == null ? 0 : host.inflight();
    }
}
