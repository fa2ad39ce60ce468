package dev.ron.edge;

import dev.ron.edge.cas.Cas;
import dev.ron.edge.mount.Mounts;
import dev.ron.edge.mount.PackCheck;
import dev.ron.edge.serve.HotCache;
import dev.ron.http.server.HttpHost;
import dev.ron.service.health.KeyState;
import dev.ron.service.health.Need;
import dev.ron.service.lifecycle.ServiceContext;
import dev.ron.service.metrics.HttpMetrics;
import dev.ron.service.metrics.ServiceMetrics;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The numbers of the edge, and whether its packs are as they should be. */
final class EdgeHealth {
    private final Mounts mounts;
    private final HotCache cache;
    private final Cas cas;
    private final PackCheck check;

    EdgeHealth(Mounts mounts, HotCache cache, Cas cas, PackCheck check) {
        this.mounts = mounts;
        this.cache = cache;
        this.cas = cas;
        this.check = check;
    }

    void bind(ServiceContext context, HttpHost host) {
        context.readiness().requireLive(this::keys);
        ServiceMetrics metrics = context.metrics();
        HttpMetrics.inflight(metrics, host::inflight);
        metrics.gauge("edge_inflight", "Requests in hand.", host::inflight);
        metrics.gauges("edge_pack_mounted", "1 for a mounted pack, 0 for one that cannot be.", "pack", this::mounted);
        metrics.gauges("edge_pack_checked", "1 once every directory was looked at.", "pack", this::checked);
        metrics.gauge("edge_hot_bytes", "Memory for hot objects.", cache::bytes);
        metrics.gauge("edge_hot_objects", "Hot objects.", cache::count);
        metrics.gauge("edge_cas_bytes", "Bytes in the store.", () -> cas.stats().bytes());
        metrics.gauge(
                "edge_cas_blobs", "Objects in the store.", () -> cas.stats().blobs());
        metrics.counts(
                "edge_cas_evictions_total",
                "Objects that made room for others.",
                List.of(),
                () -> Map.of(List.of(), cas.stats().evictions()));
        metrics.counts(
                "edge_cas_integrity_failures_total",
                "Stored objects found damaged.",
                List.of(),
                () -> Map.of(List.of(), cas.stats().damaged()));
    }

    private Map<String, Integer> mounted() {
        Map<String, Integer> states = new LinkedHashMap<>();
        mounts.faults().keySet().forEach(name -> states.put(name, 0));
        mounts.names().forEach(name -> states.put(name, 1));
        return states;
    }

    private Map<String, Integer> checked() {
        Map<String, Integer> states = new LinkedHashMap<>();
        mounts.names()
                .forEach(name -> states.put(
                        name, check.facts(name).filter(PackCheck.Facts::checked).isPresent() ? 1 : 0));
        return states;
    }

    /** A pack that cannot be served degrades the node; the others go on. */
    private List<KeyState> keys() {
        String cause = String.join(
                "; ", mounts.faults().values().stream().map(f -> f.detail()).toList());
        return List.of(new KeyState("packs_verified", Need.WRITE, cause.isEmpty(), cause));
    }
}
