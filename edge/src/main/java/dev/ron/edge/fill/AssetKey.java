package dev.ron.edge.fill;

import dev.ron.edge.config.FillRouteConfig;
import dev.ron.http.client.Target;
import java.util.regex.Pattern;

/** One object of one origin: the route that leads there, where it is, and the path and query to ask for. */
public record AssetKey(FillRouteConfig route, Target origin, String target) {
    private static final Pattern VALUE = Pattern.compile("([?&][^=&]*)=[^&]*");

    /** What it is kept and purged under. */
    String name() {
        return origin + target;
    }

    /** As it is told in logs and answers: without the values of the query, of which one may be a secret. */
    @Override
    public String toString() {
        int query = target.indexOf('?');
        return query < 0
                ? name()
                : origin
                        + target.substring(0, query)
                        + VALUE.matcher(target.substring(query)).replaceAll("$1=*");
    }

    /** The route is a consequence of the rest. */
    @Override
    public boolean equals(Object other) {
        return other instanceof AssetKey key && target.equals(key.target) && origin.equals(key.origin);
    }

    @Override
    public int hashCode() {
        return target.hashCode() * 31 + origin.hashCode();
    }
}
