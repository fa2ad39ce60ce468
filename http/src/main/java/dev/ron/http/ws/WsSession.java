package dev.ron.http.ws;

import dev.ron.http.message.RequestHead;

/** One WebSocket connection; may be used from any thread, and never waits. */
public interface WsSession {

    /** The request that opened it. */
    RequestHead request();

    /** Sends a message; false, and nothing is sent, when the peer has too much waiting or is gone. */
    boolean send(String message);

    boolean send(byte[] message);

    /** Ends the connection with a status and a reason of at most 123 bytes. */
    void close(int status, String reason);
}
