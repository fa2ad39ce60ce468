package dev.ron.admin.api;

import dev.ron.http.json.StrictJson;
import tools.jackson.databind.json.JsonMapper;

/** Writes the records of the API, and reads the bodies of requests strictly. */
final class Json {
    private static final JsonMapper MAPPER = JsonMapper.builder().build();
    static final StrictJson STRICT = new StrictJson();

    private Json() {}

    static byte[] bytes(Object document) {
        return MAPPER.writeValueAsBytes(document);
    }

    static String text(Object document) {
        return MAPPER.writeValueAsString(document);
    }
}
