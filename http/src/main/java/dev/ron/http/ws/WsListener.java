package dev.ron.http.ws;

/** What happens on one WebSocket connection; called on its event loop, so it must not wait. */
public interface WsListener {

    default void opened(WsSession session) {}

    default void text(WsSession session, String message) {}

    /** The bytes are the listener's own. */
    default void binary(WsSession session, byte[] message) {}

    /** The connection is over; the status is 1006 where it ended without a close. */
    default void closed(WsSession session, int status) {}
}
