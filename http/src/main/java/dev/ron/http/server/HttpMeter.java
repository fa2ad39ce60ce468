package dev.ron.http.server;

/** Where a host reports its answers; the service frame binds it to {@code http_requests_total} and its siblings. */
@FunctionalInterface
public interface HttpMeter {

    /** Resolves the handles of a route once; {@code route} is its template, or {@code none} for what no route took. */
    RouteMeter route(String method, String route);

    /** The handles of one method of one route; called on event loops for every answer. */
    @FunctionalInterface
    interface RouteMeter {
        void answered(int status, long nanos, long bytesIn, long bytesOut);
    }

    /** Counts nothing. */
    static HttpMeter none() {
        return (method, route) -> (status, nanos, bytesIn, bytesOut) -> {};
    }
}
