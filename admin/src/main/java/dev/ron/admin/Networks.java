package dev.ron.admin;

import io.netty.util.NetUtil;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** Which addresses may be called and which may call: rules on literal addresses, without any look-up. */
public final class Networks {
    private static final List<String> METADATA = List.of("fd00:ec2:0:0:0:0:0:254", "100.100.100.200");

    private final List<Network> networks;

    /** A network: the first {@code bits} of the address count. */
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
            for (int bit = 0; bit < bits; bit++) {
                int mask = 0x80 >> (bit & 7);
                if ((address[bit >> 3] & mask) != (other[bit >> 3] & mask)) {
                    return false;
                }
            }
            return true;
        }
    }

    private Networks(List<Network> networks) {
        this.networks = networks;
    }

    /** Reads {@code 10.0.0.0/8} and {@code fd00::/8}; anything else is an {@link IllegalArgumentException}. */
    public static Networks of(List<String> texts) {
        return new Networks(texts.stream().map(Networks::network).toList());
    }

    private static Network network(String text) {
        int slash = text.indexOf('/');
        byte[] address = NetUtil.createByteArrayFromIpAddressString(slash < 0 ? text : text.substring(0, slash));
        if (address == null) {
            throw new IllegalArgumentException(text + " (expected: a network such as 10.0.0.0/8)");
        }
        int all = address.length * 8;
        int bits;
        try {
            bits = slash < 0 ? all : Integer.parseInt(text.substring(slash + 1));
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(text + " (expected: a network such as 10.0.0.0/8)", e);
        }
        if (bits < 0 || bits > all) {
            throw new IllegalArgumentException(text + " (expected: at most " + all + " bits)");
        }
        return new Network(address, bits);
    }

    public boolean isEmpty() {
        return networks.isEmpty();
    }

    public boolean contains(InetAddress address) {
        byte[] bytes = plain(address).getAddress();
        return networks.stream().anyMatch(network -> network.contains(bytes));
    }

    /** Whether a text is a network smaller than everything. */
    static boolean isProper(String text) {
        try {
            return network(text).bits > 0;
        } catch (IllegalArgumentException _) {
            return false;
        }
    }

    /**
     * Never link-local (where clouds keep their metadata), multicast or unspecified; nor an IPv6 form of such an
     * address, nor the metadata address of IPv6 clouds.
     */
    public static boolean mayBeCalled(InetAddress address) {
        InetAddress plain = plain(address);
        return !plain.isLinkLocalAddress()
                && !plain.isMulticastAddress()
                && !plain.isAnyLocalAddress()
                && !METADATA.contains(plain.getHostAddress());
    }

    /** An IPv4 address inside an IPv6 one (mapped, compatible, NAT64) is the address that is really called. */
    private static InetAddress plain(InetAddress address) {
        byte[] bytes = address.getAddress();
        if (bytes.length != 16) {
            return address;
        }
        boolean zeros = true;
        for (int i = 0; i < 10; i++) {
            zeros &= bytes[i] == 0;
        }
        boolean mapped = zeros && bytes[10] == -1 && bytes[11] == -1;
        boolean compatible = zeros && bytes[10] == 0 && bytes[11] == 0 && (bytes[12] != 0 || bytes[13] != 0);
        boolean nat64 = bytes[0] == 0 && bytes[1] == 0x64 && bytes[2] == (byte) 0xff && bytes[3] == (byte) 0x9b;
        if (!mapped && !compatible && !nat64) {
            return address;
        }
        try {
            return InetAddress.getByAddress(Arrays.copyOfRange(bytes, 12, 16));
        } catch (UnknownHostException e) {
            throw new IllegalStateException("four bytes are an address", e);
        }
    }

    /** The address that a host is a literal of; names have none. */
    static Optional<InetAddress> literal(String host) {
        byte[] bytes = host == null ? null : NetUtil.createByteArrayFromIpAddressString(bare(host));
        try {
            return bytes == null ? Optional.empty() : Optional.of(InetAddress.getByAddress(bytes));
        } catch (UnknownHostException _) {
            return Optional.empty();
        }
    }

    /** Whether a host is this machine by its very name. */
    static boolean isLoopbackName(String host) {
        return host != null
                && (host.equalsIgnoreCase("localhost")
                        || literal(host).map(InetAddress::isLoopbackAddress).orElse(false));
    }

    private static String bare(String host) {
        return host.startsWith("[") && host.endsWith("]") ? host.substring(1, host.length() - 1) : host;
    }
}
