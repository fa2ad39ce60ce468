package dev.ron.http.server;

import dev.ron.http.message.Headers;
import dev.ron.http.message.RequestHead;
import dev.ron.http.message.Response;
import dev.ron.kernel.error.RonException;
import io.netty.channel.EventLoop;

/**
 * One request and its one answer, on the event loop of its connection: every method must be called there.
 *
 * <p>The first answer wins; a later one changes nothing. When the deadline passes before an answer was begun, the host
 * answers 504 itself.
 */
public interface Exchange extends RequestHead {

    EventLoop loop();

    /** The template of the route that matched. */
    String route();

    /** Has the body delivered; a handler that never asks leaves it unread. Answers 100 Continue where that is awaited. */
    void receive(BodySink sink);

    /** Stops delivering the body, and soon reading it, until {@link #resume}. */
    void pause();

    void resume();

    /** Answers with a whole response; false if there is an answer already. */
    boolean respond(Response response);

    /** Answers with the problem for a failure; false if there is an answer already. */
    boolean fail(RonException failure);

    /**
     * Begins an answer of unknown length. Only once, and only where {@link #answered} is false.
     */
    ResponseStream start(int status, Headers headers);

    /** Begins an answer of known length. */
    ResponseStream start(int status, Headers headers, long length);

    boolean answered();

    /** True once the caller is gone or the answer is complete. */
    boolean over();

    /** Runs when the exchange is over, however it ends; at once if it is already. One listener. */
    void onOver(Runnable listener);
}
