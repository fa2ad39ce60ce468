package dev.ron.admin.sample;

import dev.ron.admin.Networks;
import dev.ron.http.client.Addresses;
import dev.ron.kernel.error.Code;
import dev.ron.kernel.error.RonException;
import dev.ron.kernel.time.Deadline;
import java.net.InetSocketAddress;
import java.util.List;

/** Looks names up and leaves out every address that may not be called: a name cannot lead where a literal may not. */
public final class AllowedNodes implements Addresses {
    private final Addresses all;
    private final Networks denied;
    private final Networks allowed;

    public AllowedNodes(Addresses all, Networks denied, Networks allowed) {
        this.all = all;
        this.denied = denied;
        this.allowed = allowed;
    }

    @Override
    public List<InetSocketAddress> resolve(String host, int port, Deadline deadline) {
        List<InetSocketAddress> found = all.resolve(host, port, deadline);
        if (found.isEmpty() || !found.stream().allMatch(this::isAllowed)) {
            // One bad address among good ones is a rebinding in the making: none is called.
            throw new RonException(
                    Code.UPSTREAM_CONNECT,
                    "forbidden_address",
                    "host " + host + " has an address that may not be called (see admin.upstream.deny_cidrs)");
        }
        return found;
    }

    private boolean isAllowed(InetSocketAddress address) {
        return Networks.mayBeCalled(address.getAddress())
                && !denied.contains(address.getAddress())
                && (allowed.isEmpty() || allowed.contains(address.getAddress()));
    }
}
