package dev.ron.http.client.stream;

import dev.ron.http.message.Headers;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;

/** Takes one response on the loop of its call: head, pieces, then exactly one of
 * {@link #end(Headers)}, {@link #failed} and {@link #upgraded}. */
public interface ResponseReceiver {

    /** The request's head is on its way: its body may follow. Comes only for requests with a body, and once. */
    void ready();

    /** There is room for more of the request's body. */
    void writable();

    /** An interim answer, 102 to 199 but for 101. */
    default void informed(int status, Headers headers) {}

    void head(ResponseHead head);

    /** A piece of the body, at most 64 KiB; the receiver releases it. */
    void piece(ByteBuf piece);

    void end();

    /** The same for a body that fields followed. */
    default void end(Headers trailers) {
        end();
    }

    /**
     * The far side has changed the protocol, as the request asked with its Upgrade field: the call is over, and the
     * receiver owns the channel and what came behind the head. Only requests with that field can come to this.
     */
    default void upgraded(Headers headers, Channel channel, ByteBuf early) {
        early.release();
        channel.close();
    }

    void failed(UpstreamFailure why);
}
