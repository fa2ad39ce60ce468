package dev.ron.passport.api;

import dev.ron.http.message.Request;
import dev.ron.http.message.Response;
import dev.ron.http.server.BlockingHandler;
import dev.ron.kernel.error.Code;
import dev.ron.kernel.error.RonException;
import dev.ron.service.keys.Bearer;
import dev.ron.token.caveat.Caveat;
import dev.ron.token.caveat.CaveatCodec;
import dev.ron.token.json.CanonicalJson;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.util.RawValue;

/** Documents this service sends. */
final class Answers {
    private Answers() {}

    static ObjectNode object() {
        return JsonMapper.shared().createObjectNode();
    }

    /** An answer that no cache may keep. */
    static Response ok(ObjectNode body) {
        return json(200, body);
    }

    static Response json(int status, ObjectNode body) {
        return Response.json(status, JsonMapper.shared().writeValueAsBytes(body))
                .withHeader("Cache-Control", "no-store");
    }

    /** Caveats as they stand in a token. */
    static RawValue caveats(List<Caveat> caveats) {
        return new RawValue(CanonicalJson.write(CaveatCodec.toJson(caveats)));
    }

    /** Marks what a browser must not take for something else; adds the challenge that a 401 must carry and a 403 may. */
    static BlockingHandler marked(BlockingHandler handler) {
        return request -> {
            try {
                Response answer = handler.handle(request);
                // A 304 has nothing to sniff, and says only what a cache may renew.
                return answer.status() == 304 ? answer : answer.withHeader("X-Content-Type-Options", "nosniff");
            } catch (RonException refused) {
                if (Bearer.challenge(refused, request).isEmpty()) {
                    throw refused;
                }
                return Bearer.answer(refused, request);
            }
        };
    }

    static void requireJson(Request request) {
        String type = request.headers().first("Content-Type").orElse("").toLowerCase(Locale.ROOT);
        if (!type.equals("application/json") && !type.startsWith("application/json;")) {
            throw new RonException(Code.UNSUPPORTED_MEDIA, "unsupported_media", "send Content-Type: application/json");
        }
    }

    /** A document with a tag: 304 where the caller has it already. */
    static Response tagged(Request request, String tag, String caching, Supplier<Response> document) {
        boolean known = request.headers().all("If-None-Match").stream()
                .flatMap(value -> List.of(value.split(",")).stream())
                .map(value -> bare(value.strip()))
                .anyMatch(value -> value.equals(bare(tag)) || value.equals("*"));
        Response response = known ? Response.status(304) : document.get();
        return response.withHeader("ETag", tag).withHeader("Cache-Control", caching);
    }

    /** If-None-Match compares weakly (RFC 9110, 13.1.2). */
    private static String bare(String tag) {
        return tag.startsWith("W/") ? tag.substring(2) : tag;
    }
}
