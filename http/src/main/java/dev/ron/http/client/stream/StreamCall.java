package dev.ron.http.client.stream;

import dev.ron.http.loop.Timeout;
import dev.ron.http.loop.TimerWheel;
import dev.ron.http.message.Headers;
import dev.ron.http.message.Trailers;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import org.jspecify.annotations.Nullable;

/** One request and its response, from waiting for a connection to the last byte; used on its loop only. */
public final class StreamCall implements Pausable {
    private final StreamRequest request;
    private final ResponseReceiver receiver;
    private final LoopPool pool;
    private @Nullable UpstreamConnection connection;
    private @Nullable Timeout patience; // only while it waits for a connection
    private boolean over;

    StreamCall(StreamRequest request, ResponseReceiver receiver, LoopPool pool) {
        this.request = request;
        this.receiver = receiver;
        this.pool = pool;
    }

    /** Sends the head, now or when there is a connection; the receiver may hear of it before this returns. */
    public void start() {
        pool.begin(this);
    }

    /** Sends a piece of the body, which is released; false when the caller should wait for {@code writable}. */
    public boolean write(ByteBuf piece) {
        UpstreamConnection on = connection;
        if (over || on == null || !piece.isReadable()) {
            piece.release();
            return true;
        }
        return on.writePiece(piece);
    }

    /** The body is complete. */
    public void end() {
        end(Headers.NONE);
    }

    /** The body is complete; these fields follow it, where its length was not announced. */
    public void end(Headers trailers) {
        UpstreamConnection on = connection;
        if (!over && on != null) {
            on.writeEnd(Trailers.passable(trailers));
        }
    }

    @Override
    public void pause() {
        UpstreamConnection on = connection;
        if (!over && on != null) {
            on.pause();
        }
    }

    @Override
    public void resume() {
        UpstreamConnection on = connection;
        if (!over && on != null) {
            on.resume();
        }
    }

    /**
     * Says that the response has no end of its own: its connection no longer counts among those that calls share, and is
     * not used again. How many there are is for the one who says so to bound; a change of protocol does the same.
     */
    public void leavePool() {
        UpstreamConnection on = connection;
        if (!over && on != null) {
            on.leavePool();
        }
    }

    /** Ends the call and its connection; nothing is delivered any more. */
    public void abort() {
        if (over) {
            return;
        }
        over = true;
        stopWaiting();
        UpstreamConnection on = connection;
        connection = null;
        if (on == null) {
            pool.forget(this);
        } else {
            on.abandon();
        }
    }

    /** True once it has ended, one way or the other. */
    public boolean over() {
        return over;
    }

    StreamRequest request() {
        return request;
    }

    ResponseReceiver receiver() {
        return receiver;
    }

    void waitUntil(TimerWheel timers, long nanos) {
        Timeout limit = new Timeout(timers) {
            @Override
            protected void expired() {
                pool.gaveUp(StreamCall.this);
            }
        };
        limit.at(nanos);
        patience = limit;
    }

    private void stopWaiting() {
        if (patience != null) {
            patience.cancel();
            patience = null;
        }
    }

    void startOn(UpstreamConnection one) {
        stopWaiting();
        connection = one;
        one.start(this);
    }

    void finished(Headers trailers) {
        over = true;
        connection = null;
        receiver.end(trailers);
    }

    void upgraded(Headers headers, Channel channel, ByteBuf early) {
        over = true;
        connection = null;
        receiver.upgraded(headers, channel, early);
    }

    void failed(UpstreamFailure why) {
        if (!over) {
            over = true;
            stopWaiting();
            connection = null;
            receiver.failed(why);
        }
    }
}
