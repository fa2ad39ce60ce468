package dev.ron.service.health;

import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The bodies of {@code /readyz} and {@code /readyz/write}, which are the same; only the status differs. */
public final class ReadyDocument {
    private static final JsonMapper JSON = JsonMapper.shared();

    private ReadyDocument() {}

    public static byte[] body(ReadyView view, String phase, long configVersion) {
        ObjectNode out = JSON.createObjectNode();
        out.put("ready", view.ready());
        out.put("write_ready", view.writeReady());
        out.put("degraded", view.degraded());
        ArrayNode missing = out.putArray("missing");
        view.missing().forEach(k -> missing.add(k.name()));
        if (!view.writeReady()) {
            out.put("retry_after", view.retryAfterSeconds());
        }
        out.put("since", view.since().toString());
        ObjectNode components = out.putObject("components");
        view.keys().forEach(k -> components.put(k.name(), k.met()));
        if (!view.missing().isEmpty()) {
            ObjectNode causes = out.putObject("causes");
            view.missing().forEach(k -> causes.put(k.name(), k.cause()));
        }
        out.put("phase", phase);
        out.put("mode", "truthful");
        out.put("config_version", configVersion);
        return JSON.writeValueAsBytes(out);
    }

    /** 200 or 503 for {@code /readyz}. */
    public static int readStatus(ReadyView view) {
        return view.ready() ? 200 : 503;
    }

    /** 200 or 503 for {@code /readyz/write}. */
    public static int writeStatus(ReadyView view) {
        return view.writeReady() ? 200 : 503;
    }
}
