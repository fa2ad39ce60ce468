package dev.ron.gateway.upstream;

import dev.ron.http.client.stream.Endpoint;
import dev.ron.http.client.stream.ResponseHead;
import dev.ron.http.client.stream.ResponseReceiver;
import dev.ron.http.client.stream.StreamCall;
import dev.ron.http.client.stream.StreamRequest;
import dev.ron.http.client.stream.UpstreamFailure;
import dev.ron.http.message.Headers;
import dev.ron.kernel.call.Reply;
import dev.ron.kernel.error.Canceled;
import dev.ron.kernel.error.RonException;
import dev.ron.kernel.time.Deadline;
import io.netty.buffer.ByteBuf;
import io.netty.channel.EventLoop;
import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;

/** Asks a target once whether it is well; 2xx and 3xx are. */
final class Probe implements ResponseReceiver {
    private static final Duration MARGIN = Duration.ofSeconds(1); // the loop answers by itself; this only ends a bug

    private final UpstreamTarget target;
    private final String path;
    private final Deadline limit;
    private final Reply<Boolean> answer = new Reply<>();
    private boolean well;

    Probe(UpstreamTarget target, String path, Deadline limit) {
        this.target = target;
        this.path = path;
        this.limit = limit;
    }

    /** Waits for the answer. */
    boolean well(EventLoop loop) {
        try {
            loop.execute(() -> ask(loop));
            return answer.await(Deadline.after(limit.clock(), limit.remaining().plus(MARGIN)));
        } catch (Canceled stopping) {
            throw stopping;
        } catch (RonException | RejectedExecutionException _) {
            return false;
        }
    }

    private void ask(EventLoop loop) {
        Endpoint endpoint = target.endpoint();
        Headers headers = Headers.of("host", target.target().authority(), "user-agent", "ron-gateway");
        StreamCall call = endpoint.call(
                loop,
                new StreamRequest(
                        "GET", path, headers, StreamRequest.NO_BODY, limit.atNanos(), limit.remaining(), false),
                this);
        call.start();
    }

    @Override
    public void ready() {}

    @Override
    public void writable() {}

    @Override
    public void head(ResponseHead head) {
        well = head.status() >= 200 && head.status() < 400;
    }

    @Override
    public void piece(ByteBuf piece) {
        piece.release();
    }

    @Override
    public void end() {
        answer.complete(well);
    }

    @Override
    public void failed(UpstreamFailure why) {
        answer.complete(false);
    }
}
