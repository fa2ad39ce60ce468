package dev.ron.edge.fill;

import dev.ron.edge.config.Network;
import dev.ron.http.client.Addresses;
import dev.ron.kernel.error.Code;
import dev.ron.kernel.error.RonException;
import dev.ron.kernel.time.Deadline;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;

/**
 * Which addresses may be fetched from: public ones, and networks that the configuration opens.
 *
 * <p>All addresses of a name must pass, and what passed is what is dialled: a name that answers differently a moment
 * later changes nothing.
 */
public final class AddressRules implements Addresses {
    private static final List<Network> REFUSED = List.of(
            Network.parse("0.0.0.0/8"),
            Network.parse("10.0.0.0/8"),
            Network.parse("100.64.0.0/10"),
            Network.parse("127.0.0.0/8"),
            Network.parse("169.254.0.0/16"),
            Network.parse("172.16.0.0/12"),
            Network.parse("192.0.0.0/24"),
            Network.parse("192.0.2.0/24"),
            Network.parse("192.88.99.0/24"),
            Network.parse("192.168.0.0/16"),
            Network.parse("198.18.0.0/15"),
            Network.parse("198.51.100.0/24"),
            Network.parse("203.0.113.0/24"),
            Network.parse("224.0.0.0/4"),
            Network.parse("240.0.0.0/4"),
            Network.parse("::/128"),
            Network.parse("::1/128"),
            Network.parse("::ffff:0:0:0/96"),
            Network.parse("64:ff9b:1::/48"),
            Network.parse("100::/64"),
            Network.parse("2001:db8::/32"),
            Network.parse("fc00::/7"),
            Network.parse("fe80::/10"),
            Network.parse("fec0::/10"),
            Network.parse("ff00::/8"));
    private static final Network MAPPED = Network.parse("::ffff:0:0/96");
    private static final Network COMPATIBLE = Network.parse("::/96"); // the old form of the same
    private static final Network NAT64 = Network.parse("64:ff9b::/96");
    private static final Network SIX_TO_FOUR = Network.parse("2002::/16");
    private static final Network TEREDO = Network.parse("2001::/32");

    private final Addresses names;
    private final List<Network> opened;

    public AddressRules(Addresses names, List<String> opened) {
        this.names = names;
        this.opened = opened.stream().map(Network::parse).toList();
    }

    @Override
    public List<InetSocketAddress> resolve(String host, int port, Deadline deadline) {
        List<InetSocketAddress> found = names.resolve(host, port, deadline);
        for (InetSocketAddress address : found) {
            if (!allows(address.getAddress())) {
                throw new RonException(
                        Code.POLICY_REJECT,
                        "not_allowed",
                        host + " has an address that is not public; edge.live_fill.private_nets opens networks");
            }
        }
        return found;
    }

    boolean allows(InetAddress address) {
        byte[] bytes = address.getAddress();
        return opened.stream().anyMatch(network -> network.contains(bytes)) || isPublic(bytes);
    }

    private boolean isPublic(byte[] address) {
        if (REFUSED.stream().anyMatch(network -> network.contains(address))) {
            return false;
        }
        // An IPv4 address inside an IPv6 one is where the packets end up.
        if (MAPPED.contains(address) || COMPATIBLE.contains(address) || NAT64.contains(address)) {
            return allowsInner(address, 12, false);
        }
        if (SIX_TO_FOUR.contains(address)) {
            return allowsInner(address, 2, false);
        }
        return !TEREDO.contains(address) || (allowsInner(address, 4, false) && allowsInner(address, 12, true));
    }

    private boolean allowsInner(byte[] address, int at, boolean inverted) {
        byte[] inner = new byte[4];
        for (int i = 0; i < 4; i++) {
            inner[i] = inverted ? (byte) ~address[at + i] : address[at + i];
        }
        return isPublic(inner);
    }
}
