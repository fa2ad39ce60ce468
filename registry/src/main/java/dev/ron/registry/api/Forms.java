package dev.ron.registry.api;

import dev.ron.http.message.Headers;
import dev.ron.http.message.Request;
import dev.ron.http.message.RequestHead;
import dev.ron.http.message.Response;
import dev.ron.kernel.error.Code;
import dev.ron.kernel.error.RonException;
import dev.ron.ledger.Refused;
import dev.ron.ledger.json.CanonicalJson;
import dev.ron.ledger.json.Json;
import dev.ron.ledger.json.StrictJson;
import dev.ron.registry.book.Refusals;
import dev.ron.registry.wire.Cbor;
import java.util.Locale;

/** Documents as JSON or CBOR, whichever the caller sends and wants. */
final class Forms {
    static final String JSON = "application/json";
    static final String CBOR = "application/cbor";
    static final String IMMUTABLE = "public, max-age=31536000, immutable";
    static final String BRIEF = "public, max-age=1";
    static final String NO_STORE = "no-store";

    private Forms() {}

    /** The body; what is not strictly well-formed is a 400, another media type a 415. */
    static Json read(Request request) {
        String media = request.headers().first("Content-Type").orElse("");
        int parameters = media.indexOf(';');
        String plain = (parameters < 0 ? media : media.substring(0, parameters))
                .strip()
                .toLowerCase(Locale.ROOT);
        try {
            return switch (plain) {
                case JSON -> StrictJson.SENT.read(request.body(), "body");
                case CBOR -> Cbor.read(request.body(), "body");
                default ->
                    throw new RonException(
                            Code.UNSUPPORTED_MEDIA,
                            "media_type",
                            "Content-Type must be application/json or application/cbor");
            };
        } catch (Refused e) {
            throw Refusals.of(e);
        }
    }

    static Response answer(RequestHead request, int status, Json.Obj document, String caching) {
        boolean cbor = wantsCbor(request);
        return answer(status, cbor, cbor ? Cbor.write(document) : CanonicalJson.bytes(document), caching);
    }

    /** For a small document whose JSON is written already. */
    static Response answer(RequestHead request, int status, byte[] json, String caching) {
        boolean cbor = wantsCbor(request);
        return answer(status, cbor, cbor ? Cbor.write(CanonicalJson.object(json)) : json, caching);
    }

    private static Response answer(int status, boolean cbor, byte[] body, String caching) {
        return Response.of(
                status,
                Headers.of(
                        "Content-Type",
                        cbor ? CBOR : JSON,
                        "Cache-Control",
                        caching,
                        "X-Content-Type-Options",
                        "nosniff"),
                body);
    }

    private static boolean wantsCbor(RequestHead request) {
        String accept = request.headers().first("Accept").orElse("*/*").toLowerCase(Locale.ROOT);
        if (accept.contains(CBOR)) {
            return true;
        }
        if (accept.contains(JSON) || accept.contains("*/*") || accept.contains("application/*")) {
            return false;
        }
        throw new RonException(
                Code.NOT_ACCEPTABLE, "not_acceptable", "this is served as application/json or application/cbor");
    }

    static Response text(String text, String caching) {
        return Response.text(text).withHeader("Cache-Control", caching);
    }

    static Response octets(byte[] bytes, String caching) {
        return Response.bytes(200, "application/octet-stream", bytes).withHeader("Cache-Control", caching);
    }
}
