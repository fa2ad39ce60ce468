package dev.ron.http.server;

import dev.ron.http.loop.TimerWheel;
import dev.ron.http.message.Headers;
import dev.ron.http.message.RequestHead;
import dev.ron.http.message.Response;
import dev.ron.kernel.error.RonException;
import io.netty.channel.ChannelHandler;
import io.netty.channel.EventLoop;
import java.util.Map;
import java.util.function.Supplier;

/**
 * One request and its one answer, on the event loop of its connection: every method must be called there.
 *
 * <p>The first answer wins; a later one changes nothing. When the deadline passes before an answer was begun, the host
 * answers 504 itself.
 */
public interface Exchange extends RequestHead {

    long NO_BODY = 0;
    long UNKNOWN_LENGTH = -1;

    EventLoop loop();

    /** The timers of that loop. */
    TimerWheel timers();

    /** The template of the route that matched. */
    String route();

    /** The body's length as announced; {@link #NO_BODY} or {@link #UNKNOWN_LENGTH} where it is no number. */
    long bodyLength();

    /** Has the body delivered; a handler that never asks leaves it unread. Answers 100 Continue where that is awaited. */
    void receive(BodySink sink);

    /** Stops delivering the body, and soon reading it, until {@link #resume}. */
    void pause();

    void resume();

    /** Answers with a whole response; false if there is an answer already. */
    boolean respond(Response response);

    /** Answers with the problem for a failure; false if there is an answer already. */
    boolean fail(RonException failure);

    /** Sends an interim answer, 102 to 199, before the answer; nothing to a caller that knows none. */
    void inform(int status, Headers headers);

    /** The same with further header fields, such as a challenge. */
    boolean fail(RonException failure, Headers more);

    /** Names the route for metrics and logs where a handler has routes of its own behind one template. */
    void label(String route);

    /** Says where the access log finds what a handler knows beyond request and answer; asked only for a logged one. */
    void describedBy(Supplier<Map<String, Object>> details);

    /**
     * Begins an answer of unknown length. Only once, and only where {@link #answered} is false.
     */
    ResponseStream start(int status, Headers headers);

    /** Begins an answer of known length. */
    ResponseStream start(int status, Headers headers, long length);

    /**
     * Answers 101 and hands the connection over: the handlers get all that follows, and end it by closing the channel.
     */
    void upgrade(Headers headers, ChannelHandler... handlers);

    /**
     * Says that this exchange has no end of its own (a stream of events, an upgraded connection): the listener ends it
     * when the host stops, and a caller that stops sending has left.
     */
    void untilDrained(Runnable onDrain);

    boolean answered();

    /** True once the caller is gone or the answer is complete. */
    boolean over();

    /** Runs when the exchange is over, however it ends; at once if it is already. One listener. */
    void onOver(Runnable listener);
}
