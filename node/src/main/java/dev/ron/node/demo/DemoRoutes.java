package dev.ron.node.demo;

import dev.ron.gateway.config.GatewayConfig;
import dev.ron.gateway.config.RouteConfig;
import dev.ron.gateway.config.UpstreamConfig;
import java.net.URI;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The gateway's way to the demo application: {@code /demo/**} with the prefix taken away, for who shows the demo's token.
 *
 * <p>{@code /demo/slow} goes the same way through an upstream of its own that takes eight at once, which is what the demo
 * application's workers can do: the place to watch two tenants share.
 */
public final class DemoRoutes {
    private static final String NAME = "demo";
    private static final String SLOW = "demo-slow";
    private static final List<String> METHODS = List.of("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE");
    private static final List<String> READS = List.of("GET", "HEAD", "OPTIONS");
    private static final Duration POLL_IDLE = Duration.ofSeconds(35); // longer than a long poll of the head
    private static final Duration STREAM_IDLE = Duration.ofSeconds(30); // longer than the heartbeat of /sse
    private static final Map<String, Integer> QUANTA = Map.of("acme", 2, "globex", 1);

    private DemoRoutes() {}

    /** The configuration with the demo's routes, upstreams and tenants, where it has none of these names. */
    public static GatewayConfig added(GatewayConfig config, String host, int port) {
        URI app = URI.create("http://" + authority(host) + ":" + port);
        Map<String, RouteConfig> routes = new LinkedHashMap<>(config.routes());
        routes.putIfAbsent(NAME, route("/demo/**", NAME));
        routes.putIfAbsent(SLOW, route("/demo/slow", SLOW));
        Map<String, UpstreamConfig> upstreams = new LinkedHashMap<>(config.upstreams());
        upstreams.putIfAbsent(NAME, UpstreamConfig.of(app).withInflight(256).withHealth("/readyz"));
        upstreams.putIfAbsent(SLOW, UpstreamConfig.of(app).withInflight(8).withHealth("/readyz"));
        Map<String, Integer> quanta = new LinkedHashMap<>(QUANTA);
        quanta.putAll(config.drr().tenantQuanta());
        return config.with(routes, upstreams).withQuanta(quanta);
    }

    /** The configuration with a way to read the registry; who writes talks to the registry itself. */
    public static GatewayConfig registryAdded(GatewayConfig config, String host, int port) {
        return added(
                config, "registry", RouteConfig.of("/registry/**", "registry").withStreamIdle(POLL_IDLE), host, port);
    }

    /** The configuration with a way to the edge as it is, {@code /edge/**}. */
    public static GatewayConfig edgeAdded(GatewayConfig config, String host, int port) {
        return added(config, "edge", RouteConfig.of("/edge/**", "edge"), host, port);
    }

    private static GatewayConfig added(GatewayConfig config, String name, RouteConfig route, String host, int port) {
        Map<String, RouteConfig> routes = new LinkedHashMap<>(config.routes());
        routes.putIfAbsent(name, route.withMethods(READS));
        Map<String, UpstreamConfig> upstreams = new LinkedHashMap<>(config.upstreams());
        upstreams.putIfAbsent(name, UpstreamConfig.of(URI.create("http://" + authority(host) + ":" + port)));
        return config.with(routes, upstreams);
    }

    private static String authority(String host) {
        return host.contains(":") ? "[" + host + "]" : host;
    }

    private static RouteConfig route(String path, String upstream) {
        return RouteConfig.of(path, upstream)
                .withMethods(METHODS)
                .withStripped("/demo")
                .withStreamIdle(STREAM_IDLE)
                .withUpgrade(List.of("websocket"))
                .withAuth(RouteConfig.Auth.REQUIRED);
    }
}
