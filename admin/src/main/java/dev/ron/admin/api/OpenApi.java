package dev.ron.admin.api;

import dev.ron.admin.api.Shapes.Shape;
import dev.ron.admin.auth.Access;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The OpenAPI 3.1 document of the API, made from the route table and its records. */
public final class OpenApi {
    private static final JsonMapper JSON =
            JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();
    private static final Pattern NAME = Pattern.compile("\\{([a-z]+)}");

    private OpenApi() {}

    public static String write(String version) {
        Shapes shapes = Shapes.ofApi();
        ObjectNode out = JSON.createObjectNode();
        out.put("openapi", "3.1.0");
        out.putObject("info")
                .put("title", "RON console")
                .put("version", version)
                .put(
                        "description",
                        "Numbers that cannot be computed are null. Errors are application/problem+json. Unsafe methods need"
                                + " Content-Type: application/json, a same-origin request and X-Csrf-Token from /api/me.");
        ObjectNode paths = out.putObject("paths");
        for (Endpoint endpoint : Endpoint.values()) {
            ObjectNode path = paths.has(endpoint.path())
                    ? (ObjectNode) paths.get(endpoint.path())
                    : paths.putObject(endpoint.path());
            operation(path.putObject(endpoint.method().toLowerCase(Locale.ROOT)), endpoint);
        }
        probe(paths, "/healthz", "Whether the process lives.");
        probe(paths, "/readyz", "Whether the console can serve reads; the body names what is missing.");
        probe(paths, "/readyz/write", "Whether it can take actions; the body names what is missing.");
        ObjectNode components = out.putObject("components");
        ObjectNode schemas = components.putObject("schemas");
        shapes.records().forEach((name, type) -> record(schemas.putObject(name), shapes.members(type)));
        problem(schemas.putObject("Problem"));
        return JSON.writeValueAsString(out) + "\n";
    }

    private static void probe(ObjectNode paths, String path, String does) {
        ObjectNode out = paths.putObject(path).putObject("get").put("summary", does);
        ObjectNode responses = out.putObject("responses");
        for (int status : List.of(200, 503)) {
            ObjectNode response = responses.putObject(Integer.toString(status));
            response.put("description", status == 200 ? "yes" : "no");
            response.putObject("content").putObject("application/json");
        }
    }

    private static void operation(ObjectNode out, Endpoint endpoint) {
        out.put("operationId", endpoint.name().toLowerCase(Locale.ROOT));
        out.put("summary", endpoint.does());
        out.put("x-role", endpoint.access().words());
        Matcher names = NAME.matcher(endpoint.path());
        if (names.find()) {
            ObjectNode parameter = out.putArray("parameters").addObject();
            parameter.put("name", names.group(1)).put("in", "path").put("required", true);
            parameter.putObject("schema").put("type", "string").put("pattern", "^[a-z0-9][a-z0-9_-]{0,62}$");
        }
        if (endpoint.asked() != Void.class) {
            out.putObject("requestBody")
                    .put("required", true)
                    .putObject("content")
                    .putObject("application/json")
                    .putObject("schema")
                    .put("$ref", ref(Shapes.name(endpoint.asked())));
        }
        ObjectNode responses = out.putObject("responses");
        for (int status : statuses(endpoint)) {
            ObjectNode response = responses.putObject(Integer.toString(status));
            response.put("description", status < 400 ? "as asked" : "a problem");
            if (status >= 400) {
                content(response, "application/problem+json", "Problem");
            } else if (endpoint == Endpoint.EVENTS) {
                response.putObject("content").putObject("text/event-stream");
            } else if (endpoint.answer() != Void.class && status < 300 && status != 204) {
                content(response, "application/json", Shapes.name(endpoint.answer()));
            }
        }
    }

    private static List<Integer> statuses(Endpoint endpoint) {
        List<Integer> all = new ArrayList<>(endpoint.statuses());
        for (int refused : endpoint.access() == Access.OPEN ? List.<Integer>of() : List.of(401, 403, 503)) {
            if (!all.contains(refused)) {
                all.add(refused);
            }
        }
        return all.stream().sorted().toList();
    }

    private static void content(ObjectNode response, String media, String name) {
        response.putObject("content").putObject(media).putObject("schema").put("$ref", ref(name));
    }

    private static String ref(String name) {
        return "#/components/schemas/" + name;
    }

    private static void record(ObjectNode out, List<Shapes.Member> members) {
        out.put("type", "object");
        ObjectNode properties = out.putObject("properties");
        List<String> required = new ArrayList<>();
        for (Shapes.Member member : members) {
            schema(properties.putObject(member.name()), member.shape());
            if (!member.optional()) {
                required.add(member.name());
            }
        }
        ArrayNode names = out.putArray("required");
        required.forEach(names::add);
    }

    private static void schema(ObjectNode out, Shape shape) {
        switch (shape) {
            case Shape.Plain(String type, String format) -> {
                out.put("type", type);
                if (!format.isEmpty()) {
                    out.put("format", format);
                }
            }
            case Shape.Listed(Shape item) -> schema(out.put("type", "array").putObject("items"), item);
            case Shape.Keyed(Shape value) -> schema(out.put("type", "object").putObject("additionalProperties"), value);
            case Shape.Ref(String name) -> out.put("$ref", ref(name));
            case Shape.OrNull(Shape inner) -> {
                ArrayNode any = out.putArray("anyOf");
                schema(any.addObject(), inner);
                any.addObject().put("type", "null");
            }
            case Shape.Anything() -> {}
        }
    }

    private static void problem(ObjectNode out) {
        out.put("type", "object").put("description", "RFC 9457");
        ObjectNode members = out.putObject("properties");
        for (String text : List.of("type", "title", "detail", "instance", "code", "reason", "corr_id")) {
            members.putObject(text).put("type", "string");
        }
        members.putObject("status").put("type", "integer");
        members.putObject("retry_after").put("type", "integer");
        members.putObject("retryable").put("type", "boolean");
    }
}
