package dev.ron.admin.panel;

import dev.ron.admin.series.Readings;
import dev.ron.admin.view.Panels;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** How much the edge answers from what it holds, and what it must fetch. */
final class EdgePanel {
    private static final String HITS = "edge_cache_hits_total";
    private static final String MISSES = "edge_cache_misses_total";
    private static final String BYTES_OUT = "bytes_out_total";
    private static final String CAS_BYTES = "edge_cas_bytes";
    private static final String MOUNTED = "edge_pack_mounted";
    private static final String CHECKED = "edge_pack_checked";
    private static final String ATTEMPTS = "edge_live_fill_attempts_total";
    private static final String SUCCESSES = "edge_live_fill_success_total";

    /** Without those of fills, which appear with the first host that is asked. */
    static final List<String> METRICS = List.of(HITS, MISSES, BYTES_OUT, CAS_BYTES, MOUNTED, CHECKED);

    private EdgePanel() {}

    static Panels.Edge of(@Nullable String cause, Told own, Readings readings) {
        Double hits = readings.sum(HITS);
        Double misses = readings.sum(MISSES);
        double all = (hits == null ? 0 : hits) + (misses == null ? 0 : misses);
        Told cas = own.part("cas");
        return new Panels.Edge(
                cause == null,
                cause,
                hits != null && all > 0 ? Double.valueOf(hits / all) : null,
                hits,
                misses,
                readings.sum(BYTES_OUT, Map.of("service", "edge")),
                Told.firstOf(readings.sum(CAS_BYTES), cas.number("bytes")),
                cas.number("max_bytes"),
                fills(readings),
                packs(own, readings),
                readings.ratio(HITS, MISSES));
    }

    private static List<Panels.FillHost> fills(Readings readings) {
        Map<String, Double> successes = readings.by(SUCCESSES, "host");
        List<Panels.FillHost> fills = new ArrayList<>();
        readings.by(ATTEMPTS, "host").forEach((host, rate) -> {
            Double good = successes.get(host);
            fills.add(new Panels.FillHost(
                    host, rate, good != null && rate > 0 ? Double.valueOf(Math.min(1, good / rate)) : null));
        });
        return fills;
    }

    /** The packs that the metrics name, with what the status adds. */
    private static List<Map<String, Object>> packs(Told own, Readings readings) {
        Map<String, Map<String, Object>> packs = new LinkedHashMap<>();
        Map<String, Double> checked = readings.by(CHECKED, "pack");
        readings.by(MOUNTED, "pack").forEach((name, mounted) -> {
            Map<String, Object> pack = new LinkedHashMap<>();
            pack.put("name", name);
            pack.put("mounted", mounted > 0);
            pack.put("verified", checked.getOrDefault(name, 0.0) > 0);
            packs.put(name, pack);
        });
        for (Told told : own.parts("packs")) {
            String name = told.text("name");
            if (name != null) {
                packs.computeIfAbsent(name, n -> new LinkedHashMap<>(Map.of("name", n)))
                        .putAll(told.members());
            }
        }
        return List.copyOf(packs.values());
    }
}
