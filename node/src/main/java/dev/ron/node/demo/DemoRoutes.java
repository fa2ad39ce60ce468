package dev.ron.node.demo;

import dev.ron.gateway.config.GatewayConfig;
import dev.ron.gateway.config.RouteConfig;
import dev.ron.gateway.config.UpstreamConfig;
import java.net.URI;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The gateway's way to the demo application: {@code /demo/**}, with the prefix taken away. */
public final class DemoRoutes {
    private static final String NAME = "demo";
    private static final List<String> METHODS = List.of("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE");

    private DemoRoutes() {}

    /** The configuration with the demo's route and upstream, where it has none of that name. */
    public static GatewayConfig added(GatewayConfig config, String host, int port) {
        Map<String, RouteConfig> routes = new LinkedHashMap<>(config.routes());
        routes.putIfAbsent(NAME, route());
        Map<String, UpstreamConfig> upstreams = new LinkedHashMap<>(config.upstreams());
        upstreams.putIfAbsent(NAME, upstream(URI.create("http://" + authority(host) + ":" + port)));
        return config.with(routes, upstreams);
    }

    /** The configuration with a way to the registry as it is, {@code /registry/**}. */
    public static GatewayConfig registryAdded(GatewayConfig config, String host, int port) {
        Map<String, RouteConfig> routes = new LinkedHashMap<>(config.routes());
        routes.putIfAbsent("registry", registryRoute());
        Map<String, UpstreamConfig> upstreams = new LinkedHashMap<>(config.upstreams());
        upstreams.putIfAbsent("registry", upstream(URI.create("http://" + authority(host) + ":" + port)));
        return config.with(routes, upstreams);
    }

    private static RouteConfig registryRoute() {
        return new RouteConfig(
                List.of(),
                "/registry/**",
                METHODS,
                Map.of(),
                "registry",
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Duration.ofSeconds(35), // longer than a long poll of the head
                Optional.empty());
    }

    private static String authority(String host) {
        return host.contains(":") ? "[" + host + "]" : host;
    }

    private static RouteConfig route() {
        return new RouteConfig(
                List.of(),
                "/demo/**",
                METHODS,
                Map.of(),
                NAME,
                Optional.of("/demo"),
                Optional.empty(),
                Optional.empty(),
                Duration.ofSeconds(30), // longer than the heartbeat of /sse
                Optional.empty());
    }

    private static UpstreamConfig upstream(URI url) {
        return new UpstreamConfig(
                List.of(new UpstreamConfig.TargetConfig(url, 1)),
                512,
                Duration.ofSeconds(1),
                512,
                128,
                Duration.ofSeconds(30),
                Duration.ofSeconds(10),
                false,
                new UpstreamConfig.Health(Optional.of("/readyz"), Duration.ofSeconds(2), Duration.ofSeconds(1), 3, 2));
    }
}
