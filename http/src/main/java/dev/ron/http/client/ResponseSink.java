package dev.ron.http.client;

import dev.ron.kernel.error.RonException;
import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpResponse;
import org.jspecify.annotations.Nullable;

/** Receives one response on the connection's loop: head, pieces, then exactly one of end and failed. */
interface ResponseSink {

    /** The head; a failure returned here ends the exchange. */
    @Nullable
    RonException head(HttpResponse response);

    /** A piece of the body, released by the caller afterwards; a failure returned here ends the exchange. */
    @Nullable
    RonException piece(ByteBuf content);

    void end();

    void failed(RonException failure);
}
