package dev.ron.gateway.tenant;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.Arrays;

/** Tells callers without a name apart by where they come from: an IPv4 address or an IPv6 /64, in so many buckets. */
public final class Sources {
    /** Buckets are 1..BUCKETS; 0 is for callers that have a name. */
    public static final int BUCKETS = 1024;

    private static final int NETWORK_BYTES = 8;

    private Sources() {}

    public static int of(SocketAddress peer) {
        if (!(peer instanceof InetSocketAddress at)) {
            return 1;
        }
        InetAddress address = at.getAddress();
        byte[] bytes = address.getAddress();
        int hash = Arrays.hashCode(bytes.length > NETWORK_BYTES ? Arrays.copyOf(bytes, NETWORK_BYTES) : bytes);
        hash *= 0x9E3779B9; // neighbours go far apart
        return 1 + ((hash >>> 16) & (BUCKETS - 1));
    }
}
