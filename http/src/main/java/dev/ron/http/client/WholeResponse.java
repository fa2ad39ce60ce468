package dev.ron.http.client;

import dev.ron.kernel.call.Reply;
import dev.ron.kernel.error.RonException;
import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpUtil;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Gathers a response up to its cap and answers the waiting caller. */
final class WholeResponse implements AnsweringSink {
    private static final int FIRST_BYTES = 8192;

    private final Reply<ClientResponse> reply = new Reply<>();
    private final Target target;
    private final int cap;
    private final boolean bodyless; // a HEAD: the length is that of another response
    private @Nullable HttpResponse head;
    private byte[] body = new byte[0];
    private int length;

    WholeResponse(ClientRequest request, int cap) {
        this.target = request.target();
        this.cap = cap;
        this.bodyless = HttpMethod.HEAD.name().equals(request.method());
    }

    @Override
    public Reply<ClientResponse> reply() {
        return reply;
    }

    @Override
    public @Nullable RonException head(HttpResponse response) {
        head = response;
        long declared = HttpUtil.getContentLength(response, 0L);
        return declared > cap && !bodyless ? Failures.tooLarge(target, cap) : null;
    }

    @Override
    public @Nullable RonException piece(ByteBuf content) {
        int n = content.readableBytes();
        if (n > cap - length) {
            return Failures.tooLarge(target, cap);
        }
        if (n > body.length - length) {
            long grown = Math.max(length + (long) n, Math.max(FIRST_BYTES, 2L * body.length));
            body = Arrays.copyOf(body, (int) Math.min(grown, cap));
        }
        content.readBytes(body, length, n);
        length += n;
        return null;
    }

    @Override
    public void end() {
        HttpResponse response = head;
        if (response == null) {
            reply.fail(Failures.parse(target, "response without a head"));
            return;
        }
        HttpHeaders headers = response.headers();
        reply.complete(new ClientResponse(response.status().code(), headers, Arrays.copyOf(body, length)));
    }

    @Override
    public void failed(RonException failure) {
        reply.fail(failure);
    }
}
