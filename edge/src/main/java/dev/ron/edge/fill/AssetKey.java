package dev.ron.edge.fill;

import dev.ron.edge.config.FillRouteConfig;
import dev.ron.http.client.Target;

/** One object of one origin: the route that leads there, where it is, and the path and query to ask for. */
public record AssetKey(FillRouteConfig route, Target origin, String target) {

    /** As it is told in logs and answers. */
    @Override
    public String toString() {
        return origin + target;
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
