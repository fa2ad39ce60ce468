package dev.ron.http.server;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2Stream;

/** Frames to the caller of one HTTP/2 connection: written as they come, flushed once for all that one read brought. */
final class H2Writer {
    private final H2Handler codec;
    private final H2Frames frames;
    private boolean reading;
    private boolean flushDue;
    private boolean over;

    H2Writer(H2Handler codec, H2Frames frames) {
        this.codec = codec;
        this.frames = frames;
    }

    private ChannelHandlerContext context() {
        return codec.context();
    }

    /** Bytes are coming in: what is written meanwhile is flushed with the last of them. */
    void reading() {
        reading = true;
    }

    void readAll() {
        reading = false;
        flushIfDue();
    }

    boolean isReading() {
        return reading;
    }

    void over() {
        over = true;
    }

    ChannelFuture headers(Http2Stream stream, Http2Headers headers, boolean ends) {
        ChannelFuture written = codec.encoder()
                .writeHeaders(
                        context(), stream.id(), headers, 0, ends, context().newPromise());
        flushSoon();
        return written;
    }

    ChannelFuture data(Http2Stream stream, ByteBuf data, boolean ends) {
        frames.earn();
        ChannelFuture written = codec.encoder()
                .writeData(context(), stream.id(), data, 0, ends, context().newPromise());
        flushSoon();
        return written;
    }

    void reset(Http2Stream stream, Http2Error why) {
        if (!over && codec.connection().stream(stream.id()) != null) {
            codec.resetStream(context(), stream.id(), why.code(), context().newPromise());
            flushSoon();
        }
    }

    /** No stream beyond this one will be served. */
    void goAway(int last) {
        if (!over) {
            codec.goAway(
                    context(),
                    last,
                    Http2Error.NO_ERROR.code(),
                    Unpooled.EMPTY_BUFFER,
                    context().newPromise());
            codec.flush(context());
        }
    }

    /** Sends all there is; the future says when it is out. */
    ChannelFuture flushLast() {
        codec.flush(context());
        return context().writeAndFlush(Unpooled.EMPTY_BUFFER);
    }

    private void flushSoon() {
        if (!reading && !flushDue) {
            context().channel().eventLoop().execute(this::flushIfDue);
        }
        flushDue = true;
    }

    private void flushIfDue() {
        if (flushDue && !over) {
            flushDue = false;
            codec.flush(context());
        }
    }

    boolean writable(Http2Stream stream) {
        return codec.encoder().flowController().isWritable(stream);
    }

    /** How much of this stream the caller would take now, whatever else is on the connection. */
    int window(Http2Stream stream) {
        return codec.encoder().flowController().windowSize(stream);
    }

    /** These bytes of a body do not wait here any more: the caller may send as many again. */
    void taken(Http2Stream stream, int bytes) {
        try {
            if (codec.decoder().flowController().consumeBytes(stream, bytes)) {
                flushSoon();
            }
        } catch (Http2Exception e) {
            codec.onError(context(), false, e);
        }
    }

    /** The caller may send so much more of a body. */
    void widen(Http2Stream stream, int bytes) {
        try {
            codec.decoder().flowController().incrementWindowSize(stream, bytes);
            flushSoon();
        } catch (Http2Exception e) {
            codec.onError(context(), false, e);
        }
    }
}
