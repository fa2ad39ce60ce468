package dev.ron.http.client;

import dev.ron.kernel.task.Lane;
import dev.ron.kernel.time.Deadline;
import io.netty.util.NetUtil;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.List;

/** Addresses from the system's resolver, which knows no deadline: so it is asked on a lane. */
public final class SystemAddresses implements Addresses {
    private final Lane lane;

    public SystemAddresses(Lane lane) {
        this.lane = lane;
    }

    @Override
    public List<InetSocketAddress> resolve(String host, int port, Deadline deadline) {
        byte[] literal = NetUtil.createByteArrayFromIpAddressString(host);
        InetAddress[] found =
                literal == null ? lane.call(deadline, () -> lookUp(host)) : new InetAddress[] {address(host, literal)};
        return Arrays.stream(found)
                .map(address -> new InetSocketAddress(address, port))
                .toList();
    }

    private static InetAddress[] lookUp(String host) {
        try {
            return InetAddress.getAllByName(host);
        } catch (UnknownHostException e) {
            throw Failures.unknownHost(host);
        }
    }

    private static InetAddress address(String host, byte[] literal) {
        try {
            return InetAddress.getByAddress(host, literal);
        } catch (UnknownHostException e) {
            throw Failures.unknownHost(host);
        }
    }
}
