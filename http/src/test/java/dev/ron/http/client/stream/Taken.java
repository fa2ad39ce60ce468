package dev.ron.http.client.stream;

import io.netty.buffer.ByteBuf;
import io.netty.channel.EventLoop;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Takes a response and keeps it, so that a test can wait for it and look. */
class Taken implements ResponseReceiver {
    final CompletableFuture<ResponseHead> head = new CompletableFuture<>();
    final CompletableFuture<String> whole = new CompletableFuture<>();
    final AtomicInteger received = new AtomicInteger();
    final AtomicInteger ends = new AtomicInteger(); // of both kinds
    private final ByteArrayOutputStream body = new ByteArrayOutputStream();
    private final CompletableFuture<UpstreamFailure.Kind> failure = new CompletableFuture<>();
    private final CompletableFuture<StreamCall> call = new CompletableFuture<>();
    private volatile @Nullable EventLoop loop;

    /** Makes the call from a loop. */
    static Taken send(Endpoint endpoint, EventLoop loop, StreamRequest request) {
        return new Taken().start(endpoint, loop, request);
    }

    final Taken start(Endpoint endpoint, EventLoop on, StreamRequest request) {
        loop = on;
        on.execute(() -> {
            StreamCall made = endpoint.call(on, request, this);
            call.complete(made);
            made.start();
        });
        call.join();
        return this;
    }

    void onLoop(Runnable step) {
        EventLoop on = loop;
        if (on != null) {
            on.submit(step).awaitUninterruptibly();
        }
    }

    StreamCall call() {
        return call.join();
    }

    UpstreamFailure.Kind failure() {
        return failure.join();
    }

    String body() {
        return whole.join();
    }

    @Override
    public void ready() {}

    @Override
    public void writable() {}

    @Override
    public void head(ResponseHead response) {
        head.complete(response);
    }

    @Override
    public void piece(ByteBuf piece) {
        received.addAndGet(piece.readableBytes());
        byte[] bytes = new byte[piece.readableBytes()];
        piece.readBytes(bytes);
        body.writeBytes(bytes);
        piece.release();
    }

    @Override
    public void end() {
        ends.incrementAndGet();
        failure.completeExceptionally(new AssertionError("no failure"));
        whole.complete(body.toString(StandardCharsets.ISO_8859_1));
    }

    @Override
    public void failed(UpstreamFailure why) {
        ends.incrementAndGet();
        failure.complete(why.kind());
        head.completeExceptionally(why);
        whole.completeExceptionally(why);
    }
}
