package dev.ron.http.server;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.netty.handler.ssl.SniCompletionEvent;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * A connection before its first request: waits for the handshake, or for the first bytes, and then gives its place to
 * the protocol that was chosen. All of it within one limit.
 */
final class Prelude extends ByteToMessageDecoder implements Served {
    private static final byte[] HTTP2 = "PRI * HTTP/2.0\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

    private final HostState host;
    private final LoopParts parts;
    private final Admission admission;
    private final Channel channel;
    private final Caller caller;
    private final ConnectionTimer timer;
    private final long until;
    private boolean over;

    Prelude(HostState host, LoopParts parts, Admission admission, Channel channel, Caller caller) {
        this.host = host;
        this.parts = parts;
        this.admission = admission;
        this.channel = channel;
        this.caller = caller;
        this.timer = new ConnectionTimer(this, parts.timers());
        this.until = host.clock().nanos() + limit();
    }

    private long limit() {
        HostConfig.Timeouts limits = host.config().timeouts();
        return (caller.secure() ? limits.handshake() : limits.idle()).toNanos();
    }

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        parts.add(this);
        timer.arm(until);
    }

    @Override
    protected void handlerRemoved0(ChannelHandlerContext ctx) {
        end();
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        end();
    }

    private void end() {
        over = true;
        timer.cancel();
        parts.remove(this);
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) throws Exception {
        if (event instanceof SniCompletionEvent hello && hello.hostname() != null) {
            caller.askedFor(hello.hostname());
        } else if (event instanceof SslHandshakeCompletionEvent handshake) {
            if (handshake.isSuccess()) {
                SslHandler tls = ctx.pipeline().get(SslHandler.class);
                goOn("h2".equals(tls.applicationProtocol()));
            } else {
                host.refusals().handshakeFailed();
                ctx.close();
            }
        }
        super.userEventTriggered(ctx, event);
    }

    /** Without TLS the first bytes tell. */
    @Override
    protected void decode(ChannelHandlerContext ctx, ByteBuf in, List<Object> out) {
        if (caller.secure()) {
            return; // only a handshake ends this
        }
        int seen = Math.min(in.readableBytes(), HTTP2.length);
        for (int i = 0; i < seen; i++) {
            if (in.getByte(in.readerIndex() + i) != HTTP2[i]) {
                goOn(false);
                return;
            }
        }
        if (seen == HTTP2.length) {
            goOn(true);
        }
    }

    private void goOn(boolean http2) {
        if (http2) {
            H2Connection connection = new H2Connection(host, parts, admission, channel, caller);
            channel.pipeline().addLast(connection.codec());
        } else {
            Connection connection = new Connection(host, parts, admission, channel, caller);
            channel.pipeline().addLast(new ConnectionHandler(connection, host.refusals()));
        }
        channel.pipeline().remove(this);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        ctx.close(); // a handshake that failed was counted by its event
    }

    @Override
    public void drain() {
        cut();
    }

    @Override
    public void finish() {
        cut();
    }

    @Override
    public void cut() {
        channel.close();
    }

    @Override
    public void check() {
        if (host.clock().nanos() >= until) {
            host.refusals().timeout("handshake");
            cut();
        }
    }

    @Override
    public long nextMoment() {
        return until;
    }

    @Override
    public InetAddress source() {
        return caller.source();
    }

    @Override
    public boolean isOver() {
        return over;
    }
}
