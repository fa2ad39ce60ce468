package dev.ron.gateway.proxy;

import dev.ron.gateway.config.GatewayConfig;
import dev.ron.gateway.fields.RequestFields;
import dev.ron.gateway.fields.ResponseFields;
import dev.ron.gateway.fields.Via;
import dev.ron.gateway.upstream.Upstream;
import dev.ron.gateway.upstream.Upstreams;
import dev.ron.service.metrics.ServiceMetrics;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BooleanSupplier;

/** What all requests through the gateway share. */
final class ProxyParts {
    private final GatewayConfig config;
    private final RequestFields requestFields;
    private final ResponseFields responseFields;
    private final RetryRule retries;
    private final BooleanSupplier draining;
    private final Map<String, UpstreamMeter> meters = new HashMap<>();

    ProxyParts(GatewayConfig config, Via via, Upstreams upstreams, ServiceMetrics metrics, BooleanSupplier draining) {
        this.config = config;
        this.requestFields = new RequestFields(config.proxy(), via);
        this.responseFields = new ResponseFields(via);
        this.retries = new RetryRule(config.retry());
        this.draining = draining;
        for (Upstream upstream : upstreams.all()) {
            meters.put(upstream.id(), new UpstreamMeter(metrics, upstream.id()));
        }
    }

    GatewayConfig config() {
        return config;
    }

    RequestFields requestFields() {
        return requestFields;
    }

    ResponseFields responseFields() {
        return responseFields;
    }

    RetryRule retries() {
        return retries;
    }

    boolean draining() {
        return draining.getAsBoolean();
    }

    UpstreamMeter meter(Upstream upstream) {
        UpstreamMeter found = meters.get(upstream.id());
        if (found == null) {
            throw new IllegalStateException("upstream " + upstream + " is not counted");
        }
        return found;
    }
}
