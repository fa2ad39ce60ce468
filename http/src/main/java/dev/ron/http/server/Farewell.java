package dev.ron.http.server;

import dev.ron.kernel.time.Clock;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.ssl.SslHandler;

/**
 * The end of a connection that got its last answer: flush, say that no more will come, and read on for a moment.
 *
 * <p>To close at once while the caller still sends would make its side throw the answer away with the reset.
 */
final class Farewell implements Turn {
    private final Channel channel;
    private final AnswerWriter out;
    private final Clock clock;
    private final HostConfig config;
    private long since;
    private long dropped;

    Farewell(Channel channel, AnswerWriter out, Clock clock, HostConfig config) {
        this.channel = channel;
        this.out = out;
        this.clock = clock;
        this.config = config;
        this.since = clock.nanos();
    }

    /** Sends what waits; {@code callerDone} if nothing more can come from the other side. */
    void begin(boolean callerDone) {
        if (!channel.config().isAutoRead()) {
            channel.config().setAutoRead(true);
        }
        out.flushLast().addListener(flushed -> {
            since = clock.nanos();
            if (!flushed.isSuccess() || callerDone) {
                channel.close();
            } else {
                closeOutput(channel);
            }
        });
    }

    /** Says that no more will come. */
    static void closeOutput(Channel channel) {
        SslHandler tls = channel.pipeline().get(SslHandler.class);
        if (tls != null) {
            tls.closeOutbound();
        } else if (channel instanceof DuplexChannel duplex) {
            duplex.shutdownOutput();
        }
    }

    /** Bytes after the end: dropped, and after some of them not even read any more. */
    void drop(ByteBuf bytes) {
        dropped += bytes.readableBytes();
        bytes.release();
        if (dropped > config.lingerBytes() && channel.config().isAutoRead()) {
            channel.config().setAutoRead(false);
        }
    }

    @Override
    public boolean step(ByteBuf in) {
        return false;
    }

    @Override
    public void received(boolean first, long now) {}

    @Override
    public void inputEnded() {
        if (out.pending() == 0) {
            channel.close();
        }
    }

    /** While bytes wait there is no end in sight: it is looked at once in a while. */
    @Override
    public long nextMoment(long now) {
        return (out.pending() > 0 ? clock.nanos() : since) + config.linger().toNanos();
    }

    @Override
    public void check(long now) {
        if (out.pending() == 0 && now >= nextMoment(now)) {
            channel.close();
        }
    }
}
