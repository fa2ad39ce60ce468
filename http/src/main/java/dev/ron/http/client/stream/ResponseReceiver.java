package dev.ron.http.client.stream;

import io.netty.buffer.ByteBuf;

/** Takes one response on the loop of its call: head, pieces, then exactly one of {@link #end} and {@link #failed}. */
public interface ResponseReceiver {

    /** The request's head is on its way: its body may follow. Comes only for requests with a body, and once. */
    void ready();

    /** There is room for more of the request's body. */
    void writable();

    void head(ResponseHead head);

    /** A piece of the body, at most 64 KiB; the receiver releases it. */
    void piece(ByteBuf piece);

    void end();

    void failed(UpstreamFailure why);
}
