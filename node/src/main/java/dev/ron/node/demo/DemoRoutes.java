package dev.ron.node.demo;

import dev.ron.gateway.config.GatewayConfig;
import dev.ron.gateway.config.RouteConfig;
import dev.ron.gateway.config.UpstreamConfig;
import dev.ron.service.config.ConfigLoader;
import dev.ron.service.config.Section;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
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

    private static final List<String> READS = List.of("GET", "HEAD", "OPTIONS");
    private static final List<String> CALLS = List.of("GET", "HEAD", "OPTIONS", "POST");
    private static final List<String> ALL = List.of("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE");

    private final Map<String, Object> routes = new LinkedHashMap<>();
    private final Map<String, Object> upstreams = new LinkedHashMap<>();

    /** To the demo application. */
    public DemoRoutes(String url, RouteConfig.Auth auth) {
        Map<String, Object> demo = Map.of(
                "path", "/demo/**",
                "upstream", "demo",
                "methods", ALL,
                "strip_prefix", "/demo",
                "stream_idle", "30s", // longer than the heartbeat of /sse
                "upgrade", List.of("websocket"),
                "auth", auth.name().toLowerCase(Locale.ROOT));
        Map<String, Object> slow = new HashMap<>(demo);
        slow.putAll(Map.of("path", "/demo/slow", "upstream", "demo-slow"));
        routes.put("demo", demo);
        routes.put("demo-slow", slow);
        upstreams.put("demo", application(url, 256));
        upstreams.put("demo-slow", application(url, 8));
    }

    private static Map<String, Object> application(String url, long places) {
        return Map.of("targets", targets(url), "max_inflight", places, "health", Map.of("path", "/readyz"));
    }

    private static List<?> targets(String url) {
        return List.of(Map.of("url", url));
    }

    /** And a way to the registry: to write, a token must be good here and there. */
    public DemoRoutes registry(String url, Optional<Path> roots) {
        // longer than a long poll of the head
        Map<String, Object> route = Map.of("path", "/registry/**", "methods", CALLS, "stream_idle", "35s");
        routes.put("registry", to("registry", route));
        return office("registry", url, roots);
    }

    /** And a way to the edge as it is, {@code /edge/**}. */
    public DemoRoutes edge(String url, Optional<Path> roots) {
        routes.put("edge", to("edge", Map.of("path", "/edge/**", "methods", READS)));
        upstreams.put("edge", behind(url, roots));
        return this;
    }

    /** And a way to the passport office, which asks its callers itself for their keys, and to its public keys. */
    public DemoRoutes passport(String url, Optional<Path> roots) {
        routes.put("passport", to("passport", Map.of("path", "/v1/passport/**", "methods", CALLS, "auth", "none")));
        routes.put("keys", to("passport", Map.of("path", "/.well-known/jwks.json", "methods", READS, "auth", "none")));
        return office("passport", url, roots);
    }

    private static Map<String, Object> to(String upstream, Map<String, Object> more) {
        Map<String, Object> route = new HashMap<>(more);
        route.put("upstream", upstream);
        return route;
    }

    private static Map<String, Object> behind(String url, Optional<Path> roots) {
        Map<String, Object> upstream = new HashMap<>(Map.of("targets", targets(url)));
        roots.ifPresent(file -> upstream.put("ca_path", file.toString()));
        return upstream;
    }

    /** One that asks for credentials of its own. */
    private DemoRoutes office(String name, String url, Optional<Path> roots) {
        Map<String, Object> upstream = behind(url, roots);
        upstream.put("forward_authorization", true);
        upstreams.put(name, upstream);
        return this;
    }

    /** The configuration with these routes, upstreams and tenants, where it has none of their names. */
    public GatewayConfig addedTo(GatewayConfig config) {
        GatewayConfig ours = ConfigLoader.builtIn(
                GATEWAY,
                Map.of(
                        "routes", routes,
                        "upstreams", upstreams,
                        "drr", Map.of("tenant_quanta", Map.of("acme", 2L, "globex", 1L))));
        Map<String, RouteConfig> allRoutes = new LinkedHashMap<>(config.routes());
        ours.routes().forEach(allRoutes::putIfAbsent);
        Map<String, UpstreamConfig> allUpstreams = new LinkedHashMap<>(config.upstreams());
        ours.upstreams().forEach(allUpstreams::putIfAbsent);
        Map<String, Integer> quanta = new LinkedHashMap<>(ours.drr().tenantQuanta());
        quanta.putAll(config.drr().tenantQuanta());
        return config.with(allRoutes, allUpstreams, quanta);
    }
}
