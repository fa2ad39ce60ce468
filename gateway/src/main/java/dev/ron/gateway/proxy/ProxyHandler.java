package dev.ron.gateway.proxy;

import dev.ron.gateway.config.GatewayConfig;
import dev.ron.gateway.fields.Via;
import dev.ron.gateway.route.GatewayRoute;
import dev.ron.gateway.route.RouteTable;
import dev.ron.gateway.upstream.Upstreams;
import dev.ron.http.message.Response;
import dev.ron.http.server.Exchange;
import dev.ron.http.server.StreamHandler;
import dev.ron.kernel.error.Code;
import dev.ron.kernel.error.RonException;
import dev.ron.kernel.meter.Meter;
import dev.ron.service.metrics.ServiceMetrics;
import java.util.function.BooleanSupplier;

/** Finds the route of a request and sends it on its way. */
public final class ProxyHandler implements StreamHandler {
    private final RouteTable routes;
    private final Upstreams upstreams;
    private final ProxyParts parts;
    private final Meter.Count wrongMethods;

    public ProxyHandler(
            GatewayConfig config, Via via, Upstreams upstreams, ServiceMetrics metrics, BooleanSupplier draining) {
        this.routes = RouteTable.of(config.routes());
        this.upstreams = upstreams;
        this.parts = new ProxyParts(config, via, upstreams, metrics, draining);
        this.wrongMethods = metrics.counter("rejected_total", "reason", "method");
    }

    @Override
    public void handle(Exchange exchange) {
        switch (routes.find(exchange.method(), exchange.path(), exchange.headers())) {
            case RouteTable.Result.Found(GatewayRoute route) ->
                new ProxyExchange(exchange, route, upstreams.get(route.upstream()), parts).start();
            case RouteTable.Result.WrongMethod(String allow) -> {
                wrongMethods.increment();
                RonException why = new RonException(Code.METHOD, "method", "the method is not served here");
                exchange.respond(Response.problem(why, exchange).withHeader("Allow", allow));
            }
            case RouteTable.Result.NoRoute() ->
                throw new RonException(Code.NOT_FOUND, "no_route", "no route fits this request");
        }
    }
}
