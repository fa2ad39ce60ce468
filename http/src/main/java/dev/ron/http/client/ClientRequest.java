package dev.ron.http.client;

import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.HttpHeaders;
import java.net.URI;
import java.util.Locale;
import java.util.Set;

/** One request with its whole body; the client adds Host, length, correlation, trace and time limit. */
public final class ClientRequest {
    private static final Set<String> IDEMPOTENT = Set.of("GET", "HEAD", "OPTIONS", "PUT", "DELETE");
    private static final Set<String> OURS =
            Set.of("host", "content-length", "transfer-encoding", "connection", "upgrade", "expect", "te", "trailer");
    private static final byte[] NOTHING = new byte[0];

    private final String method;
    private final Target target;
    private final String pathAndQuery;
    private final HttpHeaders headers = new DefaultHttpHeaders();
    private byte[] body = NOTHING;
    private int maxBodyBytes = Integer.MAX_VALUE;

    private ClientRequest(String method, URI uri) {
        if (uri.getRawFragment() != null) {
            throw new IllegalArgumentException("url with a fragment (expected: none)");
        }
        String path = uri.getRawPath() == null || uri.getRawPath().isEmpty() ? "/" : uri.getRawPath();
        this.method = method;
        this.target = Target.of(uri);
        this.pathAndQuery = uri.getRawQuery() == null ? path : path + "?" + uri.getRawQuery();
    }

    public static ClientRequest get(String url) {
        return of("GET", url);
    }

    public static ClientRequest post(String url, String contentType, byte[] body) {
        return of("POST", url).header("content-type", contentType).body(body);
    }

    public static ClientRequest of(String method, String url) {
        return new ClientRequest(method, Target.parse(url));
    }

    /** Adds a header field; a name or value that would break the message is an {@link IllegalArgumentException}. */
    public ClientRequest header(String name, String value) {
        if (OURS.contains(name.toLowerCase(Locale.ROOT))) {
            throw new IllegalArgumentException(
                    "header " + name + " (expected: none of " + OURS + ", the client sets them)");
        }
        headers.add(name, value);
        return this;
    }

    public ClientRequest body(byte[] bytes) {
        body = bytes;
        return this;
    }

    /** Refuses a response body beyond this, where the client's own limit is not lower. */
    public ClientRequest maxBodyBytes(int limit) {
        maxBodyBytes = limit;
        return this;
    }

    public String method() {
        return method;
    }

    public Target target() {
        return target;
    }

    String pathAndQuery() {
        return pathAndQuery;
    }

    HttpHeaders headers() {
        return headers;
    }

    byte[] body() {
        return body;
    }

    int maxBodyBytes() {
        return maxBodyBytes;
    }

    boolean idempotent() {
        return IDEMPOTENT.contains(method);
    }
}
