package dev.ron.http.client.stream;

import dev.ron.http.message.Headers;
import java.time.Duration;

/**
 * What is sent before the body.
 *
 * @param target path and query, in the form of RFC 9112 §3.2.1
 * @param headers every field but those that frame the message; with Host
 * @param bodyLength the number of bytes, or {@link #CHUNKED}, or {@link #NO_BODY}
 * @param deadlineNanos when the head of the response must have come, on the loops' clock
 * @param streamIdle the longest silence inside the response's body
 * @param fresh never takes a connection that was used before
 */
public record StreamRequest(
        String method,
        String target,
        Headers headers,
        long bodyLength,
        long deadlineNanos,
        Duration streamIdle,
        boolean fresh) {
    public static final long CHUNKED = -1;

    /** No body and no word about one; 0 says that the body is empty. */
    public static final long NO_BODY = -2;

    boolean hasBody() {
        return bodyLength > 0 || bodyLength == CHUNKED;
    }

    /** The same call on a new connection. */
    public StreamRequest onFreshConnection() {
        return new StreamRequest(method, target, headers, bodyLength, deadlineNanos, streamIdle, true);
    }
}
