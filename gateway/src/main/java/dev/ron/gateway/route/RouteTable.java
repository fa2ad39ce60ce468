package dev.ron.gateway.route;

import dev.ron.gateway.config.RouteConfig;
import dev.ron.http.message.Headers;
import dev.ron.http.route.Match;
import dev.ron.http.route.Router;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * All routes of a configuration; immutable, replaced whole.
 *
 * <p>The host decides first (exact, then the longest suffix, then routes for every host), then the path, the method, and
 * of several routes for the same the first whose header conditions fit. A host that has no route for a path falls back
 * to the less specific ones.
 */
public final class RouteTable {
    private final Map<String, Router<List<GatewayRoute>>> exact = new HashMap<>();
    private final List<Suffix> suffixes = new ArrayList<>();
    private final @Nullable Router<List<GatewayRoute>> any;
    private final List<GatewayRoute> all;

    private record Suffix(String end, Router<List<GatewayRoute>> router) {}

    /** What was found. */
    public sealed interface Result {
        record Found(GatewayRoute route) implements Result {}

        record WrongMethod(String allow) implements Result {}

        record NoRoute() implements Result {}
    }

    private static final Result NO_ROUTE = new Result.NoRoute();

    private RouteTable(List<GatewayRoute> all, Map<String, Map<Place, List<GatewayRoute>>> byHost) {
        this.all = all;
        Router<List<GatewayRoute>> everyHost = null;
        for (Map.Entry<String, Map<Place, List<GatewayRoute>>> host : byHost.entrySet()) {
            Router<List<GatewayRoute>> router = router(host.getValue());
            if (host.getKey().isEmpty()) {
                everyHost = router;
            } else if (host.getKey().startsWith("*.")) {
                suffixes.add(new Suffix(host.getKey().substring(1), router));
            } else {
                exact.put(host.getKey(), router);
            }
        }
        any = everyHost;
        suffixes.sort(Comparator.comparingInt((Suffix suffix) -> suffix.end().length())
                .reversed());
    }

    private record Place(String template, String method) {}

    /** The table of these routes; two that fit the same are an {@link IllegalArgumentException}. */
    public static RouteTable of(Map<String, RouteConfig> routes) {
        Map<String, Map<Place, List<GatewayRoute>>> byHost = new LinkedHashMap<>();
        List<GatewayRoute> all = new ArrayList<>();
        routes.forEach((id, config) -> {
            GatewayRoute route = new GatewayRoute(id, config);
            all.add(route);
            List<String> hosts = config.hosts().isEmpty() ? List.of("") : config.hosts();
            for (String host : hosts) {
                Map<Place, List<GatewayRoute>> places =
                        byHost.computeIfAbsent(host.toLowerCase(Locale.ROOT), key -> new LinkedHashMap<>());
                for (String method : config.methods()) {
                    places.computeIfAbsent(new Place(config.path(), method), key -> new ArrayList<>())
                            .add(route);
                }
            }
        });
        return new RouteTable(List.copyOf(all), byHost);
    }

    /** Every route, in the order of the configuration. */
    public List<GatewayRoute> all() {
        return all;
    }

    private static Router<List<GatewayRoute>> router(Map<Place, List<GatewayRoute>> places) {
        Router.Builder<List<GatewayRoute>> builder = Router.builder();
        places.forEach((place, routes) -> {
            if (routes.stream().filter(route -> !route.conditional()).count() > 1) {
                throw new IllegalArgumentException("routes " + routes + " fit the same requests");
            }
            List<GatewayRoute> inOrder = new ArrayList<>(routes);
            inOrder.sort(Comparator.comparing(route -> !route.conditional())); // stable: file order within
            builder.add(place.method(), place.template(), List.copyOf(inOrder));
        });
        return builder.build();
    }

    /** Finds the route of a request whose path is in normal form. */
    public Result find(String method, String path, Headers headers) {
        if (exact.isEmpty() && suffixes.isEmpty()) {
            return any == null ? NO_ROUTE : find(any, method, path, headers);
        }
        String host = host(headers);
        Result best = NO_ROUTE;
        Router<List<GatewayRoute>> own = exact.get(host);
        if (own != null) {
            best = better(best, find(own, method, path, headers));
        }
        for (Suffix suffix : suffixes) {
            if (!(best instanceof Result.Found) && host.endsWith(suffix.end())) {
                best = better(best, find(suffix.router(), method, path, headers));
            }
        }
        if (!(best instanceof Result.Found) && any != null) {
            best = better(best, find(any, method, path, headers));
        }
        return best;
    }

    private static Result better(Result before, Result now) {
        return now instanceof Result.NoRoute
                ? before
                : now instanceof Result.Found || before instanceof Result.NoRoute ? now : before;
    }

    private static Result find(Router<List<GatewayRoute>> router, String method, String path, Headers headers) {
        return switch (router.find(method, path)) {
            case Match.Found<List<GatewayRoute>> found -> fitting(found.handler(), headers);
            case Match.WrongMethod<List<GatewayRoute>>(String allow) -> new Result.WrongMethod(allow);
            case Match.NoRoute<List<GatewayRoute>> _ -> NO_ROUTE;
        };
    }

    private static Result fitting(List<GatewayRoute> routes, Headers headers) {
        for (int i = 0; i < routes.size(); i++) {
            if (routes.get(i).fits(headers)) {
                return new Result.Found(routes.get(i));
            }
        }
        return NO_ROUTE;
    }

    /** The host of the request without port, in lower case. */
    private static String host(Headers headers) {
        String authority = headers.first("Host").orElse("");
        int bracket = authority.lastIndexOf(']');
        int colon = authority.indexOf(':', Math.max(0, bracket));
        return (colon < 0 ? authority : authority.substring(0, colon)).toLowerCase(Locale.ROOT);
    }
}
