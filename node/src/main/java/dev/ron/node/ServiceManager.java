package dev.ron.node;

import dev.ron.http.loop.EventLoops;
import dev.ron.kernel.time.Clock;
import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.epoll.EpollDomainDatagramChannel;
import io.netty.channel.unix.DomainSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells systemd, where it started us, that the node is ready and that it stops.
 *
 * <p>The JDK has no datagram over a Unix socket; Netty's epoll transport has.
 */
public final class ServiceManager {
    private static final Logger LOG = LoggerFactory.getLogger(ServiceManager.class);

    private final Optional<String> socket;

    /** With the value of {@code NOTIFY_SOCKET}, or empty when nobody waits to hear. */
    public ServiceManager(Optional<String> socket) {
        this.socket = socket.filter(path -> !path.isEmpty());
    }

    public void ready() {
        tell("READY=1\nSTATUS=serving");
    }

    public void stopping() {
        tell("STOPPING=1\nSTATUS=draining");
    }

    // A node serves also when nobody could be told.
    private void tell(String state) {
        if (socket.isEmpty()) {
            return;
        }
        // An abstract name is written with an @ and begins with a NUL.
        String path = socket.get().startsWith("@") ? "\0" + socket.get().substring(1) : socket.get();
        try (EventLoops loops = new EventLoops("notify", 1, EventLoops.Transport.EPOLL, Clock.system())) {
            Channel channel = new Bootstrap()
                    .group(loops.group())
                    .channel(EpollDomainDatagramChannel.class)
                    .handler(new ChannelInboundHandlerAdapter())
                    .connect(new DomainSocketAddress(path))
                    .syncUninterruptibly()
                    .channel();
            channel.writeAndFlush(Unpooled.copiedBuffer(state, StandardCharsets.UTF_8))
                    .syncUninterruptibly();
            channel.close().syncUninterruptibly();
        } catch (Exception e) {
            LOG.warn("the service manager at {} could not be told: {}", socket.get(), e.toString());
        }
    }
}
