package dev.ron.service.trace;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The JSON form of an OTLP trace export (opentelemetry-proto 1.x): ids in hex, times as decimal strings. */
final class OtlpJson {
    private static final int KIND_SERVER = 2;
    private static final int STATUS_OK = 1;
    private static final int STATUS_ERROR = 2;

    private OtlpJson() {}

    static byte[] encode(List<Span> spans, String instanceId) {
        ObjectNode root = JsonMapper.shared().createObjectNode();
        ArrayNode resources = root.putArray("resourceSpans");
        Map<String, ArrayNode> byService = new LinkedHashMap<>();
        for (Span span : spans) {
            byService
                    .computeIfAbsent(span.service(), s -> resource(resources, s, instanceId))
                    .add(span(span));
        }
        return JsonMapper.shared().writeValueAsBytes(root);
    }

    private static ArrayNode resource(ArrayNode resources, String service, String instanceId) {
        ObjectNode resource = resources.addObject();
        ArrayNode attributes = resource.putObject("resource").putArray("attributes");
        attribute(attributes, "service.name", "svc-" + service);
        attribute(attributes, "service.namespace", "ron");
        attribute(attributes, "service.instance.id", instanceId);
        ObjectNode scope = resource.putArray("scopeSpans").addObject();
        scope.putObject("scope").put("name", "dev.ron");
        return scope.putArray("spans");
    }

    private static ObjectNode span(Span span) {
        ObjectNode out = JsonMapper.shared().createObjectNode();
        out.put("traceId", span.context().traceId());
        out.put("spanId", span.context().spanId());
        if (!span.parentSpanId().isEmpty()) {
            out.put("parentSpanId", span.parentSpanId());
        }
        out.put("name", span.name());
        out.put("kind", KIND_SERVER);
        out.put("startTimeUnixNano", nanos(span.start()));
        out.put("endTimeUnixNano", nanos(span.end()));
        ArrayNode attributes = out.putArray("attributes");
        span.attributes().forEach((k, v) -> attribute(attributes, k, v));
        out.putObject("status").put("code", span.ok() ? STATUS_OK : STATUS_ERROR);
        return out;
    }

    private static void attribute(ArrayNode out, String key, String value) {
        out.addObject().put("key", key).putObject("value").put("stringValue", value);
    }

    private static String nanos(Instant at) {
        return Long.toString(at.getEpochSecond() * 1_000_000_000L + at.getNano());
    }
}
