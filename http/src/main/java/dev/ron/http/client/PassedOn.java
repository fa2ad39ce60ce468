package dev.ron.http.client;

import dev.ron.kernel.call.Reply;
import dev.ron.kernel.error.RonException;
import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpUtil;
import org.jspecify.annotations.Nullable;

/** Hands the pieces of a good answer to a reader and keeps none; the body of any other answer is not looked at. */
final class PassedOn implements AnsweringSink {
    private static final int OK = 200;
    private static final byte[] NOTHING = new byte[0];

    private final Reply<ClientResponse> reply = new Reply<>();
    private final Target target;
    private final int cap;
    private final PieceReader reader;
    private @Nullable HttpResponse head;
    private long length;

    PassedOn(ClientRequest request, int cap, PieceReader reader) {
        this.target = request.target();
        this.cap = cap;
        this.reader = reader;
    }

    @Override
    public Reply<ClientResponse> reply() {
        return reply;
    }

    @Override
    public @Nullable RonException head(HttpResponse response) {
        head = response;
        return HttpUtil.getContentLength(response, 0L) > cap ? Failures.tooLarge(target, cap) : null;
    }

    @Override
    public @Nullable RonException piece(ByteBuf content) {
        length += content.readableBytes();
        if (length > cap) {
            return Failures.tooLarge(target, cap);
        }
        HttpResponse response = head;
        if (response != null && response.status().code() == OK && content.isReadable()) {
            reader.read(content.nioBuffer());
        }
        return null;
    }

    @Override
    public void end() {
        HttpResponse response = head;
        if (response == null) {
            reply.fail(Failures.parse(target, "response without a head"));
            return;
        }
        reply.complete(new ClientResponse(response.status().code(), response.headers(), NOTHING));
    }

    @Override
    public void failed(RonException failure) {
        reply.fail(failure);
    }
}
