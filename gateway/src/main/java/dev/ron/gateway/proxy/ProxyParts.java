package dev.ron.gateway.proxy;

import dev.ron.gateway.auth.Door;
import dev.ron.gateway.coding.Compression;
import dev.ron.gateway.config.GatewayConfig;
import dev.ron.gateway.config.Networks;
import dev.ron.gateway.fields.RequestFields;
import dev.ron.gateway.fields.ResponseFields;
import dev.ron.gateway.fields.Via;
import dev.ron.gateway.route.GatewayRoute;
import dev.ron.gateway.route.RouteTable;
import dev.ron.gateway.tenant.Account;
import dev.ron.gateway.tenant.RouteRate;
import dev.ron.gateway.upstream.Upstream;
import dev.ron.gateway.upstream.Upstreams;
import dev.ron.http.decode.DecodeLimits;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;

/** One configuration of the gateway, ready to be used; a request keeps the one it began with. */
public final class ProxyParts {
    private final GatewayConfig config;
    private final Upstreams upstreams;
    private final Shared shared;
    private final RouteTable routes;
    private final RequestFields requestFields;
    private final ResponseFields responseFields;
    private final Compression compression;
    private final DecodeLimits decoding;
    private final RetryRule retries;
    private final Door door;
    private final Map<GatewayRoute, RouteLane> lanes = new HashMap<>();

    public ProxyParts(GatewayConfig config, Via via, Upstreams upstreams, Shared shared) {
        this.config = config;
        this.upstreams = upstreams;
        this.shared = shared;
        this.routes = RouteTable.of(config.routes());
        this.requestFields = new RequestFields(config.proxy(), via, shared.onward());
        this.responseFields = new ResponseFields(via);
        this.compression = new Compression(config.compress(), shared.coding());
        this.decoding = new DecodeLimits(
                config.limits().decodeAbsCapBytes().count(),
                config.limits().decodeRatioMax(),
                DecodeLimits.DEFAULT.freeBytes());
        this.retries = new RetryRule(config.retry());
        this.door = shared.door().trusting(new Networks(config.proxy().trustedCidrs()));
        Map<String, UpstreamMeter> meters = new HashMap<>();
        for (GatewayRoute route : routes.all()) {
            Upstream upstream = upstreams.get(route.upstream());
            UpstreamMeter meter =
                    meters.computeIfAbsent(upstream.id(), id -> new UpstreamMeter(shared.metrics(), upstream.id()));
            lanes.put(route, new RouteLane(route, upstream, meter, new RouteRate(route.id(), route.config())));
        }
    }

    public GatewayConfig config() {
        return config;
    }

    public Upstreams upstreams() {
        return upstreams;
    }

    public RouteTable routes() {
        return routes;
    }

    Shared shared() {
        return shared;
    }

    RequestFields requestFields() {
        return requestFields;
    }

    ResponseFields responseFields() {
        return responseFields;
    }

    Compression compression() {
        return compression;
    }

    DecodeLimits decoding() {
        return decoding;
    }

    RetryRule retries() {
        return retries;
    }

    AnswerRelay.Room answerRoom(Account account) {
        return new AnswerRelay.Room(
                shared.answers(),
                account.answers(),
                config.limits().bufferBudgetBytes().count());
    }

    Door door() {
        return door;
    }

    RouteLane lane(GatewayRoute route) {
        RouteLane found = lanes.get(route);
        if (found == null) {
            throw new IllegalStateException("route " + route + " is of another configuration");
        }
        return found;
    }

    Collection<RouteLane> lanes() {
        return lanes.values();
    }

    /** Forgets what is no longer needed; now and then, by one task. */
    public void sweep() {
        long now = shared.clock().nanos();
        lanes.values().forEach(lane -> lane.rate().sweep(now));
    }
}
