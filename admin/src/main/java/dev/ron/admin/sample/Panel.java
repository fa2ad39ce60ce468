package dev.ron.admin.sample;

import dev.ron.admin.series.Numbers;
import dev.ron.admin.truth.Verdict;
import dev.ron.admin.view.MetricsSummary;
import dev.ron.admin.view.Panels;
import dev.ron.admin.view.Points;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What the services of a node say about their own subject, from its status and its numbers; nothing is made up. */
public final class Panel {
    private static final String NO_STATUS = "not available: the node has not answered /api/v1/status";

    private final Map<String, Object> data;
    private final Numbers numbers;
    private final List<String> services;
    private final boolean answered;

    private final List<?> gatewayTenants;

    private Panel(Observed observed, Measured measured, List<?> gatewayTenants) {
        this.gatewayTenants = gatewayTenants;
        Verdict verdict = observed.verdict();
        this.answered = verdict != null;
        this.data = verdict == null ? Map.of() : verdict.said().serviceData();
        this.services = verdict == null
                ? List.of()
                : verdict.planes().stream()
                        .map(p -> p.name().replaceAll("\\..*", ""))
                        .distinct()
                        .toList();
        this.numbers = measured.numbers();
    }

    /** @param gatewayTenants what the gateway's own page lists; empty where it has none */
    public static Panels of(String nodeId, Observed observed, Measured measured, List<?> gatewayTenants) {
        Panel panel = new Panel(observed, measured, gatewayTenants);
        return new Panels(nodeId, panel.gateway(), panel.edge(), panel.passport(), panel.registry());
    }

    /** Why a panel has nothing to show; null where it has. */
    private @Nullable String cause(String service, String metricPrefix) {
        if (!answered) {
            return NO_STATUS;
        }
        boolean runs = services.contains(service)
                || data.containsKey(service)
                || numbers.services().stream().anyMatch(line -> line.name().equals(service));
        boolean measured = numbers.panel().keySet().stream().anyMatch(key -> key.startsWith(metricPrefix));
        return runs || measured ? null : "not available: no " + service + " runs on this node";
    }

    private Panels.Gateway gateway() {
        String cause = cause("gateway", "gateway_");
        Map<String, Object> own = map(data.get("gateway"));
        List<Panels.Tenant> tenants = tenants(own);
        return new Panels.Gateway(
                cause == null,
                cause,
                flag(own.get("degraded"), metric("gateway_degraded")),
                jain(tenants),
                tenants,
                upstreams(own));
    }

    /** Tenants as the status lists them, with what the metrics add; a member nobody gave stays null. */
    private List<Panels.Tenant> tenants(Map<String, Object> own) {
        Map<String, Map<String, Object>> said = new TreeMap<>();
        for (Object one : list(map(own.get("drr")).getOrDefault("tenants", own.getOrDefault("tenants", List.of())))) {
            Map<String, Object> tenant = map(one);
            if (tenant.get("id") instanceof String id) {
                said.put(id, tenant);
            }
        }
        for (Object one : gatewayTenants) {
            Map<String, Object> tenant = map(one);
            if (tenant.get("id") instanceof String id) {
                said.put(id, tenant);
            }
        }
        Map<String, Double> served = byLabel("gateway_drr_dispatched_total", "tenant");
        served.putAll(byLabel("gateway_tenant_served_total", "tenant"));
        Map<String, Double> depth = byLabel("gateway_drr_queue_depth", "tenant");
        Map<String, Double> dropped = byLabel("gateway_drr_refused_total", "tenant");
        // The gateway shares out slot time, not requests: where it tells the time, that is what shares are taken of.
        Map<String, Double> cost = byLabel("gateway_drr_dispatched_cost_total", "tenant");
        Map<String, Double> used = cost.isEmpty() ? served : cost;
        served.keySet().forEach(id -> said.putIfAbsent(id, Map.of()));
        depth.keySet().forEach(id -> said.putIfAbsent(id, Map.of()));
        double rate = used.values().stream().mapToDouble(Double::doubleValue).sum();
        double quanta = said.values().stream()
                .mapToDouble(tenant -> tenant.get("quantum") instanceof Number n ? n.doubleValue() : 0)
                .sum();
        List<Panels.Tenant> tenants = new ArrayList<>();
        said.forEach((id, tenant) -> {
            Double quantum = number(tenant.get("quantum"));
            Double perSecond = served.get(id);
            tenants.add(new Panels.Tenant(
                    id,
                    quantum,
                    depth.containsKey(id) ? depth.get(id) : number(tenant.get("depth")),
                    perSecond,
                    dropped.get(id),
                    used.containsKey(id) && rate > 0 ? Double.valueOf(used.getOrDefault(id, 0.0) / rate) : null,
                    quantum != null && quanta > 0 ? Double.valueOf(quantum / quanta) : null));
        });
        return tenants;
    }

