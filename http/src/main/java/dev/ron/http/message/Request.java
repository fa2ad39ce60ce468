package dev.ron.http.message;

import dev.ron.http.json.StrictJson;
import dev.ron.http.route.PathParams;
import dev.ron.kernel.call.CallContext;
import dev.ron.kernel.error.Code;
import dev.ron.kernel.error.RonException;
import java.net.SocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.cert.X509Certificate;
import java.util.List;

/** A whole request: the head, and the body decoded and within its caps. */
public final class Request implements RequestHead {
    private final RequestHead head;
    private final byte[] body;

    public Request(RequestHead head, byte[] body) {
        this.head = head;
        this.body = body;
    }

    @Override
    public String method() {
        return head.method();
    }

    @Override
    public String path() {
        return head.path();
    }

    @Override
    public String query() {
        return head.query();
    }

    @Override
    public PathParams params() {
        return head.params();
    }

    /** The decoded value of a name of the route's template. */
    public String param(String name) {
        return head.params().get(name);
    }

    /** The query's parameters, decoded. */
    public QueryParams queryParams() {
        return QueryParams.parse(head.query());
    }

    @Override
    public Headers headers() {
        return head.headers();
    }

    @Override
    public CallContext context() {
        return head.context();
    }

    @Override
    public SocketAddress peer() {
        return head.peer();
    }

    @Override
    public boolean secure() {
        return head.secure();
    }

    @Override
    public List<X509Certificate> clientCertificates() {
        return head.clientCertificates();
    }

    /** The body; empty if there was none. The array is the handler's own. */
    public byte[] body() {
        return body;
    }

    /** The body as a record, read strictly; another media type is 415, a document that does not fit is 400. */
    public <T> T json(StrictJson reader, Class<T> type) {
        String media = head.headers().first("Content-Type").orElse("");
        int parameters = media.indexOf(';');
        String plain = (parameters < 0 ? media : media.substring(0, parameters)).strip();
        if (!plain.equalsIgnoreCase("application/json")) {
            throw new RonException(Code.UNSUPPORTED_MEDIA, "media_type", "Content-Type must be application/json");
        }
        return reader.read(body, type);
    }

    public String bodyText() {
        return new String(body, StandardCharsets.UTF_8);
    }

    @Override
    public String toString() {
        return method() + " " + path();
    }
}
