package dev.ron.http.server;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.ssl.SniCompletionEvent;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Brings the events of a channel to its connection; passes them on once another protocol has taken over. */
final class ConnectionHandler extends ChannelInboundHandlerAdapter {
    private static final Logger LOG = LoggerFactory.getLogger(ConnectionHandler.class);

    private final Connection connection;
    private final RefusalCounts counts;

    ConnectionHandler(Connection connection, RefusalCounts counts) {
        this.connection = connection;
        this.counts = counts;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        connection.open();
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        boolean upgraded = connection.isUpgraded();
        connection.over();
        if (upgraded) {
            ctx.fireChannelInactive();
        }
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext ctx) {
        connection.over();
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        if (connection.isUpgraded()) {
            ctx.fireChannelRead(message);
        } else {
            connection.received((ByteBuf) message);
        }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        connection.receivedAll();
        if (connection.isUpgraded()) {
            ctx.fireChannelReadComplete();
        }
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ctx) {
        if (connection.isUpgraded()) {
            ctx.fireChannelWritabilityChanged();
        } else if (ctx.channel().isWritable()) {
            connection.becameWritable();
        }
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        if (event instanceof ChannelInputShutdownEvent) {
            connection.inputEnded();
        } else if (event instanceof SslHandshakeCompletionEvent handshake && !handshake.isSuccess()) {
            counts.handshakeFailed();
        } else if (event instanceof SniCompletionEvent hello && hello.hostname() != null) {
            connection.caller().askedFor(hello.hostname());
        }
        ctx.fireUserEventTriggered(event);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        if (cause instanceof IOException || cause instanceof DecoderException) {
            counts.ioError("connection");
        } else {
            LOG.error("connection from {} failed", ctx.channel().remoteAddress(), cause);
        }
        connection.cut();
    }
}
