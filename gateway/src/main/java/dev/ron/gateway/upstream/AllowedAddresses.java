package dev.ron.gateway.upstream;

import dev.ron.http.client.Addresses;
import dev.ron.kernel.error.Code;
import dev.ron.kernel.error.RonException;
import dev.ron.kernel.time.Deadline;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;

/** Leaves out addresses that no target has: link-local (where clouds keep their metadata), multicast, unspecified. */
public final class AllowedAddresses implements Addresses {
    private final Addresses all;

    public AllowedAddresses(Addresses all) {
        this.all = all;
    }

    @Override
    public List<InetSocketAddress> resolve(String host, int port, Deadline deadline) {
        List<InetSocketAddress> allowed = all.resolve(host, port, deadline).stream()
                .filter(address -> allowed(address.getAddress()))
                .toList();
        if (allowed.isEmpty()) {
            throw new RonException(
                    Code.UPSTREAM_CONNECT,
                    "upstream_unavailable",
                    "host " + host + " has no address that may be called (expected: neither link-local nor multicast)");
        }
        return allowed;
    }

    static boolean allowed(InetAddress address) {
        return !address.isLinkLocalAddress() && !address.isMulticastAddress() && !address.isAnyLocalAddress();
    }
}
