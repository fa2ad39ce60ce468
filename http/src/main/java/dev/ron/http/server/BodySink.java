package dev.ron.http.server;

import dev.ron.http.message.Headers;
import dev.ron.kernel.error.RonException;
import io.netty.buffer.ByteBuf;

/** Takes a request body on the event loop: pieces, then exactly one of {@link #end} and {@link #broken}. */
public interface BodySink {

    /** The next piece, at most 64 KiB; the sink releases it. */
    void piece(ByteBuf piece);

    void end();

    /** The same for a body that fields followed; a sink that has no use for them need not know. */
    default void end(Headers trailers) {
        end();
    }

    /** The rest will not come: too large, malformed, too slow, or the caller is gone. The host has answered already. */
    void broken(RonException why);
}
