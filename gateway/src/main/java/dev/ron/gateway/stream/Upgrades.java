package dev.ron.gateway.stream;

import dev.ron.http.message.Headers;
import dev.ron.http.server.Exchange;
import java.util.List;

/**
 * Which requests may ask an upstream for another protocol: those that ask for one by name, on a route that names it too.
 *
 * <p>Everybody else's Upgrade field is dropped with the other fields of one hop, and the request goes on without it.
 */
public final class Upgrades {
    public static final String WEBSOCKET = "websocket";

    private Upgrades() {}

    /** Whether this request asks for a protocol that its route allows. */
    public static boolean wanted(Exchange exchange, List<String> allowed) {
        if (allowed.isEmpty()
                || exchange.bodyLength() != Exchange.NO_BODY
                || !exchange.method().equals("GET")) {
            return false;
        }
        Headers headers = exchange.headers();
        return allowed.contains(WEBSOCKET)
                && headers.all("Upgrade").equals(List.of(WEBSOCKET))
                && headers.hasToken("Connection", "upgrade");
    }

    /** The fields of a request with those that ask for the change. */
    public static Headers asking(Headers fields) {
        return fields.toBuilder()
                .add("connection", "Upgrade")
                .add("upgrade", WEBSOCKET)
                .build();
    }

    /** The fields of an answer with those that agree to it. */
    public static Headers agreeing(Headers fields) {
        return fields.toBuilder()
                .add("Upgrade", WEBSOCKET)
                .add("Connection", "Upgrade")
                .build();
    }
}
