package dev.ron.edge.fill;

import dev.ron.http.client.stream.Endpoint;
import dev.ron.http.client.stream.ResponseHead;
import dev.ron.http.client.stream.ResponseReceiver;
import dev.ron.http.client.stream.StreamCall;
import dev.ron.http.client.stream.StreamRequest;
import dev.ron.http.client.stream.UpstreamFailure;
import dev.ron.kernel.call.Reply;
import dev.ron.kernel.error.Code;
import dev.ron.kernel.error.RonException;
import dev.ron.kernel.time.Deadline;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.CompositeByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.EventLoop;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * One response that a worker pulls, chunk by chunk.
 *
 * <p>The event loop gathers what comes and stops reading when two chunks wait; the worker asks for one at a time. So no
 * origin can fill the memory, and a chunk costs two hops instead of each piece.
 */
final class Download implements ResponseReceiver, AutoCloseable {
    private static final int CHUNK = 256 << 10;
    private static final int PIECES = 512; // an origin may send a byte at a time

    private final EventLoop loop;
    private final Reply<ResponseHead> head = new Reply<>();
    // From here on only the loop looks.
    private @Nullable StreamCall call;
    private @Nullable CompositeByteBuf gathered;
    private @Nullable Reply<Optional<ByteBuf>> asked;
    private @Nullable UpstreamFailure failure;
    private boolean paused;
    private boolean ended;
    private boolean closed;

    private Download(EventLoop loop) {
        this.loop = loop;
    }

    static Download start(EventLoop loop, Endpoint endpoint, StreamRequest request) {
        Download download = new Download(loop);
        download.onLoop(() -> {
            StreamCall started = endpoint.call(loop, request, download);
            download.call = started;
            started.start();
        });
        return download;
    }

    ResponseHead head(Deadline deadline) {
        return head.await(deadline);
    }

    /** The next chunk, which the caller releases; empty at the end. */
    Optional<ByteBuf> next(Deadline deadline) {
        Reply<Optional<ByteBuf>> reply = new Reply<>();
        onLoop(() -> {
            asked = reply;
            answerIfReady();
        });
        return reply.await(deadline);
    }

    /** Ends the call if it is not over. */
    @Override
    public void close() {
        try {
            loop.execute(this::closeOnLoop);
        } catch (RejectedExecutionException _) {
            // the call has ended with its loop
        }
    }

    private void closeOnLoop() {
        closed = true;
        if (call != null) {
            call.abort();
        }
        if (gathered != null) {
            gathered.release();
            gathered = null;
        }
    }

    private void onLoop(Runnable step) {
        try {
            loop.execute(step);
        } catch (RejectedExecutionException e) {
            throw new RonException(Code.DRAINING, "draining", "the service is stopping", null, e);
        }
    }

    private void answerIfReady() {
        Reply<Optional<ByteBuf>> reply = asked;
        if (reply == null) {
            return;
        }
        CompositeByteBuf chunk = gathered;
        if (failure != null) {
            asked = null;
            reply.fail(failure);
        } else if (chunk != null && (ended || isFull(chunk, 1))) {
            asked = null;
            gathered = null;
            if (!reply.complete(Optional.of(chunk))) {
                chunk.release(); // the worker has given up
            }
            resumeIfPaused();
        } else if (ended) {
            asked = null;
            reply.complete(Optional.empty());
        }
    }

    private static boolean isFull(CompositeByteBuf gathered, int times) {
        return gathered.readableBytes() >= times * CHUNK || gathered.numComponents() >= times * PIECES;
    }

    private void resumeIfPaused() {
        if (paused && call != null) {
            paused = false;
            call.resume();
        }
    }

    @Override
    public void ready() {
        // there is no body to send
    }

    @Override
    public void writable() {
        // there is no body to send
    }

    @Override
    public void head(ResponseHead received) {
        head.complete(received);
    }

    @Override
    public void piece(ByteBuf piece) {
        if (closed) {
            piece.release();
            return;
        }
        CompositeByteBuf all = gathered;
        if (all == null) {
            all = Unpooled.compositeBuffer(Integer.MAX_VALUE);
            gathered = all;
        }
        all.addComponent(true, piece);
        answerIfReady();
        if (gathered != null && isFull(gathered, 2) && !paused && call != null) {
            paused = true;
            call.pause();
        }
    }

    @Override
    public void end() {
        ended = true;
        answerIfReady();
    }

    @Override
    public void failed(UpstreamFailure why) {
        failure = why;
        head.fail(why);
        answerIfReady();
    }
}
