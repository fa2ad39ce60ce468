package dev.ron.node.cli;

import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * What {@code ron top} saw of a node at one moment; a part is empty where its service does not run there.
 *
 * @param tenants every tenant at every upstream
 * @param cache what the edge answered from
 * @param registry the registry's own part of the status document
 */
record Look(
        long atNanos, JsonNode status, Optional<JsonNode> tenants, Optional<Cache> cache, Optional<JsonNode> registry) {

    /** Answers of an edge since its start. */
    record Cache(long hits, long misses) {
        long answers() {
            return hits + misses;
        }

        double ratio() {
            return answers() == 0 ? 0 : (double) hits / answers();
        }

        Cache since(Cache before) {
            return new Cache(Math.max(0, hits - before.hits), Math.max(0, misses - before.misses));
        }
    }

    static Look at(NodeTarget node, long nowNanos) {
        JsonNode status = node.get("/api/v1/status");
        return new Look(
                nowNanos,
                status,
                runs(status, "gateway") ? Optional.of(node.get("/admin/tenants").path("tenants")) : Optional.empty(),
                runs(status, "edge") ? Optional.of(cache(node.page("/metrics"))) : Optional.empty(),
                runs(status, "registry") ? Optional.of(own(status, "registry")) : Optional.empty());
    }

    private static boolean runs(JsonNode status, String service) {
        return status.path("services").has("svc-" + service);
    }

    /** A service that is alone in its process has the status document to itself. */
    private static JsonNode own(JsonNode status, String service) {
        JsonNode data = status.path("service_data");
        return status.path("service").asString("").equals("svc-" + service) ? data : data.path(service);
    }

    static Cache cache(String metrics) {
        return new Cache(sum(metrics, "edge_cache_hits_total"), sum(metrics, "edge_cache_misses_total"));
    }

    private static long sum(String metrics, String family) {
        return metrics.lines()
                .filter(line -> line.startsWith(family + "{"))
                .mapToLong(line -> (long) Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                .sum();
    }

    /** The same for scripts. */
    ObjectNode document() {
        ObjectNode out = JsonMapper.shared().createObjectNode();
        out.put("ready", status.path("ready").asBoolean(false));
        out.put("uptime_seconds", status.path("uptime_seconds").asLong(0));
        tenants.ifPresent(all -> out.set("tenants", all));
        out.set("queues", status.path("queues"));
        cache.ifPresent(seen -> out.putObject("edge")
                .put("hits_total", seen.hits())
                .put("misses_total", seen.misses())
                .put("hit_ratio", seen.ratio()));
        registry.ifPresent(log -> out.putObject("registry")
                .put("version", log.path("version").asLong(0))
                .put("pending_proposals", log.path("pending_proposals").asLong(0)));
        return out;
    }
}
