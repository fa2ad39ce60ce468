package dev.ron.service.status;

import java.util.List;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The body of {@code /version}. */
public final class VersionDocument {
    private VersionDocument() {}

    public static byte[] body(StatusView.Identity identity, BuildInfo build, List<String> features, String pqMode) {
        ObjectNode out = JsonMapper.shared().createObjectNode();
        out.put("service", identity.service());
        out.put("version", build.version());
        out.put("git_sha", build.gitSha());
        out.put("build_ts", build.built().toString());
        out.put("java", Runtime.version().toString());
        out.putObject("api").put("http", "v1");
        out.put("profile", identity.profile());
        ArrayNode list = out.putArray("features");
        features.forEach(list::add);
        out.put("amnesia", identity.amnesia());
        out.put("pq_mode", pqMode);
        return JsonMapper.shared().writeValueAsBytes(out);
    }
}