    /** Jain's index of what each active tenant got for its quantum: 1 is fair, 1/n is one that has all. */
    private static @Nullable Double jain(List<Panels.Tenant> tenants) {
        double sum = 0;
        double squares = 0;
        int active = 0;
        for (Panels.Tenant tenant : tenants) {
            if (tenant.share() != null && tenant.share() > 0 && tenant.fairShare() != null && tenant.fairShare() > 0) {
                double x = tenant.share() / tenant.fairShare();
                sum += x;
                squares += x * x;
                active++;
            }
        }
        return active == 0 ? null : Double.valueOf(sum * sum / (active * squares));
    }

    private static List<Panels.Upstream> upstreams(Map<String, Object> own) {
        List<Panels.Upstream> all = new ArrayList<>();
        for (Object one : list(own.get("upstreams"))) {
            Map<String, Object> upstream = map(one);
            List<Panels.UpstreamTarget> targets = new ArrayList<>();
            for (Object each : list(upstream.get("targets"))) {
                Map<String, Object> target = map(each);
                targets.add(new Panels.UpstreamTarget(
                        String.valueOf(target.getOrDefault("url", "?")),
                        target.get("healthy") instanceof Boolean b ? b : null,
                        circuit(target.get("circuit"))));
            }
            all.add(new Panels.Upstream(
                    String.valueOf(upstream.getOrDefault("id", "?")),
                    upstream.get("inflight") instanceof Number n ? Long.valueOf(n.longValue()) : null,
                    targets));
        }
        return all;
    }

    private static @Nullable String circuit(@Nullable Object said) {
        if (said instanceof String word) {
            return word;
        }
        return said instanceof Number n
                ? List.of("closed", "half_open", "open").get(Math.clamp(n.intValue(), 0, 2))
                : null;
    }

    private Panels.Edge edge() {
        String cause = cause("edge", "edge_");
        Map<String, Object> own = map(data.get("edge"));
        Double hits = sum("edge_cache_hits_total");
        Double misses = sum("edge_cache_misses_total");
        double all = (hits == null ? 0 : hits) + (misses == null ? 0 : misses);
        Map<String, Double> attempts = byLabel("edge_live_fill_attempts_total", "host");
        Map<String, Double> successes = byLabel("edge_live_fill_success_total", "host");
        List<Panels.FillHost> fills = new ArrayList<>();
        attempts.forEach((host, rate) -> {
            Double good = successes.get(host);
            fills.add(new Panels.FillHost(
                    host, rate, good != null && rate > 0 ? Double.valueOf(Math.min(1, good / rate)) : null));
        });
        Map<String, Object> cas = map(own.get("cas"));
        return new Panels.Edge(
                cause == null,
                cause,
                (hits != null && all > 0) ? Double.valueOf(hits / all) : null,
                hits,
                misses,
                sum("edge_bytes_out_total"),
                number(cas.get("bytes")),
                number(cas.get("max_bytes")),
                fills,
                list(own.get("packs")).stream().map(Panel::map).toList(),
                Points.NONE);
    }

    private Panels.Passport passport() {
        String cause = cause("passport", "svc_passport_");
        Map<String, Object> own = map(data.get("passport"));
        Map<String, Object> kms = map(own.get("kms"));
        List<MetricsSummary.RejectLine> rejects = numbers.rejects().stream()
                .filter(line -> line.service().equals("passport"))
                .toList();
        return new Panels.Passport(
                cause == null,
                cause,
                firstOf(sum("svc_passport_tokens_issued_total"), route("passport", "/v1/passport/issue")),
                route("passport", "/v1/passport/verify"),
                firstOf(sum("svc_passport_revocations_total"), route("passport", "/v1/passport/revoke")),
                millis(numbers.panel().get("svc_passport_issue_latency_seconds:p95")),
                millis(numbers.panel().get("svc_passport_issue_latency_seconds:p99")),
                firstOf(number(own.get("epoch")), metric("svc_passport_epoch_current")),
                kms.get("ok") instanceof Boolean b ? b : null,
                circuit(kms.get("breaker")),
                list(own.get("kids")).stream().map(String::valueOf).toList(),
                firstOf(
                        number(own.get("policy_version")),
                        number(map(own.get("policy")).get("version"))),
                rejects);
    }

