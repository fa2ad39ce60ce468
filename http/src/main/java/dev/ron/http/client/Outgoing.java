package dev.ron.http.client;

import dev.ron.kernel.call.CallContext;
import dev.ron.kernel.time.Deadline;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.DefaultFullHttpRequest;
import io.netty.handler.codec.http.EmptyHttpHeaders;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpVersion;
import java.time.Duration;
import java.util.Set;

/** Builds the message for the wire: the caller's fields, then ours. */
final class Outgoing {
    private static final Set<String> WITH_BODY = Set.of("POST", "PUT", "PATCH");
    private static final Duration RESERVE = Duration.ofMillis(5); // for the way back of the answer

    private Outgoing() {}

    static FullHttpRequest of(ClientRequest request, Deadline deadline) {
        HttpHeaders headers = request.headers().copy();
        headers.set(HttpHeaderNames.HOST, request.target().authority());
        if (request.body().length > 0 || WITH_BODY.contains(request.method())) {
            headers.set(HttpHeaderNames.CONTENT_LENGTH, request.body().length);
        }
        CallContext context = CallContext.current();
        if (!context.corrId().equals("-")) { // no call in hand
            headers.set("x-corr-id", context.corrId());
        }
        String trace = context.traceparent();
        if (trace != null) {
            headers.set("traceparent", trace);
        }
        long millis = Math.max(1, deadline.minus(RESERVE).remaining().toMillis());
        headers.set("request-timeout", millis + "ms");
        return new DefaultFullHttpRequest(
                HttpVersion.HTTP_1_1,
                HttpMethod.valueOf(request.method()),
                request.pathAndQuery(),
                Unpooled.wrappedBuffer(request.body()),
                headers,
                EmptyHttpHeaders.INSTANCE);
    }
}
