package dev.ron.http.server;

import dev.ron.kernel.error.Code;
import dev.ron.kernel.error.RonException;

/** A listener that could not be opened; the detail names the address and what to do. */
public final class CannotBind extends RonException {
    private static final long serialVersionUID = 1L;

    private final int port;

    CannotBind(String host, int port, Throwable cause) {
        super(
                Code.UNAVAILABLE,
                "bind",
                "cannot listen on " + host + ":" + port + " (" + cause.getMessage() + "); stop what holds port " + port
                        + " or choose another",
                null,
                cause);
        this.port = port;
    }

    public int port() {
        return port;
    }
}
