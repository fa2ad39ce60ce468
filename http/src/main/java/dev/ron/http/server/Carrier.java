package dev.ron.http.server;

import dev.ron.http.loop.TimerWheel;
import dev.ron.http.message.Headers;
import dev.ron.http.message.Response;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandler;
import io.netty.channel.DefaultFileRegion;
import io.netty.channel.EventLoop;

/** What brings one exchange its body and takes its answer: an HTTP/1 connection, or one stream of an HTTP/2 one. */
interface Carrier {

    /** The handler wants the body, or more of it. */
    void bodyWanted();

    void bodyPaused();

    /** True once the request was read to its end. */
    boolean bodyRead();

    /** Body bytes given out so far. */
    long bodyBytes();

    void writeWhole(ServerExchange answered, Response response, boolean silent);

    /** {@code length} is a number of bytes or {@link HeadEncoder#CHUNKED_BODY}. */
    void writeHead(ServerExchange answered, int status, Headers headers, long length);

    /** An answer before the answer: 103 and its like. */
    void writeInterim(ServerExchange answered, int status, Headers headers);

    void writePiece(ByteBuf piece);

    /** Whether a part of a file can be sent as it is: not where it is encrypted or framed. */
    default boolean takesFiles() {
        return false;
    }

    /** Only where {@link #takesFiles}. */
    default void writeFile(DefaultFileRegion part) {
        part.release();
        throw new IllegalStateException("bytes are encrypted or framed on their way here: ask takesFiles first");
    }

    void writeEnd(boolean silent, Headers trailers);

    /** The answer is written and its exchange over. */
    void answered();

    boolean writable();

    /** Hands the connection over to another protocol. */
    void upgrade(ServerExchange answered, Headers headers, ChannelHandler... handlers);

    /** What was begun cannot be made whole: ends it so that nobody takes it for whole. */
    void cut();

    EventLoop loop();

    TimerWheel timers();

    Caller caller();
}