    private Panels.Registry registry() {
        String cause = cause("registry", "registry_");
        Map<String, Object> own = map(data.get("registry"));
        Map<String, Object> head = map(own.get("head"));
        Map<String, Object> checkpoint = map(own.get("checkpoint"));
        Map<String, Object> verify = map(own.get("verify"));
        List<Panels.Proposal> pending = new ArrayList<>();
        for (Object one : list(own.get("pending"))) {
            Map<String, Object> proposal = map(one);
            if (proposal.get("proposal_id") instanceof String id && id.matches("[A-Za-z0-9._:-]{1,128}")) {
                pending.add(new Panels.Proposal(
                        id,
                        proposal.get("title") instanceof String title ? title : null,
                        proposal.get("approvals") instanceof Number n ? Long.valueOf(n.longValue()) : null,
                        proposal.get("quorum") instanceof Number n ? Long.valueOf(n.longValue()) : null,
                        number(proposal.get("age_seconds")),
                        "ron registry approve " + id));
            }
        }
        return new Panels.Registry(
                cause == null,
                cause,
                number(head.get("version")),
                head.get("hash") instanceof String hash ? hash : null,
                sum("registry_updates_total"),
                millis(numbers.panel().get("commit_latency_seconds:p95")),
                firstOf(metric("registry_checkpoint_age_seconds"), number(checkpoint.get("age_seconds"))),
                verify.get("ok") instanceof Boolean b ? b : null,
                pending);
    }

    private @Nullable Double route(String service, String route) {
        return numbers.routes().stream()
                .filter(line -> line.service().equals(service) && line.route().equals(route))
                .map(MetricsSummary.RouteLine::rps)
                .findFirst()
                .orElse(null);
    }

    private @Nullable Double metric(String name) {
        return numbers.panel().get(name);
    }

    /** The sum over the labels of a family; null where it has no series. */
    private @Nullable Double sum(String family) {
        Double sum = null;
        for (Map.Entry<String, Double> one : numbers.panel().entrySet()) {
            if (one.getKey().equals(family) || one.getKey().startsWith(family + "{")) {
                sum = (sum == null ? 0 : sum) + one.getValue();
            }
        }
        return sum;
    }

    private Map<String, Double> byLabel(String family, String label) {
        Map<String, Double> values = new TreeMap<>();
        String mark = label + "=\"";
        numbers.panel().forEach((key, value) -> {
            if (key.startsWith(family + "{")) {
                int from = key.indexOf(mark);
                int to = from < 0 ? -1 : key.indexOf('"', from + mark.length());
                if (to > 0) {
                    values.merge(key.substring(from + mark.length(), to), value, Double::sum);
                }
            }
        });
        return values;
    }

    private static @Nullable Boolean flag(@Nullable Object said, @Nullable Double gauge) {
        return said instanceof Boolean b ? b : gauge == null ? null : Boolean.valueOf(gauge > 0);
    }

    private static @Nullable Double number(@Nullable Object value) {
        return value instanceof Number n ? Double.valueOf(n.doubleValue()) : null;
    }

    private static @Nullable Double firstOf(@Nullable Double one, @Nullable Double other) {
        return one != null ? one : other;
    }

    private static @Nullable Double millis(@Nullable Double seconds) {
        return seconds == null ? null : Double.valueOf(seconds * 1000);
    }

    private static Map<String, Object> map(@Nullable Object value) {
        Map<String, Object> copy = new LinkedHashMap<>();
        if (value instanceof Map<?, ?> map) {
            map.forEach((key, each) -> copy.put(String.valueOf(key), each));
        }
        return copy;
    }

    private static List<?> list(@Nullable Object value) {
        return value instanceof List<?> list ? list : List.of();
    }
}
