package dev.ron.admin.series;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Which families are followed and which of their labels are kept; everything else is summed away. */
final class Wanted {
    private static final List<String> BY_OP = List.of("service", "op");
    private static final List<String> BY_KIND = List.of("service", "kind");
    private static final List<String> BY_REASON = List.of("service", "reason");
    private static final List<String> BY_QUEUE = List.of("service", "queue");
    private static final List<String> BY_ENDPOINT = List.of("service", "endpoint");
    private static final List<String> BY_SERVICE = List.of("service");

    static final String REQUESTS = "http_requests_total";
    static final String LATENCY = "request_latency_seconds";
    static final String INFLIGHT = "inflight_requests";
    static final String STARTED = "process_start_time_seconds";
    static final String FACET = "ron_facet_";

    /** Labels to keep, by the name of the family; histograms without their suffix. */
    private static final Map<String, List<String>> KEPT = Map.ofEntries(
            Map.entry(REQUESTS, List.of("service", "status")),
            Map.entry(LATENCY, BY_SERVICE),
            Map.entry("http_request_duration_seconds", BY_SERVICE),
            Map.entry("http_server_requests_seconds", BY_SERVICE),
            Map.entry(INFLIGHT, BY_SERVICE),
            Map.entry(STARTED, List.of()),
            Map.entry("rejected_total", BY_REASON),
            Map.entry("rejects_total", BY_REASON),
            Map.entry("svc_admin_rejected_total", BY_REASON),
            Map.entry("busy_rejections_total", BY_ENDPOINT),
            Map.entry("svc_admin_busy_rejections_total", BY_ENDPOINT),
            Map.entry("queue_depth", BY_QUEUE),
            Map.entry("queue_dropped_total", BY_QUEUE),
            Map.entry("svc_admin_queue_dropped_total", BY_QUEUE),
            Map.entry("service_restarts_total", BY_SERVICE),
            Map.entry("bus_lagged_total", BY_SERVICE),
            Map.entry("io_timeouts_total", BY_OP),
            Map.entry("svc_admin_io_timeouts_total", BY_OP),
            Map.entry("backoff_retries_total", BY_OP),
            Map.entry("tasks_aborted_total", BY_KIND),
            Map.entry("bytes_in_total", BY_SERVICE),
            Map.entry("bytes_out_total", BY_SERVICE),
            Map.entry("commit_fsync_seconds", List.of()),
            Map.entry("commit_cas_fail_total", List.of()),
            Map.entry("process_resident_memory_bytes", List.of()),
            Map.entry("process_cpu_seconds_total", List.of()),
            Map.entry("jvm_memory_used_bytes", List.of("area")),
            Map.entry("jvm_memory_bytes", List.of("area")),
            Map.entry("event_loop_lag_seconds", List.of("loop")));

    private static final List<byte[]> PREFIXES =
            List.of(bytes("gateway_"), bytes("edge_"), bytes("svc_passport_"), bytes("registry_"), bytes(FACET));
    private static final byte[] FACET_LABEL = bytes("facet=\"");
    private static final Set<String> WAITING = Set.of(
            "/v1/passport/revocations", "/api/events", "/sse", "/ws", "/v1/registry/events", "/v1/registry/watch");
    private static final List<String> SUFFIXES = List.of("_bucket", "_sum", "_count", "_created");
    private static final long[] NAMES = table();

    private Wanted() {}

    static boolean wants(byte[] text, int from, int to, int lineEnd) {
        for (byte[] prefix : PREFIXES) {
            if (startsWith(text, from, to, prefix)) {
                return true;
            }
        }
        return isNamed(hash(text, from, to)) || contains(text, to, lineEnd, FACET_LABEL);
    }

    /** Whether callers of a route wait on purpose, for events or news: their patience is not the node's latency. */
    static boolean waits(String route) {
        return WAITING.contains(route);
    }

    /** The labels to keep of a listed family. */
    static List<String> kept(String family) {
        return KEPT.getOrDefault(family, List.of());
    }

    static boolean isListed(String family) {
        return KEPT.containsKey(family);
    }

    private static long[] table() {
        long[] table = new long[512];
        for (String family : KEPT.keySet()) {
            put(table, family);
            for (String suffix : SUFFIXES) {
                put(table, family + suffix);
            }
        }
        return table;
    }

    private static void put(long[] table, String name) {
        byte[] text = bytes(name);
        long hash = hash(text, 0, text.length);
        int at = (int) hash & (table.length - 1);
        while (table[at] != 0 && table[at] != hash) {
            at = (at + 1) & (table.length - 1);
        }
        table[at] = hash;
    }

    private static boolean isNamed(long hash) {
        int at = (int) hash & (NAMES.length - 1);
        while (NAMES[at] != 0) {
            if (NAMES[at] == hash) {
                return true;
            }
            at = (at + 1) & (NAMES.length - 1);
        }
        return false;
    }

    private static long hash(byte[] text, int from, int to) {
        long h = 0xcbf29ce484222325L;
        for (int i = from; i < to; i++) {
            h = (h ^ text[i]) * 0x100000001b3L;
        }
        return h == 0 ? 1 : h;
    }

    private static boolean startsWith(byte[] text, int from, int to, byte[] prefix) {
        if (to - from < prefix.length) {
            return false;
        }
        for (int i = 0; i < prefix.length; i++) {
            if (text[from + i] != prefix[i]) {
                return false;
            }
        }
        return true;
    }

    private static boolean contains(byte[] text, int from, int to, byte[] part) {
        int last = to - part.length;
        for (int i = from; i <= last; i++) {
            if (text[i] == part[0] && startsWith(text, i, to, part)) {
                return true;
            }
        }
        return false;
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }
}
