package dev.ron.gateway;

import dev.ron.gateway.arbiter.ArbiterView;
import dev.ron.gateway.arbiter.TenantView;
import dev.ron.gateway.proxy.ProxyHandler;
import dev.ron.gateway.tenant.Account;
import dev.ron.gateway.tenant.Accounts;
import dev.ron.gateway.upstream.Upstream;
import dev.ron.gateway.upstream.UpstreamTarget;
import dev.ron.service.metrics.ServiceMetrics;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.function.ToIntFunction;
import java.util.function.ToLongFunction;

/** What a scrape asks of the gateway. */
final class GatewayMetrics {
    private static final int NAMED = 50;
    private static final String OTHER = "other";

    private final ProxyHandler proxy;
    private final Supplier<Sampler.Sample> sample;

    GatewayMetrics(ProxyHandler proxy, Supplier<Sampler.Sample> sample) {
        this.proxy = proxy;
        this.sample = sample;
    }

    void bind(ServiceMetrics metrics, Accounts accounts) {
        metrics.gaugesBy(
                "gateway_upstream_healthy",
                "Whether a target is chosen.",
                List.of("upstream", "target"),
                () -> byTarget(target -> target.healthy() ? 1 : 0));
        metrics.gaugesBy(
                "gateway_pool_connections",
                "Open connections to a target, besides those of streams.",
                List.of("upstream", "target"),
                () -> byTarget(target -> target.endpoints().stream()
                        .mapToInt(endpoint -> endpoint.connectionCount())
                        .sum()));
        metrics.gauges("circuit_state", "0 closed, 1 half-open, 2 open.", "endpoint", () -> {
            Map<String, Integer> states = new LinkedHashMap<>();
            byTarget(UpstreamTarget::circuit).forEach((labels, state) -> states.put(String.join("/", labels), state));
            return states;
        });
        metrics.gauge(
                "gateway_degraded",
                "1 while writes are shed.",
                () -> sample.get().degraded() ? 1 : 0);
        metrics.gauges("gateway_drr_queue_depth", "Requests that wait.", "tenant", () -> byTenant(TenantView::waiting));
        counts(metrics, "gateway_drr_dispatched_total", "Requests that had their turn.", TenantView::served);
        counts(
                metrics,
                "gateway_drr_dispatched_cost_total",
                "Slot time used, in microseconds.",
                TenantView::slotMicros);
        counts(
                metrics,
                "gateway_drr_refused_total",
                "Requests that got no turn.",
                tenant -> tenant.refused().values().stream().mapToLong(n -> n).sum());
        metrics.gauge(
                "gateway_drr_share_error_ratio",
                "How far a tenant that always waits is from its share.",
                () -> sample.get().shareError());
        metrics.gauge(
                "gateway_drr_active_tenants",
                "Tenants seen lately, at the upstream that has most.",
                () -> sample.get().upstreams().values().stream()
                        .mapToInt(ArbiterView::activeTenants)
                        .max()
                        .orElse(0));
        metrics.gauge(
                "gateway_drr_bypass",
                "1 while nobody waits anywhere.",
                () -> sample.get().upstreams().values().stream().allMatch(view -> view.waiting() == 0) ? 1 : 0);
        metrics.counts(
                "gateway_quota_exhaustions_total",
                "Requests refused for their rate.",
                List.of("tenant"),
                () -> overRate(accounts));
    }

    private static Map<List<String>, Long> overRate(Accounts accounts) {
        Map<String, Long> all = new HashMap<>();
        for (Account account : accounts.all()) {
            all.merge(account.key().id(), account.overRate(), Long::sum);
        }
        Map<List<String>, Long> labelled = new LinkedHashMap<>();
        busiest(all).forEach((tenant, count) -> labelled.put(List.of(tenant), count));
        return labelled;
    }

    private void counts(ServiceMetrics metrics, String family, String help, ToLongFunction<TenantView> value) {
        metrics.counts(family, help, List.of("tenant"), () -> {
            Map<List<String>, Long> labelled = new LinkedHashMap<>();
            byTenant(value).forEach((tenant, count) -> labelled.put(List.of(tenant), count));
            return labelled;
        });
    }

    /** Summed over upstreams; the tenants with most by name, the rest together. */
    private Map<String, Long> byTenant(ToLongFunction<TenantView> value) {
        Map<String, Long> all = new HashMap<>();
        for (ArbiterView view : sample.get().upstreams().values()) {
            for (TenantView tenant : view.tenants()) {
                all.merge(tenant.key().id(), value.applyAsLong(tenant), Long::sum);
            }
        }
        return busiest(all);
    }

    private static Map<String, Long> busiest(Map<String, Long> all) {
        if (all.size() <= NAMED) {
            return all;
        }
        List<Map.Entry<String, Long>> order = new ArrayList<>(all.entrySet());
        order.sort(Map.Entry.comparingByValue(Comparator.reverseOrder()));
        Map<String, Long> shown = new LinkedHashMap<>();
        for (int i = 0; i < order.size(); i++) {
            String name = i < NAMED ? order.get(i).getKey() : OTHER;
            shown.merge(name, order.get(i).getValue(), Long::sum);
        }
        return shown;
    }

    private Map<List<String>, Integer> byTarget(ToIntFunction<UpstreamTarget> value) {
        Map<List<String>, Integer> values = new LinkedHashMap<>();
        for (Upstream upstream : proxy.parts().upstreams().all()) {
            for (UpstreamTarget target : upstream.targets()) {
                values.put(List.of(upstream.id(), target.target().authority()), value.applyAsInt(target));
            }
        }
        return values;
    }
}
