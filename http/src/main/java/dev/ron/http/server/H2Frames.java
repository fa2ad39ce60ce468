package dev.ron.http.server;

import dev.ron.http.message.Headers;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Flags;
import io.netty.handler.codec.http2.Http2FrameAdapter;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2Settings;

/** What a caller's frames mean: heads and bodies of requests, and frames that ask for nothing, which are rationed. */
final class H2Frames extends Http2FrameAdapter {
    private final H2Connection connection;
    private final FrameBudget budget = new FrameBudget();

    H2Frames(H2Connection connection) {
        this.connection = connection;
    }

    /** Something of worth went either way: more may be asked for nothing. */
    void earn() {
        budget.earn();
    }

    private void cheapFrame() throws Http2Exception {
        if (!budget.take(connection.lastBytes())) {
            throw flood();
        }
    }

    private Http2Exception flood() {
        connection.host().refusals().rejected("h2_flood");
        return Http2Exception.connectionError(Http2Error.ENHANCE_YOUR_CALM, "too many frames that ask for nothing");
    }

    @Override
    public void onHeadersRead(
            ChannelHandlerContext ctx,
            int id,
            Http2Headers headers,
            int dependency,
            short weight,
            boolean exclusive,
            int padding,
            boolean ends)
            throws Http2Exception {
        onHeadersRead(ctx, id, headers, padding, ends);
    }

    @Override
    public void onHeadersRead(ChannelHandlerContext ctx, int id, Http2Headers headers, int padding, boolean ends)
            throws Http2Exception {
        budget.earn();
        try {
            H2Stream known = connection.stream(id);
            if (known == null) {
                connection.begin(id, headers, ends);
            } else if (ends) {
                known.requestEnd(H2Heads.trailers(headers));
            } else {
                throw new H2Heads.Malformed("a second head");
            }
        } catch (H2Heads.Malformed bad) {
            connection.host().refusals().rejected("framing");
            throw Http2Exception.streamError(id, Http2Error.PROTOCOL_ERROR, bad, bad.getMessage());
        }
    }

    @Override
    public int onDataRead(ChannelHandlerContext ctx, int id, ByteBuf data, int padding, boolean ends)
            throws Http2Exception {
        int size = data.readableBytes();
        if (size == 0 && !ends) {
            cheapFrame();
        } else {
            budget.earn();
        }
        H2Stream known = connection.stream(id);
        if (known == null) {
            return size + padding;
        }
        if (size > 0) {
            known.data(data, size, connection.lastBytes());
        }
        if (ends) {
            known.requestEnd(Headers.NONE);
        }
        return padding;
    }

    @Override
    public void onPriorityRead(ChannelHandlerContext ctx, int id, int dependency, short weight, boolean exclusive)
            throws Http2Exception {
        cheapFrame();
    }

    @Override
    public void onSettingsRead(ChannelHandlerContext ctx, Http2Settings settings) throws Http2Exception {
        cheapFrame();
    }

    @Override
    public void onPingRead(ChannelHandlerContext ctx, long data) throws Http2Exception {
        cheapFrame();
    }

    @Override
    public void onSettingsAckRead(ChannelHandlerContext ctx) throws Http2Exception {
        cheapFrame();
    }

    @Override
    public void onPingAckRead(ChannelHandlerContext ctx, long data) throws Http2Exception {
        cheapFrame();
    }

    @Override
    public void onWindowUpdateRead(ChannelHandlerContext ctx, int id, int increment) throws Http2Exception {
        cheapFrame();
    }

    @Override
    public void onUnknownFrame(ChannelHandlerContext ctx, byte type, int id, Http2Flags flags, ByteBuf payload) {
        if (!budget.take(connection.lastBytes())) {
            connection.codec().onError(ctx, false, flood());
        }
    }

    @Override
    public void onGoAwayRead(ChannelHandlerContext ctx, int last, long error, ByteBuf debug) throws Http2Exception {
        connection.callerLeaves();
    }
}
