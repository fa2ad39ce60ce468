package dev.ron.http.guard;

import io.netty.util.NetUtil;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.List;

/** A set of networks in CIDR form, such as {@code 10.0.0.0/8} or {@code fd00::/8}; an address alone is a network of one. */
public final class Networks {
    public static final Networks NONE = new Networks(List.of());

    private static final class Network {
        private final byte[] address;
        private final int bits;

        Network(byte[] address, int bits) {
            this.address = address;
            this.bits = bits;
        }

        boolean contains(byte[] other) {
            if (other.length != address.length) {
                return false;
            }
            int whole = bits / 8;
            for (int i = 0; i < whole; i++) {
                if (other[i] != address[i]) {
                    return false;
                }
            }
            int rest = bits % 8;
            return rest == 0 || (other[whole] & 0xFF) >> (8 - rest) == (address[whole] & 0xFF) >> (8 - rest);
        }
    }

    private final List<Network> networks;

    private Networks(List<Network> networks) {
        this.networks = networks;
    }

    /** Every text that is no network is an {@link IllegalArgumentException}. */
    public static Networks of(List<String> texts) {
        List<Network> networks = new ArrayList<>();
        for (String text : texts) {
            int slash = text.indexOf('/');
            byte[] address = NetUtil.createByteArrayFromIpAddressString(slash < 0 ? text : text.substring(0, slash));
            String bits = slash < 0 ? "" : text.substring(slash + 1);
            boolean good = address != null && (slash < 0 || bits.matches("\\d{1,3}"));
            int length = !good || slash < 0 ? 0 : Integer.parseInt(bits);
            if (address == null || !good || length > 8 * address.length) {
                throw new IllegalArgumentException(
                        "network \"" + text + "\" (expected: such as 10.0.0.0/8 or fd00::/8)");
            }
            networks.add(new Network(address, slash < 0 ? 8 * address.length : length));
        }
        return new Networks(List.copyOf(networks));
    }

    public boolean isEmpty() {
        return networks.isEmpty();
    }

    /** An IPv4 address that is written as IPv6 counts as what it is. */
    public boolean contains(InetAddress address) {
        byte[] bytes = address.getAddress();
        for (int i = 0; i < networks.size(); i++) {
            if (networks.get(i).contains(bytes)) {
                return true;
            }
        }
        return false;
    }

    public boolean contains(SocketAddress peer) {
        return !networks.isEmpty() && peer instanceof InetSocketAddress at && contains(at.getAddress());
    }
}
