package dev.ron.http.loop;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.ChannelFuture;
import java.net.SocketAddress;

/** Connects a channel of an event loop in one turn of it. */
public final class Dial {
    private Dial() {}

    /**
     * To be called on the bootstrap's loop. A socket that is watched but does not connect yet counts as hung up: with a
     * turn of the loop between the two, as the library has it, it can be closed before it ever connects.
     */
    public static ChannelFuture now(Bootstrap bootstrap, SocketAddress address) {
        ChannelFuture registered = bootstrap.register();
        return registered.cause() == null ? registered.channel().connect(address) : registered;
    }
}
