package dev.ron.http.server;

import dev.ron.http.message.Headers;
import io.netty.buffer.ByteBuf;
import io.netty.channel.DefaultFileRegion;

/** An answer that is sent piece by piece; event loop only. */
public interface ResponseStream {

    /** Sends a piece, which is released; false when the caller should wait for {@link #onWritable}. */
    boolean write(ByteBuf piece);

    /** Whether {@link #writeFile} can be used: not where bytes are encrypted or framed on their way. */
    default boolean takesFiles() {
        return false;
    }

    /** Sends a part of a file from the page cache, without bringing it into the process; the region is released. */
    default boolean writeFile(DefaultFileRegion part) {
        part.release();
        throw new IllegalStateException("bytes are encrypted or framed on their way here: ask takesFiles first");
    }

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
