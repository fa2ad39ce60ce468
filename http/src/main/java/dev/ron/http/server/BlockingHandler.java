package dev.ron.http.server;

import dev.ron.http.message.Request;
import dev.ron.http.message.Response;

/**
 * Answers a whole request on a virtual thread of its own, with straight blocking code.
 *
 * <p>The request's context is bound while it runs. It is interrupted when the deadline passes or the caller is gone; its
 * answer then goes nowhere. A {@link dev.ron.kernel.error.RonException} becomes a problem, anything else a plain 500.
 */
@FunctionalInterface
public non-sealed interface BlockingHandler extends Handler {
    Response handle(Request request) throws Exception;
}
