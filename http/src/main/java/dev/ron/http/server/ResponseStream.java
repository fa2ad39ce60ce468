package dev.ron.http.server;

import dev.ron.http.message.Headers;
import io.netty.buffer.ByteBuf;

/** An answer that is sent piece by piece; event loop only. */
public interface ResponseStream {

    /** Sends a piece, which is released; false when the caller should wait for {@link #onWritable}. */
    boolean write(ByteBuf piece);

    boolean writable();

    /** Runs whenever there is room again; one listener. */
    void onWritable(Runnable listener);

    /** The answer is complete. */
    void end();

    /** The answer is complete; these fields follow it, where the caller's protocol and the framing have room for them. */
    default void end(Headers trailers) {
        end();
    }

    /** The answer cannot be completed: the connection is cut, so that nobody takes it for whole. */
    void abort();
}
