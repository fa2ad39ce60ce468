package dev.ron.gateway.proxy;

import dev.ron.gateway.route.GatewayRoute;
import dev.ron.gateway.route.RouteTable;
import dev.ron.http.message.Headers;
import dev.ron.http.server.Exchange;
import dev.ron.http.server.StreamHandler;
import dev.ron.kernel.error.Code;
import dev.ron.kernel.error.RonException;

/** Finds the route of a request and sends it on its way, under the configuration of that moment. */
public final class ProxyHandler implements StreamHandler {
    private volatile ProxyParts parts;

    public ProxyHandler(ProxyParts first) {
        this.parts = first;
    }

    /** Has requests from now on use another configuration; those in hand keep theirs. */
    public void use(ProxyParts next) {
        parts = next;
    }

    public ProxyParts parts() {
        return parts;
    }

    @Override
    public void handle(Exchange exchange) {
        ProxyParts now = parts;
        switch (now.routes().find(exchange.method(), exchange.path(), exchange.headers())) {
            case RouteTable.Result.Found(GatewayRoute route) -> {
                exchange.label(route.id());
                new ProxyExchange(exchange, now.lane(route), now).start();
            }
            case RouteTable.Result.WrongMethod(String allow) -> {
                exchange.label("none");
                RonException why = new RonException(Code.METHOD, "method", "the method is not served here");
                exchange.fail(why, Headers.of("Allow", allow));
            }
            case RouteTable.Result.NoRoute() -> {
                exchange.label("none");
                throw new RonException(Code.NOT_FOUND, "no_route", "no route fits this request");
            }
        }
    }
}
