package dev.ron.admin.truth;

import dev.ron.admin.view.NodeDetail;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * What a node's documents say, read tolerantly: a member that is missing or of another type is not there, {@code
 * camelCase} is taken for {@code snake_case}, and everything is cut to a size that can be shown.
 */
final class Facts {
    private static final JsonMapper JSON = JsonMapper.shared();
    private static final int MAX_TEXT = 512;
    private static final int MAX_LIST = 64;
    private static final int MAX_DEPTH = 5;

    /** The members of each service's own data that are passed on. */
    private static final Map<String, Set<String>> KNOWN_DATA = Map.of(
            "gateway", Set.of("degraded", "drr", "tenants", "upstreams", "arbiters"),
            "edge", Set.of("cache", "cas", "fill", "packs", "ram"),
            "passport", Set.of("epoch", "alg_set", "kids", "kms", "policy", "policy_version"),
            "registry",
                    Set.of(
                            "head",
                            "version",
                            "hash",
                            "frozen",
                            "pending",
                            "pending_proposals",
                            "checkpoint",
                            "verify",
                            "storage_bytes"),
            "admin", Set.of("nodes", "sse_streams", "auth_mode"));

    private Facts() {}

    /** The document of an answer; null where it is not a JSON object. */
    static @Nullable JsonNode object(Answer.Said said) {
        try {
            JsonNode node = JSON.readTree(said.body());
            return node != null && node.isObject() ? node : null;
        } catch (JacksonException e) {
            return null;
        }
    }

    static @Nullable JsonNode member(@Nullable JsonNode node, String name) {
        if (node == null) {
            return null;
        }
        JsonNode found = node.get(name);
        return found != null ? found : node.get(camel(name));
    }

