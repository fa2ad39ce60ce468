package dev.ron.http.message;

import java.util.Locale;
import java.util.Set;

/** Which fields may follow a body: none that frame, route, authenticate or steer, harmless as they are in a head. */
public final class Trailers {
    private static final Set<String> NEVER = Set.of(
            "transfer-encoding",
            "content-length",
            "host",
            "connection",
            "keep-alive",
            "proxy-connection",
            "te",
            "trailer",
            "upgrade",
            "expect",
            "authorization",
            "proxy-authorization",
            "cookie",
            "set-cookie",
            "content-encoding",
            "content-type",
            "content-range",
            "range",
            "cache-control",
            "max-forwards",
            "x-corr-id",
            "x-request-id",
            "forwarded",
            "x-forwarded-for",
            "x-forwarded-host",
            "x-forwarded-proto",
            "request-timeout",
            "deadline");

    private Trailers() {}

    public static boolean allowed(String name) {
        return !NEVER.contains(name.toLowerCase(Locale.ROOT));
    }

    /** Those that may be sent on, as a block that can be sent. */
    public static Headers passable(Headers from) {
        if (from.size() == 0) {
            return Headers.NONE;
        }
        Headers.Builder to = new Headers.Builder();
        for (int i = 0; i < from.size(); i++) {
            if (allowed(from.name(i))) {
                to.copy(from, i);
            }
        }
        return to.build();
    }
}
