package dev.ron.gateway.route;

import dev.ron.gateway.config.RouteConfig;
import dev.ron.http.message.Headers;
import java.time.Duration;
import java.util.Map;

/** A route, ready to be asked: the conditions beyond host, path and method, and how the path goes on. */
public final class GatewayRoute {
    private final String id;
    private final RouteConfig config;
    private final Map<String, String> conditions;
    private final String strip;
    private final String rewrite;

    GatewayRoute(String id, RouteConfig config) {
        this.id = id;
        this.config = config;
        this.conditions = config.headers();
        this.strip = config.stripPrefix().map(GatewayRoute::withoutSlash).orElse("");
        this.rewrite = config.rewrite().map(GatewayRoute::withoutSlash).orElse("");
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
