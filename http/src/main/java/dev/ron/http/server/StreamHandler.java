package dev.ron.http.server;

/**
 * Answers a request on the event loop, as soon as its head was admitted; it must never wait.
 *
 * <p>It may answer before it returns or later, but always from the exchange's loop.
 */
@FunctionalInterface
public non-sealed interface StreamHandler extends Handler {
    void handle(Exchange exchange) throws Exception;
}
