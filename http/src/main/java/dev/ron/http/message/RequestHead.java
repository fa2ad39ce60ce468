package dev.ron.http.message;

import dev.ron.http.route.PathParams;
import dev.ron.kernel.call.CallContext;
import java.net.SocketAddress;

/** Everything known about a request once its head is complete and a route was found. */
public interface RequestHead {

    String method();

    /** The normal path, the one that was matched. */
    String path();

    /** What stands after the question mark, as sent; empty if there is none. */
    String query();

    /** What the names of the route's template stood for. */
    PathParams params();

    Headers headers();

    /** Deadline, correlation id and trace of this request. */
    CallContext context();

    /** The address the connection came from. */
    SocketAddress peer();

    /** True when the connection is encrypted. */
    boolean secure();
}
