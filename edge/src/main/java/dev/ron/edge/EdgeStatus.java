package dev.ron.edge;

import dev.ron.edge.cas.Cas;
import dev.ron.edge.cas.CasStats;
import dev.ron.edge.config.EdgeConfig;
import dev.ron.edge.fill.Flights;
import dev.ron.edge.mount.Mounts;
import dev.ron.edge.mount.PackCheck;
import dev.ron.edge.mount.SharedPack;
import dev.ron.edge.serve.HotCache;
import dev.ron.http.client.Target;
import dev.ron.service.metrics.ServiceMetrics;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The edge's own part of the status document, by the names that the console reads. */
record EdgeStatus(
        Mounts mounts,
        PackCheck check,
        HotCache cache,
        Cas cas,
        Flights<?, ?> flights,
        EdgeConfig first,
        ServiceMetrics metrics) {

    private static final List<String> HITS = List.of("ram", "pack", "cas", "static", "negative");
    private static final List<String> MISSES = List.of("cold", "stale");

    Map<String, Object> data() {
        CasStats store = cas.stats();
        return Map.of(
                "cache",
                Map.of(
                        "hits_total", sum("edge_cache_hits_total", "kind", HITS),
                        "misses_total", sum("edge_cache_misses_total", "cause", MISSES)),
                "ram",
                Map.of("bytes", cache.bytes(), "objects", cache.count()),
                "cas",
                Map.of("bytes", store.bytes(), "max_bytes", store.maxBytes(), "blobs", store.blobs()),
                "fill",
                Map.of("inflight", flights.size(), "hosts", hosts()),
                "packs",
                mounts.names().stream().flatMap(this::pack).toList(),
                "faults",
                mounts.faults().size());
    }

    private long sum(String family, String label, List<String> values) {
        return values.stream()
                .mapToLong(value -> metrics.count(family, label, value))
                .sum();
    }

    /** The origins that routes lead to, asked or not. */
    private List<Map<String, Object>> hosts() {
        return first.routes().values().stream()
                .map(route -> Target.of(route.base().toString()).host())
                .distinct()
                .sorted()
                .map(host -> Map.<String, Object>of(
                        "host",
                        host,
                        "attempts_total",
                        metrics.count("edge_live_fill_attempts_total", "host", host),
                        "success_total",
                        metrics.count("edge_live_fill_success_total", "host", host)))
                .toList();
    }

    private Stream<Map<String, Object>> pack(String name) {
        SharedPack pack = mounts.current(name);
        if (pack == null) {
            return Stream.empty();
        }
        Map<String, Object> facts = new LinkedHashMap<>();
        facts.put("name", name);
        facts.put("kind", pack.info().kind());
        facts.put("size", pack.size());
        check.facts(name).ifPresent(found -> {
            facts.put("verified", found.checked());
            found.digest().ifPresent(digest -> facts.put("b3", digest));
            facts.put("tiles", found.tiles());
        });
        return Stream.of(facts);
    }
}
