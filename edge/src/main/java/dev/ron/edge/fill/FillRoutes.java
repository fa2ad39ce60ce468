package dev.ron.edge.fill;

import dev.ron.edge.config.FillRouteConfig;
import dev.ron.http.client.Target;
import dev.ron.kernel.error.Code;
import dev.ron.kernel.error.RonException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** From a path under /edge/assets/ to an origin; the longest prefix wins. */
public final class FillRoutes {
    private static final Pattern QUERY = Pattern.compile("(?:[A-Za-z0-9._~!$'()*+,;=:@/?-]|%[0-9A-Fa-f]{2})*+");

    private final List<FillRouteConfig> routes;

    public FillRoutes(Collection<FillRouteConfig> configured) {
        routes = configured.stream()
                .sorted(Comparator.comparingInt(
                                (FillRouteConfig route) -> -route.prefix().length())
                        .thenComparing(FillRouteConfig::prefix))
                .toList();
    }

    public boolean isEmpty() {
        return routes.isEmpty();
    }

    /**
     * The object a request means. Of its query only what the route lists is passed on, sorted, so that one object has
     * one key; of its fields nothing is.
     *
     * @param escapedPath below /edge/assets/, normal and still escaped
     */
    public Optional<AssetKey> key(String escapedPath, String query) {
        for (FillRouteConfig route : routes) {
            if (escapedPath.startsWith(route.prefix())
                    && escapedPath.length() > route.prefix().length()) {
                String path = route.base().getRawPath()
                        + escapedPath.substring(route.prefix().length());
                String kept = kept(route, query);
                Target origin = Target.of(route.base().toString());
                return Optional.of(new AssetKey(route, origin, kept.isEmpty() ? path : path + "?" + kept));
            }
        }
        return Optional.empty();
    }

    private static String kept(FillRouteConfig route, String query) {
        if (route.query().isEmpty() || query.isEmpty()) {
            return "";
        }
        List<String> kept = new ArrayList<>();
        for (String pair : query.split("&", -1)) {
            if (route.query().contains(name(pair))) {
                if (!QUERY.matcher(pair).matches()) {
                    throw new RonException(
                            Code.BAD_REQUEST, "bad_request", "the query (expected: what RFC 3986 allows in one)");
                }
                kept.add(pair);
            }
        }
        kept.sort(Comparator.comparing(FillRoutes::name)); // those of one name stay in their order
        return String.join("&", kept);
    }

    private static String name(String pair) {
        int equals = pair.indexOf('=');
        return equals < 0 ? pair : pair.substring(0, equals);
    }
}
