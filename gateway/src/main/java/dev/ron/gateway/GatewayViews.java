package dev.ron.gateway;

import dev.ron.gateway.arbiter.ArbiterView;
import dev.ron.gateway.arbiter.Refusal;
import dev.ron.gateway.arbiter.TenantView;
import dev.ron.gateway.proxy.ProxyHandler;
import dev.ron.gateway.proxy.RefusalRing;
import dev.ron.gateway.route.GatewayRoute;
import dev.ron.gateway.upstream.Upstream;
import dev.ron.gateway.upstream.UpstreamTarget;
import dev.ron.kernel.time.Clock;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The gateway as operators see it: routes, upstreams, tenants, and why someone was refused. */
public final class GatewayViews {
    private static final int SHOWN = 200;

    private final ProxyHandler proxy;
    private final RefusalRing refusals;
    private final Clock clock;

    GatewayViews(ProxyHandler proxy, RefusalRing refusals, Clock clock) {
        this.proxy = proxy;
        this.refusals = refusals;
        this.clock = clock;
    }

    public Map<String, Object> routes() {
        List<Map<String, Object>> shown = new ArrayList<>();
        for (GatewayRoute route : proxy.parts().routes().all()) {
            Map<String, Object> one = new LinkedHashMap<>();
            one.put("id", route.id());
            one.put("hosts", route.config().hosts());
            one.put("path", route.config().path());
            one.put("methods", route.config().methods());
            one.put("upstream", route.upstream());
            one.put("auth", route.config().auth().name().toLowerCase(java.util.Locale.ROOT));
            one.put("tenant", route.config().tenant());
            one.put("rate_limit_rps", route.config().rateLimitRps());
            shown.add(one);
        }
        return Map.of("routes", shown);
    }

    public Map<String, Object> upstreams() {
        List<Map<String, Object>> shown = new ArrayList<>();
        for (Upstream upstream : proxy.parts().upstreams().all()) {
            ArbiterView view = upstream.arbiter().view(clock.nanos());
            Map<String, Object> one = new LinkedHashMap<>();
            one.put("id", upstream.id());
            one.put("limit", view.limit());
            one.put("inflight", view.inFlight());
            one.put("waiting", view.waiting());
            one.put("streams", view.streams());
            one.put("fair", view.fair());
            one.put("restarts", view.restarts());
            one.put("active_tenants", view.activeTenants());
            one.put("degraded", upstream.shedding().on());
            one.put("degraded_why", upstream.shedding().why());
            one.put(
                    "targets",
                    upstream.targets().stream().map(GatewayViews::target).toList());
            shown.add(one);
        }
        return Map.of("upstreams", shown);
    }

    private static Map<String, Object> target(UpstreamTarget target) {
        Map<String, Object> one = new LinkedHashMap<>();
        one.put("url", target.target().toString());
        one.put("healthy", target.healthy());
        one.put("ejected", target.ejected());
        one.put("circuit", target.circuit());
        one.put("inflight", target.inflight());
        return one;
    }

    /** Every tenant at every upstream, the busiest first. */
    public Map<String, Object> tenants() {
        List<Map<String, Object>> shown = new ArrayList<>();
        for (Upstream upstream : proxy.parts().upstreams().all()) {
            ArbiterView view = upstream.arbiter().view(clock.nanos());
            view.tenants().stream()
                    .sorted(Comparator.comparingLong(TenantView::slotMicros).reversed())
                    .limit(SHOWN)
                    .forEach(tenant -> shown.add(tenant(upstream.id(), view.limit(), tenant)));
        }
        return Map.of("tenants", shown);
    }

    private static Map<String, Object> tenant(String upstream, int limit, TenantView tenant) {
        Map<String, Object> one = new LinkedHashMap<>();
        one.put("upstream", upstream);
        one.put("issuer", tenant.key().issuer());
        one.put("id", tenant.key().id());
        one.put("quantum", tenant.weight());
        one.put("share", Math.round(tenant.share() * 100) / 100.0);
        one.put("limit", limit);
        one.put("held", tenant.held());
        one.put("waiting", tenant.waiting());
        one.put("streams", tenant.streams());
        one.put("deficit_us", tenant.deficitMicros());
        one.put("slot_time_us", tenant.slotTimeMicros());
        one.put("used_us", tenant.slotMicros());
        one.put("served_total", tenant.served());
        Map<String, Long> refused = new LinkedHashMap<>();
        long sum = 0;
        for (Map.Entry<Refusal, Long> count : tenant.refused().entrySet()) {
            refused.put(count.getKey().reason(), count.getValue());
            sum += count.getValue();
        }
        one.put("refused_total", sum);
        one.put("refused", refused);
        one.put("wait_p50_us", tenant.waitP50Micros());
        one.put("wait_p99_us", tenant.waitP99Micros());
        return one;
    }

    /** The refusal of one correlation id, if it is among the latest; without an id, the latest themselves. */
    public Map<String, Object> refusals(String corrId) {
        List<RefusalRing.Told> found = corrId.isEmpty()
                ? refusals.latest(50)
                : refusals.find(corrId).map(List::of).orElse(List.of());
        return Map.of("refusals", found.stream().map(GatewayViews::refusal).toList());
    }

    private static Map<String, Object> refusal(RefusalRing.Told told) {
        Map<String, Object> one = new LinkedHashMap<>();
        one.put("corr_id", told.corrId());
        one.put("at", told.at().toString());
        one.put("route", told.route());
        one.put("upstream", told.upstream());
        one.put("issuer", told.issuer());
        one.put("tenant", told.tenant());
        one.put("status", told.status());
        one.put("reason", told.reason());
        one.put("detail", told.detail());
        one.put("waited_us", told.waitedMicros());
        one.put("limit", told.limit());
        one.put("inflight", told.inFlight());
        one.put("waiting", told.waiting());
        one.put("key", told.key());
        return one;
    }
}
