package dev.ron.http.server;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/** The handles of every method and route, each resolved once. */
final class RouteMeters {
    static final String NO_ROUTE = "none";

    // A made-up method must not become a label: that would be a series per attack.
    private static final Set<String> METHODS = Set.of("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS");

    private final HttpMeter meter;
    private final ConcurrentMap<String, ConcurrentMap<String, HttpMeter.RouteMeter>> byRoute =
            new ConcurrentHashMap<>();

    RouteMeters(HttpMeter meter) {
        this.meter = meter;
    }

    HttpMeter.RouteMeter of(String method, String route) {
        ConcurrentMap<String, HttpMeter.RouteMeter> byMethod = byRoute.get(route);
        if (byMethod == null) {
            byMethod = byRoute.computeIfAbsent(route, key -> new ConcurrentHashMap<>());
        }
        HttpMeter.RouteMeter found = byMethod.get(method);
        if (found != null) {
            return found;
        }
        String label = METHODS.contains(method) ? method : "other";
        return byMethod.computeIfAbsent(label, key -> meter.route(key, route));
    }
}
