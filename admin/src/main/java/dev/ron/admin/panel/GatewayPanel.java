package dev.ron.admin.panel;

import dev.ron.admin.series.Readings;
import dev.ron.admin.view.Panels;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Tenants, how they share, and the upstreams they share. */
final class GatewayPanel {
    private static final String SERVED = "gateway_drr_dispatched_total";
    private static final String COST = "gateway_drr_dispatched_cost_total";
    private static final String DEPTH = "gateway_drr_queue_depth";
    private static final String REFUSED = "gateway_drr_refused_total";
    private static final String SHARE_ERROR = "gateway_drr_share_error_ratio";
    private static final String DEGRADED = "gateway_degraded";
    static final List<String> METRICS = List.of(SERVED, COST, DEPTH, REFUSED, SHARE_ERROR, DEGRADED);

    private GatewayPanel() {}

    static Panels.Gateway of(@Nullable String cause, Told own, Readings readings, List<?> listed) {
        Boolean degraded = own.flag("degraded");
        Double gauge = readings.sum(DEGRADED);
        List<Panels.Tenant> tenants = tenants(own, readings, listed);
        Map<String, Double> peaks = readings.peaks(DEPTH, "tenant");
        return new Panels.Gateway(
                cause == null,
                cause,
                degraded != null ? degraded : gauge == null ? null : Boolean.valueOf(gauge > 0),
                peaks.isEmpty() ? null : Boolean.valueOf(peaks.values().stream().anyMatch(peak -> peak > 0)),
                jain(tenants, peaks),
                readings.sum(SHARE_ERROR),
                tenants,
                upstreams(own));
    }

    /** Tenants as the gateway lists them, with what the metrics add; a member nobody gave stays null. */
    private static List<Panels.Tenant> tenants(Told own, Readings readings, List<?> listed) {
        Map<String, Told> said = new TreeMap<>();
        own.part("drr").parts("tenants").forEach(tenant -> note(said, tenant));
        listed.forEach(tenant -> note(said, Told.of(tenant)));
        Map<String, Double> served = readings.by(SERVED, "tenant");
        Map<String, Double> depth = readings.by(DEPTH, "tenant");
        Map<String, Double> refused = readings.by(REFUSED, "tenant");
        // The gateway shares out slot time, not requests: where it tells the time, that is what shares are taken of.
        Map<String, Double> cost = readings.by(COST, "tenant");
        Map<String, Double> used = cost.isEmpty() ? served : cost;
        served.keySet().forEach(id -> said.putIfAbsent(id, Told.NOTHING));
        depth.keySet().forEach(id -> said.putIfAbsent(id, Told.NOTHING));
        double rate = used.values().stream().mapToDouble(Double::doubleValue).sum();
        double quanta = said.values().stream()
                .map(tenant -> tenant.number("quantum"))
                .mapToDouble(quantum -> quantum == null ? 0 : quantum)
                .sum();
        List<Panels.Tenant> tenants = new ArrayList<>();
        said.forEach((id, tenant) -> {
            Double quantum = tenant.number("quantum");
            tenants.add(new Panels.Tenant(
                    id,
                    quantum,
                    depth.containsKey(id) ? depth.get(id) : tenant.number("waiting"),
                    served.get(id),
                    refused.get(id),
                    used.containsKey(id) && rate > 0 ? Double.valueOf(used.getOrDefault(id, 0.0) / rate) : null,
                    quantum != null && quanta > 0 ? Double.valueOf(quantum / quanta) : null));
        });
        return tenants;
    }

    private static void note(Map<String, Told> said, Told tenant) {
        String id = tenant.text("id");
        if (id != null) {
            said.put(id, tenant);
        }
    }

    /**
     * Jain's index of what each tenant that had to wait got for its quantum: 1 is fair, 1/n is one that has all.
     *
     * <p>Who never waited got all it asked for, however little that was, and says nothing about fairness.
     */
    private static @Nullable Double jain(List<Panels.Tenant> tenants, Map<String, Double> peaks) {
        double sum = 0;
        double squares = 0;
        int waited = 0;
        for (Panels.Tenant tenant : tenants) {
            Double share = tenant.share();
            Double due = tenant.fairShare();
            if (peaks.getOrDefault(tenant.id(), 0.0) > 0 && share != null && share > 0 && due != null && due > 0) {
                double x = share / due;
                sum += x;
                squares += x * x;
                waited++;
            }
        }
        return waited == 0 ? null : Double.valueOf(sum * sum / (waited * squares));
    }

    private static List<Panels.Upstream> upstreams(Told own) {
        List<Panels.Upstream> all = new ArrayList<>();
        for (Told upstream : own.parts("upstreams")) {
            List<Panels.UpstreamTarget> targets = new ArrayList<>();
            for (Told target : upstream.parts("targets")) {
                String url = target.text("url");
                Boolean healthy = target.flag("healthy");
                boolean ejected = Boolean.TRUE.equals(target.flag("ejected"));
                targets.add(new Panels.UpstreamTarget(
                        url == null ? "?" : url,
                        healthy == null ? null : Boolean.valueOf(healthy && !ejected),
                        target.circuit("circuit")));
            }
            String id = upstream.text("id");
            String why = upstream.text("degraded_why");
            all.add(new Panels.Upstream(
                    id == null ? "?" : id,
                    upstream.whole("inflight"),
                    upstream.whole("limit"),
                    upstream.whole("waiting"),
                    why == null || why.isEmpty() ? null : why,
                    targets));
        }
        return all;
    }
}
