package dev.ron.node.demo;

import dev.ron.gateway.config.GatewayConfig;
import dev.ron.gateway.config.RouteConfig;
import dev.ron.gateway.config.UpstreamConfig;
import dev.ron.service.config.ConfigLoader;
import dev.ron.service.config.Section;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * The gateway's way to the demo application: {@code /demo/**} with the prefix taken away, for who shows the demo's token.
 *
 * <p>{@code /demo/slow} goes the same way through an upstream of its own that takes eight at once, which is what the demo
 * application's workers can do: the place to watch two tenants share. All of it is configuration as anyone could write it.
 */
public final class DemoRoutes {
    private static final Section<GatewayConfig> GATEWAY = Section.of("gateway", GatewayConfig.class);

    // stream_idle is longer than the heartbeat of /sse
    private static final String DEMO = """
            [gateway.routes.demo]
            path = "/demo/**"
            upstream = "demo"
            methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"]
            strip_prefix = "/demo"
            stream_idle = "30s"
            upgrade = ["websocket"]
            auth = "%2$s"
            [gateway.routes.demo-slow]
            path = "/demo/slow"
            upstream = "demo-slow"
            methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"]
            strip_prefix = "/demo"
            stream_idle = "30s"
            upgrade = ["websocket"]
            auth = "%2$s"
            [gateway.upstreams.demo]
            targets = [ { url = "%1$s" } ]
            max_inflight = 256
            health = { path = "/readyz" }
            [gateway.upstreams.demo-slow]
            targets = [ { url = "%1$s" } ]
            max_inflight = 8
            health = { path = "/readyz" }
            [gateway.drr.tenant_quanta]
            acme = 2
            globex = 1
            """;

    // stream_idle is longer than a long poll of the head
    private static final String REGISTRY = """
            [gateway.routes.registry]
            path = "/registry/**"
            upstream = "registry"
            methods = ["GET", "HEAD", "OPTIONS"]
            stream_idle = "35s"
            [gateway.upstreams.registry]
            targets = [ { url = "%s" } ]
            """;

    private static final String EDGE = """
            [gateway.routes.edge]
            path = "/edge/**"
            upstream = "edge"
            methods = ["GET", "HEAD", "OPTIONS"]
            [gateway.upstreams.edge]
            targets = [ { url = "%s" } ]
            """;

    private DemoRoutes() {}

    /** The configuration with the demo's routes, upstreams and tenants, where it has none of these names. */
    public static GatewayConfig added(GatewayConfig config, String url, RouteConfig.Auth auth) {
        return added(config, DEMO.replace("%2$s", auth.name().toLowerCase(Locale.ROOT)), url);
    }

    /** The configuration with a way to read the registry; who writes talks to the registry itself. */
    public static GatewayConfig registryAdded(GatewayConfig config, String url, Optional<Path> roots) {
        return added(config, REGISTRY + checked(roots), url);
    }

    /** The configuration with a way to the edge as it is, {@code /edge/**}. */
    public static GatewayConfig edgeAdded(GatewayConfig config, String url, Optional<Path> roots) {
        return added(config, EDGE + checked(roots), url);
    }

    private static String checked(Optional<Path> roots) {
        return roots.map("ca_path = '%s'%n"::formatted).orElse("");
    }

    private static GatewayConfig added(GatewayConfig config, String toml, String url) {
        GatewayConfig ours = ConfigLoader.builtIn(GATEWAY, toml.formatted(url));
        Map<String, RouteConfig> routes = new LinkedHashMap<>(config.routes());
        ours.routes().forEach(routes::putIfAbsent);
        Map<String, UpstreamConfig> upstreams = new LinkedHashMap<>(config.upstreams());
        ours.upstreams().forEach(upstreams::putIfAbsent);
        Map<String, Integer> quanta = new LinkedHashMap<>(ours.drr().tenantQuanta());
        quanta.putAll(config.drr().tenantQuanta());
        return config.with(routes, upstreams, quanta);
    }
}
