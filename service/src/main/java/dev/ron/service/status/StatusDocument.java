package dev.ron.service.status;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** {@code /api/v1/status}: the contract {@code ron-status/1}, a pure function of one view. */
public final class StatusDocument {
    static final int MAX_PLANES = 64;
    static final int MAX_QUEUES = 64;
    static final int MAX_TASKS = 64;
    static final int MAX_LIST = 50;
    static final int MAX_BODY_BYTES = 256 << 10;
    private static final JsonMapper JSON = JsonMapper.shared();

    private StatusDocument() {}

    public static byte[] body(StatusView view) {
        byte[] whole = write(view, view.serviceData());
        // A reader refuses a larger body, and half a document would be worse than one without its details.
        return whole.length <= MAX_BODY_BYTES
                ? whole
                : write(view, Map.of("truncated", "service data over " + MAX_BODY_BYTES + " bytes"));
    }

    private static byte[] write(StatusView view, Map<String, Object> serviceData) {
        ObjectNode out = JSON.createObjectNode();
        out.put("profile", view.identity().profile());
        out.put("version", view.identity().version());
        out.put("uptime_seconds", view.uptimeSeconds());
        out.put("ready", view.ready());
        ArrayNode capabilities = out.putArray("capabilities");
        view.capabilities().forEach(capabilities::add);
        planes(out.putArray("planes"), view.planes());
        view.addresses().forEach(out::put);
        strings(out.putObject("listeners"), view.listeners());
        out.put("log_level", view.logLevel());
        strings(out.putObject("deps"), view.deps());
        strings(out.putObject("services"), view.services());
        out.put("phase", view.phase());
        out.putObject("config")
                .put("version", view.config().version())
                .put("hash", view.config().hash())
                .put("loaded_at", view.config().loadedAt().toString());
        out.put("amnesia", view.identity().amnesia());
        ArrayNode tasks = out.putArray("tasks");
        view.tasks().stream()
                .limit(MAX_TASKS)
                .forEach(t -> tasks.addObject()
                        .put("name", t.name())
                        .put("state", t.state())
                        .put("restarts", t.restarts()));
        out.put("schema", "ron-status/1");
        out.put("service", view.identity().service());
        out.put("instance_id", view.identity().instanceId());
        ArrayNode queues = out.putArray("queues");
        view.queues().stream()
                .limit(MAX_QUEUES)
                .forEach(q -> queues.addObject()
                        .put("name", q.name())
                        .put("depth", q.depth())
                        .put("capacity", q.capacity())
                        .put("dropped_total", q.droppedTotal()));
        out.set("service_data", JSON.valueToTree(capped(serviceData)));
        return JSON.writeValueAsBytes(out);
    }

    private static void planes(ArrayNode out, List<Plane> planes) {
        planes.stream().limit(MAX_PLANES).forEach(p -> {
            ObjectNode node = out.addObject()
                    .put("name", p.name())
                    .put("health", p.health().word())
                    .put("ready", p.ready())
                    .put("restart_count", p.restartCount());
            if (p.notes() != null) {
                node.put("notes", p.notes());
            }
        });
    }

    private static void strings(ObjectNode out, Map<String, String> values) {
        values.forEach(out::put);
    }

    /** Cuts every list to the length the contract allows; records and numbers pass as they are. */
    private static Object capped(Object value) {
        return switch (value) {
            case List<?> list -> {
                List<Object> cut = new ArrayList<>();
                list.stream().limit(MAX_LIST).forEach(v -> cut.add(capped(v)));
                yield cut;
            }
            case Map<?, ?> map -> {
                Map<String, Object> cut = new LinkedHashMap<>();
                map.forEach((k, v) -> cut.put(String.valueOf(k), capped(v)));
                yield cut;
            }
            default -> value;
        };
    }
}
