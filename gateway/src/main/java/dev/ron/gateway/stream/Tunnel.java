package dev.ron.gateway.stream;

import dev.ron.http.loop.Timeout;
import dev.ron.http.message.Headers;
import dev.ron.http.server.Exchange;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.ssl.SslHandler;
import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * A caller and an upstream that have agreed on another protocol, joined byte for byte on one event loop.
 *
 * <p>Neither side is read faster than the other takes it. When one stops sending, the other is told and may go on; when
 * both have, when nothing moves for too long, or when either is gone, both end. A side that does not take the last of it
 * is closed all the same after a while.
 */
public final class Tunnel {
    private final Exchange exchange;
    private final Channel upstream;
    private final Runnable whenOver;
    private final Side fromCaller = new Side();
    private final Side fromUpstream = new Side();
    private final Timeout silence;
    private final Patience patience;
    private long lastBytes;
    private boolean over;
    private int closing; // sides, once it is over

    /**
     * How long is waited.
     *
     * @param idle the longest silence in both directions
     * @param last for what was written to go out, once it is over
     */
    public record Patience(Duration idle, Duration last) {}

    private Tunnel(Exchange exchange, Channel upstream, Patience patience, Runnable whenOver) {
        this.exchange = exchange;
        this.upstream = upstream;
        this.whenOver = whenOver;
        this.patience = patience;
        this.lastBytes = exchange.timers().nanos();
        this.silence = new Timeout(exchange.timers()) {
            @Override
            protected void expired() {
                quiet();
            }
        };
        fromCaller.to = upstream;
    }

    /**
     * Answers the caller 101 with these fields and joins it to the upstream's channel, which becomes the tunnel's.
     *
     * @param early what the upstream has sent already
     * @param whenOver runs once, on the loop, when both sides are closed
     */
    public static Tunnel open(
            Exchange exchange, Headers answer, Channel upstream, ByteBuf early, Patience patience, Runnable whenOver) {
        Tunnel tunnel = new Tunnel(exchange, upstream, patience, whenOver);
        upstream.config().setOption(ChannelOption.ALLOW_HALF_CLOSURE, true);
        upstream.pipeline().addLast(tunnel.fromUpstream);
        exchange.upgrade(answer, tunnel.fromCaller);
        tunnel.join(early);
        exchange.untilDrained(tunnel::end); // which is now where the drain has begun: both sides must be known
        return tunnel;
    }

    private void join(ByteBuf early) {
        Channel caller = fromCaller.own;
        if (over || caller == null || !upstream.isActive()) {
            early.release();
            end();
            return;
        }
        fromUpstream.to = caller;
        caller.writeAndFlush(early);
        upstream.flush(); // what the caller had sent already
        upstream.config().setAutoRead(true);
        silence.after(patience.idle().toNanos());
    }

    /** Ends both sides; from any thread. */
    public void cut() {
        try {
            exchange.loop().execute(this::end);
        } catch (RejectedExecutionException loopEnded) {
            // and the connections with it
        }
    }

    private void end() {
        if (!over) {
            over = true;
            silence.after(patience.last().toNanos());
            Channel caller = fromCaller.own;
            closing = caller == null ? 1 : 2;
            close(upstream);
            if (caller != null) {
                close(caller);
            }
        }
    }

    /** After what was written is out. */
    private void close(Channel channel) {
        channel.closeFuture().addListener(closed -> sideClosed());
        if (channel.isActive()) {
            channel.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(flushed -> channel.close());
        } else {
            channel.close();
        }
    }

    private void sideClosed() {
        closing--;
        if (closing == 0) {
            silence.cancel();
            whenOver.run();
        }
    }

    private void quiet() {
        long left = lastBytes + patience.idle().toNanos() - exchange.timers().nanos();
        if (over) {
            closeNow();
        } else if (left <= 0) {
            end();
        } else {
            silence.after(left);
        }
    }

    private void closeNow() {
        upstream.close();
        if (fromCaller.own != null) {
            fromCaller.own.close();
        }
    }

    /** One direction: reads its own channel and writes to the other. */
    private final class Side extends ChannelInboundHandlerAdapter {
        private @Nullable Channel own;
        private @Nullable Channel to;
        private boolean ended;

        @Override
        public void handlerAdded(ChannelHandlerContext ctx) {
            own = ctx.channel();
        }

        @Override
        public void channelRead(ChannelHandlerContext ctx, Object message) {
            Channel other = to;
            if (over || other == null) {
                ((ByteBuf) message).release();
                return;
            }
            lastBytes = exchange.timers().nanos();
            other.write(message, other.voidPromise());
            if (!other.isWritable()) {
                ctx.channel().config().setAutoRead(false);
            }
        }

        @Override
        public void channelReadComplete(ChannelHandlerContext ctx) {
            if (to != null) {
                to.flush();
            }
        }

        /** There is room again in our own channel: the other side may be read on. */
        @Override
        public void channelWritabilityChanged(ChannelHandlerContext ctx) {
            if (ctx.channel().isWritable() && to != null && !over) {
                to.config().setAutoRead(true);
            }
        }

        @Override
        public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
            if (event instanceof ChannelInputShutdownEvent) {
                inputEnded();
            }
        }

        private void inputEnded() {
            ended = true;
            if (fromCaller.ended && fromUpstream.ended) {
                end();
            } else if (to != null) {
                Channel other = to;
                other.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(flushed -> shutOutput(other));
            }
        }

        private void shutOutput(Channel other) {
            SslHandler tls = other.pipeline().get(SslHandler.class);
            if (tls != null) {
                tls.closeOutbound();
            } else if (other instanceof DuplexChannel duplex) {
                duplex.shutdownOutput();
            }
        }

        @Override
        public void channelInactive(ChannelHandlerContext ctx) {
            end();
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
            end();
        }
    }
}
