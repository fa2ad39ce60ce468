package dev.ron.http.loop;

import dev.ron.kernel.error.Code;
import dev.ron.kernel.error.RonException;
import java.net.InetSocketAddress;

/** A socket that was handed over can be reached by others, and the listener it is for is of this machine alone. */
public final class TooOpen extends RonException {
    private static final long serialVersionUID = 1L;

    TooOpen(InetSocketAddress given, InetSocketAddress meant) {
        super(
                Code.UNAVAILABLE,
                "bind",
                "it listens on " + text(given) + ", and the listener it is for on " + text(meant));
    }

    private static String text(InetSocketAddress address) {
        String host = address.getAddress().getHostAddress();
        return (host.contains(":") ? "[" + host + "]" : host) + ":" + address.getPort();
    }
}