    private static String camel(String name) {
        StringBuilder out = new StringBuilder();
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            if (c == '_' && i + 1 < name.length()) {
                out.append(Character.toUpperCase(name.charAt(++i)));
            } else {
                out.append(c);
            }
        }
        return out.toString();
    }

    static @Nullable String text(@Nullable JsonNode node, String name) {
        JsonNode found = member(node, name);
        return found != null && found.isString() ? clean(found.stringValue(), MAX_TEXT) : null;
    }

    static @Nullable Boolean flag(@Nullable JsonNode node, String name) {
        JsonNode found = member(node, name);
        return (found != null && found.isBoolean()) ? Boolean.valueOf(found.booleanValue()) : null;
    }

    static @Nullable Long number(@Nullable JsonNode node, String name) {
        JsonNode found = member(node, name);
        return found != null && found.isNumber() && found.canConvertToLong() ? Long.valueOf(found.longValue()) : null;
    }

    static List<String> texts(@Nullable JsonNode node, String name) {
        List<String> all = new ArrayList<>();
        JsonNode found = member(node, name);
        if (found != null && found.isArray()) {
            for (JsonNode item : found) {
                if (item.isString() && all.size() < MAX_LIST) {
                    all.add(clean(item.stringValue(), 128));
                }
            }
        }
        return all;
    }

    /** The text without control and direction characters, cut to a length. */
    static String clean(String text, int max) {
        StringBuilder out = new StringBuilder(Math.min(text.length(), max));
        for (int i = 0; i < text.length() && out.length() < max; i++) {
            char c = text.charAt(i);
            boolean direction = (c >= '\u202a' && c <= '\u202e')
                    || (c >= '\u2066' && c <= '\u2069')
                    || c == '\u200e'
                    || c == '\u200f';
            out.append(Character.isISOControl(c) || direction ? ' ' : c);
        }
        return out.toString();
    }

    static List<NodeDetail.Plane> planes(@Nullable JsonNode status) {
        List<NodeDetail.Plane> planes = new ArrayList<>();
        JsonNode all = member(status, "planes");
        if (all != null && all.isArray()) {
            for (JsonNode one : all) {
                String name = text(one, "name");
                if (one.isObject() && name != null && planes.size() < MAX_LIST) {
                    String health = health(text(one, "health"));
                    Boolean ready = flag(one, "ready");
                    Long restarts = number(one, "restart_count");
                    planes.add(new NodeDetail.Plane(
                            name,
                            health,
                            ready == null ? health.equals("ok") || health.equals("degraded") : ready,
                            restarts == null ? 0 : restarts,
                            text(one, "notes")));
                }
            }
        }
        return planes;
    }

    /** The gateway's upstreams of which no target answers; one that says nothing about its targets is not among them. */
    static List<String> silentUpstreams(@Nullable JsonNode status) {
        List<String> silent = new ArrayList<>();
        JsonNode data = member(status, "service_data");
        JsonNode own = "svc-gateway".equals(text(status, "service")) ? data : member(data, "gateway");
        JsonNode all = member(own, "upstreams");
        if (all != null && all.isArray()) {
            for (JsonNode upstream : all) {
                String id = text(upstream, "id");
                JsonNode targets = member(upstream, "targets");
                boolean none = targets != null && targets.isArray() && !targets.isEmpty();
                if (targets != null) {
                    for (JsonNode target : targets) {
                        none &= isSilent(target);
                    }
                }
                if (id != null && none && silent.size() < MAX_LIST) {
                    silent.add(id);
                }
            }
        }
        return silent;
    }

    private static boolean isSilent(JsonNode target) {
        return Boolean.FALSE.equals(flag(target, "healthy")) || Boolean.TRUE.equals(flag(target, "ejected"));
    }

    /** The console's word for a node's: ok, degraded, fail or unknown. */
    static String health(@Nullable String word) {
        return switch (word == null ? "" : word.toLowerCase(Locale.ROOT)) {
            case "healthy", "ok", "up", "pass" -> "ok";
            case "degraded", "warn", "pending" -> "degraded";
            case "down", "fail", "error", "critical" -> "fail";
            default -> "unknown";
        };
    }

    static List<NodeDetail.Queue> queues(@Nullable JsonNode status) {
        List<NodeDetail.Queue> queues = new ArrayList<>();
        JsonNode all = member(status, "queues");
        if (all != null && all.isArray()) {
            for (JsonNode one : all) {
                String name = text(one, "name");
                Long depth = number(one, "depth");
                if (name != null && depth != null && queues.size() < MAX_LIST) {
                    queues.add(
                            new NodeDetail.Queue(name, depth, number(one, "capacity"), number(one, "dropped_total")));
                }
            }
        }
        return queues;
    }

    static List<NodeDetail.Task> tasks(@Nullable JsonNode status) {
        List<NodeDetail.Task> tasks = new ArrayList<>();
        JsonNode all = member(status, "tasks");
        if (all != null && all.isArray()) {
            for (JsonNode one : all) {
                String name = text(one, "name");
                String state = text(one, "state");
                Long restarts = number(one, "restarts");
                if (name != null && state != null && tasks.size() < MAX_LIST) {
                    tasks.add(new NodeDetail.Task(name, state, restarts == null ? 0 : restarts));
                }
            }
        }
        return tasks;
    }

    static Map<String, Boolean> flags(@Nullable JsonNode node, String name) {
        Map<String, Boolean> flags = new LinkedHashMap<>();
        JsonNode all = member(node, name);
        if (all != null && all.isObject()) {
            all.properties().forEach(one -> {
                if (one.getValue().isBoolean() && flags.size() < 256) {
                    flags.put(clean(one.getKey(), 128), one.getValue().booleanValue());
                }
            });
        }
        return flags;
    }

    /** The known members of the services' own data, by service. */
    static Map<String, Object> serviceData(@Nullable JsonNode status) {
        JsonNode data = member(status, "service_data");
        if (data == null || !data.isObject()) {
            return Map.of();
        }
        String service = text(status, "service");
        String alone = service != null && service.startsWith("svc-") ? service.substring(4) : "";
        Map<String, Object> known = new LinkedHashMap<>();
        KNOWN_DATA.forEach((name, members) -> {
            JsonNode own = name.equals(alone) ? data : data.get(name);
            if (own != null && own.isObject()) {
                Map<String, Object> kept = new LinkedHashMap<>();
                members.stream().sorted().forEach(member -> {
                    JsonNode value = member(own, member);
                    if (value != null) {
                        Object plain = plain(value, MAX_DEPTH);
                        if (plain != null) {
                            kept.put(member, plain);
                        }
                    }
                });
                known.put(name, kept);
            }
        });
        return known;
    }

    static @Nullable Object plain(JsonNode node, int depth) {
        if (depth == 0 || node.isNull()) {
            return null;
        }
        if (node.isString()) {
            return clean(node.stringValue(), 256);
        }
        if (node.isBoolean()) {
            return node.booleanValue();
        }
        if (node.isNumber()) {
            return node.isIntegralNumber() && node.canConvertToLong()
                    ? (Object) node.longValue()
                    : (Object) node.doubleValue();
        }
        if (node.isArray()) {
            List<Object> list = new ArrayList<>();
            for (JsonNode item : node) {
                Object value = list.size() < 50 ? plain(item, depth - 1) : null;
                if (value != null) {
                    list.add(value);
                }
            }
            return list;
        }
        Map<String, Object> map = new LinkedHashMap<>();
        node.properties().forEach(one -> {
            Object value = map.size() < MAX_LIST ? plain(one.getValue(), depth - 1) : null;
            if (value != null) {
                map.put(clean(one.getKey(), 128), value);
            }
        });
        return map;
    }
}
