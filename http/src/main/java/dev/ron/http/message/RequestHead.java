package dev.ron.http.message;

import dev.ron.http.route.PathParams;
import dev.ron.kernel.call.CallContext;
import java.net.SocketAddress;
import java.security.cert.X509Certificate;
import java.util.List;

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

    /** The certificates that the client has shown and the handshake has verified, its own first; empty for none. */
    default List<X509Certificate> clientCertificates() {
        return List.of();
    }
}
