package dev.ron.admin.truth;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/** Passes the named members of a node's answer on, and no other. */
public final class Known {
    private Known() {}

    public static Map<String, Object> members(Answer.Said said, List<String> names) {
        JsonNode document = Facts.object(said);
        Map<String, Object> known = new LinkedHashMap<>();
        for (String name : names) {
            JsonNode value = Facts.member(document, name);
            Object plain = value == null ? null : Facts.plain(value, 4);
            if (plain != null) {
                known.put(name, plain);
            }
        }
        return known;
    }
}
