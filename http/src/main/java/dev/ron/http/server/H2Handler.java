package dev.ron.http.server;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.handler.codec.http2.AbstractHttp2ConnectionHandlerBuilder;
import io.netty.handler.codec.http2.DefaultHttp2Connection;
import io.netty.handler.codec.http2.DefaultHttp2LocalFlowController;
import io.netty.handler.codec.http2.Http2Connection;
import io.netty.handler.codec.http2.Http2ConnectionAdapter;
import io.netty.handler.codec.http2.Http2ConnectionDecoder;
import io.netty.handler.codec.http2.Http2ConnectionEncoder;
import io.netty.handler.codec.http2.Http2ConnectionHandler;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Settings;
import io.netty.handler.codec.http2.Http2Stream;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import org.jspecify.annotations.Nullable;

/** Netty's HTTP/2 codec with our limits; tells its connection of everything. */
final class H2Handler extends Http2ConnectionHandler {
    /** Requests that one connection may have in hand. */
    static final int MAX_STREAMS = 100;

    private static final int MAX_RESETS = 200;
    private static final int RESET_WINDOW_SECONDS = 10;
    private static final int MAX_CONTINUATIONS = 8; // small ones; a large block is refused by its size
    private static final int MAX_CONTROL_QUEUE = 1000;

    private final H2Connection owner;
    private @Nullable ChannelHandlerContext context;

    private H2Handler(
            H2Connection owner,
            Http2ConnectionDecoder decoder,
            Http2ConnectionEncoder encoder,
            Http2Settings settings) {
        super(decoder, encoder, settings, true);
        this.owner = owner;
    }

    static H2Handler of(H2Connection owner, H2Frames frames, HostConfig config) {
        return new Builder(owner, frames, config).build();
    }

    ChannelHandlerContext context() {
        if (context == null) {
            throw new IllegalStateException("not in a pipeline yet");
        }
        return context;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) throws Exception {
        context = ctx;
        owner.open();
        super.handlerAdded(ctx);
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) throws Exception {
        if (owner.received((ByteBuf) message)) {
            super.channelRead(ctx, message);
        }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) throws Exception {
        super.channelReadComplete(ctx);
        owner.receivedAll();
    }

    @Override
    public void flush(ChannelHandlerContext ctx) {
        super.flush(ctx);
        owner.flushed();
    }

    /** A caller that will send no more may still take its answers, but has nothing to say about windows: it has left. */
    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) throws Exception {
        if (event instanceof ChannelInputShutdownEvent) {
            ctx.close();
        } else if (event instanceof SslHandshakeCompletionEvent handshake && !handshake.isSuccess()) {
            ctx.close();
        }
        super.userEventTriggered(ctx, event);
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) throws Exception {
        super.channelInactive(ctx);
        owner.over();
    }

    @Override
    protected void handlerRemoved0(ChannelHandlerContext ctx) throws Exception {
        super.handlerRemoved0(ctx);
        owner.over();
    }

    @Override
    protected void onConnectionError(
            ChannelHandlerContext ctx, boolean outbound, Throwable cause, @Nullable Http2Exception error) {
        owner.host().refusals().rejected("h2_protocol");
        super.onConnectionError(ctx, outbound, cause, error);
    }

    /** Builds the codec. */
    private static final class Builder extends AbstractHttp2ConnectionHandlerBuilder<H2Handler, Builder> {
        private final H2Connection owner;

        Builder(H2Connection owner, H2Frames frames, HostConfig config) {
            this.owner = owner;
            Http2Connection connection = new DefaultHttp2Connection(true);
            connection
                    .local()
                    .flowController(new DefaultHttp2LocalFlowController(
                            connection, DefaultHttp2LocalFlowController.DEFAULT_WINDOW_UPDATE_RATIO, true));
            connection.addListener(new Http2ConnectionAdapter() {
                @Override
                public void onStreamClosed(Http2Stream stream) {
                    owner.streamClosed(stream);
                }
            });
            connection(connection);
            frameListener(frames);
            initialSettings(new Http2Settings()
                    .maxConcurrentStreams(MAX_STREAMS)
                    .initialWindowSize(H2Stream.FIRST_WINDOW)
                    .maxHeaderListSize(config.head().maxHeadBytes()));
            validateRequiredPseudoHeaders(true);
            decoderEnforceMaxRstFramesPerWindow(MAX_RESETS, RESET_WINDOW_SECONDS);
            encoderEnforceMaxRstFramesPerWindow(MAX_RESETS, RESET_WINDOW_SECONDS);
            decoderEnforceMaxSmallContinuationFrames(MAX_CONTINUATIONS);
            encoderEnforceMaxQueuedControlFrames(MAX_CONTROL_QUEUE);
            decoupleCloseAndGoAway(true);
        }

        @Override
        protected H2Handler build() {
            return super.build();
        }

        @Override
        protected H2Handler build(
                Http2ConnectionDecoder decoder, Http2ConnectionEncoder encoder, Http2Settings settings) {
            encoder.flowController().listener(owner::writabilityChanged);
            return new H2Handler(owner, decoder, encoder, settings);
        }
    }
}
