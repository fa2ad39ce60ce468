package dev.ron.http.ws;

import dev.ron.http.loop.Timeout;
import dev.ron.http.message.RequestHead;
import dev.ron.http.server.Exchange;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.handler.codec.CodecException;
import io.netty.handler.codec.TooLongFrameException;
import io.netty.handler.codec.http.websocketx.BinaryWebSocketFrame;
import io.netty.handler.codec.http.websocketx.CloseWebSocketFrame;
import io.netty.handler.codec.http.websocketx.PingWebSocketFrame;
import io.netty.handler.codec.http.websocketx.PongWebSocketFrame;
import io.netty.handler.codec.http.websocketx.TextWebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocketFrame;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** One open WebSocket connection: answers pings, watches for silence, bounds what waits to be sent. */
final class WsConnection extends SimpleChannelInboundHandler<WebSocketFrame> implements WsSession {
    private static final int MAX_WAITING = 64;
    private static final int GOING_AWAY = 1001;
    private static final int TOO_BIG = 1009;
    private static final int PROTOCOL_ERROR = 1002;
    private static final int NO_STATUS = 1005;
    private static final int ABNORMAL = 1006;
    private static final long CLOSE_GRACE = 500_000_000L;

    private final Exchange exchange;
    private final WsListener listener;
    private final long idleNanos;
    private final Timeout silence;
    // Messages handed over by other threads and not yet written: a bound the loop's own queue does not have.
    private final AtomicInteger handedOver = new AtomicInteger();
    private volatile @Nullable Channel channel;
    private int status = ABNORMAL;
    private boolean closing;
    private boolean pinged;

    WsConnection(Exchange exchange, WsOptions options, WsListener listener) {
        this.exchange = exchange;
        this.listener = listener;
        this.idleNanos = options.idle().toNanos();
        this.silence = new Timeout(exchange.timers()) {
            @Override
            protected void expired() {
                silent();
            }
        };
    }

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        channel = ctx.channel();
        silence.after(idleNanos / 2);
        exchange.onOver(this::over);
        exchange.untilDrained(() -> close(GOING_AWAY, "the service is stopping"));
        listener.opened(this);
    }

    @Override
    protected void channelRead0(ChannelHandlerContext ctx, WebSocketFrame frame) {
        pinged = false;
        if (!closing) {
            silence.after(idleNanos / 2);
        }
        switch (frame) {
            case TextWebSocketFrame text -> {
                if (!closing) {
                    listener.text(this, text.text());
                }
            }
            case BinaryWebSocketFrame binary -> {
                if (!closing) {
                    listener.binary(this, ByteBufUtil.getBytes(binary.content()));
                }
            }
            case PingWebSocketFrame ping -> pong(ctx, ping);
            case CloseWebSocketFrame close -> closedByPeer(ctx, close);
            default -> {} // a pong is a sign of life, nothing more
        }
    }

    /** A peer that pings but does not read its pongs gets no more of them. */
    private static void pong(ChannelHandlerContext ctx, PingWebSocketFrame ping) {
        if (ctx.channel().isWritable()) {
            ctx.writeAndFlush(new PongWebSocketFrame(ping.content().retain()));
        }
    }

    private void closedByPeer(ChannelHandlerContext ctx, CloseWebSocketFrame close) {
        int code = close.statusCode();
        status = code < 0 ? NO_STATUS : code;
        if (closing) {
            ctx.close();
        } else {
            closing = true;
            CloseWebSocketFrame echo = code < 0 ? new CloseWebSocketFrame() : new CloseWebSocketFrame(code, "");
            ctx.writeAndFlush(echo).addListener(done -> ctx.close());
        }
    }

    private void silent() {
        Channel open = channel;
        if (open == null) {
            return;
        }
        if (closing || pinged) {
            open.close();
        } else {
            pinged = true;
            open.writeAndFlush(new PingWebSocketFrame());
            silence.after(idleNanos / 2);
        }
    }

    /** Who sends no more has left, whatever it still would read. */
    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        if (event instanceof ChannelInputShutdownEvent) {
            ctx.close();
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        if (cause instanceof TooLongFrameException) {
            closeNow(TOO_BIG, "message too big");
        } else if (cause instanceof CodecException) {
            closing = true; // the decoder has said why, and closes
            status = PROTOCOL_ERROR;
            silence.after(CLOSE_GRACE);
        } else {
            ctx.close();
        }
    }

    private void over() {
        silence.cancel();
        channel = null;
        listener.closed(this, status);
    }

    @Override
    public RequestHead request() {
        return exchange;
    }

    @Override
    public boolean send(String message) {
        return send(new TextWebSocketFrame(message));
    }

    @Override
    public boolean send(byte[] message) {
        return send(new BinaryWebSocketFrame(Unpooled.wrappedBuffer(message)));
    }

    private boolean send(WebSocketFrame frame) {
        Channel open = channel;
        if (open == null || !open.isWritable() || !open.isActive()) {
            frame.release();
            return false;
        }
        if (open.eventLoop().inEventLoop()) {
            open.writeAndFlush(frame);
            return true;
        }
        return handOver(open, frame);
    }

    private boolean handOver(Channel open, WebSocketFrame frame) {
        if (handedOver.incrementAndGet() > MAX_WAITING) {
            handedOver.decrementAndGet();
            frame.release();
            return false;
        }
        try {
            open.eventLoop().execute(() -> {
                handedOver.decrementAndGet();
                open.writeAndFlush(frame);
            });
            return true;
        } catch (RejectedExecutionException loopEnded) {
            frame.release();
            return false;
        }
    }

    @Override
    public void close(int code, String reason) {
        Channel open = channel;
        if (open == null) {
            return;
        }
        if (open.eventLoop().inEventLoop()) {
            closeNow(code, reason);
        } else {
            open.eventLoop().execute(() -> closeNow(code, reason));
        }
    }

    /** Says goodbye and waits a moment for the peer's, so that it is not lost. */
    private void closeNow(int code, String reason) {
        Channel open = channel;
        if (open == null || closing) {
            return;
        }
        closing = true;
        status = code;
        open.writeAndFlush(new CloseWebSocketFrame(code, reason));
        silence.after(CLOSE_GRACE);
    }
}
