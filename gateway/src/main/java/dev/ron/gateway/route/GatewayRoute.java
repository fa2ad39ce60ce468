package dev.ron.gateway.route;

import dev.ron.gateway.arbiter.TenantKey;
import dev.ron.gateway.config.RouteConfig;
import dev.ron.http.message.Headers;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A route, ready to be asked: the conditions beyond host, path and method, and how the path goes on. */
public final class GatewayRoute {
    private static final Set<String> READS = Set.of("GET", "HEAD", "OPTIONS");
    private static final String STATIC = "static:";
    private static final String HEADER = "header:";

    private final String id;
    private final RouteConfig config;
    private final Map<String, String> conditions;
    private final String strip;
    private final String rewrite;
    private final @Nullable TenantKey staticTenant;
    private final String tenantHeader;

    GatewayRoute(String id, RouteConfig config) {
        this.id = id;
        this.config = config;
        this.conditions = config.headers();
        this.strip = config.stripPrefix().map(GatewayRoute::withoutSlash).orElse("");
        this.rewrite = config.rewrite().map(GatewayRoute::withoutSlash).orElse("");
        this.staticTenant = config.tenant().startsWith(STATIC)
                ? new TenantKey("", config.tenant().substring(STATIC.length()))
                : null;
        this.tenantHeader = config.tenant().startsWith(HEADER) ? config.tenant().substring(HEADER.length()) : "";
    }

    private static String withoutSlash(String path) {
        return path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
    }

    public String id() {
        return id;
    }

    public String upstream() {
        return config.upstream();
    }

    public RouteConfig config() {
        return config;
    }

    /** Whether nobody may send this without a token. */
    public boolean needsToken(String method) {
        return switch (config.auth()) {
            case NONE -> false;
            case MUTATIONS -> !READS.contains(method);
            case REQUIRED -> true;
        };
    }

    /** Whether a token that is shown must be a good one. */
    public boolean asksForTokens() {
        return config.auth() != RouteConfig.Auth.NONE;
    }

    public boolean tenantFromToken() {
        return staticTenant == null && tenantHeader.isEmpty();
    }

    public @Nullable TenantKey staticTenant() {
        return staticTenant;
    }

    /** The field in which a trusted peer names the tenant; empty where none does. */
    public String tenantHeader() {
        return tenantHeader;
    }

    /** Whether it goes on while writes are shed. */
    public boolean reads(String method) {
        return switch (config.priority()) {
            case AUTO -> READS.contains(method);
            case READ -> true;
            case WRITE -> false;
        };
    }

    /** The longest a caller waits for the head of its answer. */
    public Duration timeout(Duration standard) {
        return config.timeout().orElse(standard);
    }

    public Duration streamIdle() {
        return config.streamIdle();
    }

    public long maxBodyBytes(long standard) {
        return config.maxBodyBytes().map(bytes -> bytes.count()).orElse(standard);
    }

    boolean conditional() {
        return !conditions.isEmpty();
    }

    boolean fits(Headers headers) {
        for (Map.Entry<String, String> condition : conditions.entrySet()) {
            int at = headers.indexOf(condition.getKey(), 0);
            boolean fits = at >= 0
                    && (condition.getValue().equals("*") || headers.value(at).equals(condition.getValue()));
            if (!fits) {
                return false;
            }
        }
        return true;
    }

    /** The request target for the upstream: the matched path with its prefix exchanged, and the query as sent. */
    public String target(String normalPath, String query) {
        String path = normalPath;
        if (!strip.isEmpty() && path.startsWith(strip)) {
            boolean whole = path.length() == strip.length();
            if (whole || path.charAt(strip.length()) == '/') {
                path = whole ? "/" : path.substring(strip.length());
            }
        }
        if (!rewrite.isEmpty()) {
            path = rewrite + path;
        }
        return query.isEmpty() ? path : path + "?" + query;
    }

    @Override
    public String toString() {
        return id;
    }
}
