package dev.ron.http.message;

import dev.ron.http.problem.Problem;
import dev.ron.kernel.error.RonException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * A whole answer; immutable, and cheap to send many times.
 *
 * <p>Date, X-Corr-ID, Content-Length and Connection are the host's business and are not among its headers.
 */
public final class Response {
    private static final List<String> HOST_FIELDS =
            List.of("Content-Length", "Transfer-Encoding", "Connection", "Date", "X-Corr-ID");
    private static final byte[] NO_BODY = new byte[0];
    private static final Headers TEXT = Headers.of("Content-Type", "text/plain; charset=utf-8");
    private static final Headers JSON = Headers.of("Content-Type", "application/json");

    private final int status;
    private final Headers headers;
    private final byte[] body;

    private Response(int status, Headers headers, byte[] body) {
        if (status < 200 || status > 599) {
            throw new IllegalArgumentException("status: " + status + " (expected: 200..599)");
        }
        this.status = status;
        this.headers = headers;
        this.body = body;
    }

    /** Takes the body over: the caller does not change it any more. */
    public static Response of(int status, Headers headers, byte[] body) {
        requireOpen(headers);
        return new Response(status, headers, body);
    }

    /** Refuses fields that the host writes itself: two of them would let an answer be read in two ways. */
    public static void requireOpen(Headers headers) {
        for (String name : HOST_FIELDS) {
            if (headers.contains(name)) {
                throw new IllegalArgumentException(name + " is the host's business, not a handler's");
            }
        }
    }

    public static Response status(int status) {
        return new Response(status, Headers.NONE, NO_BODY);
    }

    public static Response noContent() {
        return status(204);
    }

    public static Response bytes(int status, String contentType, byte[] body) {
        return new Response(status, Headers.of("Content-Type", contentType), body);
    }

    public static Response text(int status, String text) {
        return new Response(status, TEXT, text.getBytes(StandardCharsets.UTF_8));
    }

    public static Response text(String text) {
        return text(200, text);
    }

    /** A JSON document that is already written. */
    public static Response json(int status, byte[] document) {
        return new Response(status, JSON, document);
    }

    public static Response json(int status, String document) {
        return json(status, document.getBytes(StandardCharsets.UTF_8));
    }

    public static Response problem(Problem problem) {
        return problem(problem, Headers.NONE);
    }

    /** The same with more fields; unless they say how long it may be kept, it may not be. */
    public static Response problem(Problem problem, Headers more) {
        Headers.Builder fields = new Headers.Builder().add("Content-Type", Problem.MEDIA_TYPE);
        if (!more.contains("Cache-Control")) {
            fields.add("Cache-Control", "no-store");
        }
        if (problem.retryAfter() > 0) {
            fields.add("Retry-After", Integer.toString(problem.retryAfter()));
        }
        return new Response(problem.status(), fields.build(), problem.toJson()).with(more);
    }

    /** The problem for a failure, as an answer to this request. */
    public static Response problem(RonException failure, RequestHead request) {
        return problem(Problem.of(failure, request.path(), request.context().corrId()));
    }

    public Response withHeader(String name, String value) {
        return of(status, headers.toBuilder().add(name, value).build(), body);
    }

    public Response with(Headers more) {
        if (more.size() == 0) {
            return this;
        }
        Headers.Builder all = headers.toBuilder();
        for (int i = 0; i < more.size(); i++) {
            all.copy(more, i);
        }
        return of(status, all.build(), body);
    }

    public int status() {
        return status;
    }

    public Headers headers() {
        return headers;
    }

    /** The body itself, not a copy: it must not be changed. */
    public byte[] body() {
        return body;
    }

    @Override
    public String toString() {
        return status + ", " + body.length + " bytes";
    }
}
