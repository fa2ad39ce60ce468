package dev.ron.http.client;

import io.netty.handler.codec.http.HttpHeaders;
import java.util.Optional;

/** A whole response; any status, redirects included, is an answer and not an error. */
public final class ClientResponse {
    private final int status;
    private final HttpHeaders headers;
    private final byte[] body;

    ClientResponse(int status, HttpHeaders headers, byte[] body) {
        this.status = status;
        this.headers = headers;
        this.body = body;
    }

    public int status() {
        return status;
    }

    public HttpHeaders headers() {
        return headers;
    }

    public Optional<String> header(String name) {
        return Optional.ofNullable(headers.get(name));
    }

    /** The body as it came, still in its content coding; the caller owns the array. */
    public byte[] body() {
        return body;
    }

    @Override
    public String toString() {
        return status + ", " + body.length + " bytes";
    }
}
