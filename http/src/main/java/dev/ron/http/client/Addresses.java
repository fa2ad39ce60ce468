package dev.ron.http.client;

import dev.ron.kernel.time.Deadline;
import java.net.InetSocketAddress;
import java.util.List;

/**
 * Names to addresses, and the place to vet them: the client connects to exactly what this returns, in this order, so
 * an address that was refused here cannot come back through a second look-up.
 */
@FunctionalInterface
public interface Addresses {

    /** The addresses to try; a name that has none, or none that is allowed, is a RonException. May wait. */
    List<InetSocketAddress> resolve(String host, int port, Deadline deadline);
}
