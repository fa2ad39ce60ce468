package dev.ron.edge.serve;

import dev.ron.http.message.Headers;
import dev.ron.http.message.Response;
import dev.ron.http.server.StreamHandler;

/**
 * What lets pages of other sites read the answers: everyone may, without credentials.
 *
 * <p>The fields are on every answer, errors included: a map that cannot see a 404 takes it for a broken connection.
 */
public final class Cors {
    /** What a page's own conditional request needs, and so a 304 too. */
    static final String ORIGIN = "Access-Control-Allow-Origin";

    /** On every answer of the listener but a 304. */
    public static final Headers EVERYWHERE = Headers.of(
            ORIGIN,
            "*",
            "Access-Control-Expose-Headers",
            "ETag, Content-Range, Content-Encoding, Accept-Ranges, Age, Cache-Status, Retry-After, X-Corr-ID",
            "X-Content-Type-Options",
            "nosniff",
            "Referrer-Policy",
            "no-referrer");

    /** The same where the listener speaks TLS: browsers shall come back that way only. */
    public static final Headers WITH_HSTS = EVERYWHERE.toBuilder()
            .add("Strict-Transport-Security", "max-age=31536000")
            .build();

    private static final Response PREFLIGHT = Response.of(
            204,
            Headers.of(
                    "Access-Control-Allow-Methods",
                    "GET, HEAD, OPTIONS",
                    "Access-Control-Allow-Headers",
                    "Range, If-Match, If-None-Match, If-Modified-Since, If-Unmodified-Since, If-Range, Prefer, X-Corr-ID",
                    "Access-Control-Max-Age",
                    "600",
                    "Allow",
                    "GET, HEAD, OPTIONS"),
            new byte[0]);

    private Cors() {}

    /** Answers OPTIONS and leaves the rest to the handler. */
    public static StreamHandler preflight(StreamHandler handler) {
        return exchange -> {
            if (exchange.method().equals("OPTIONS")) {
                exchange.respond(PREFLIGHT);
            } else {
                handler.handle(exchange);
            }
        };
    }
}
