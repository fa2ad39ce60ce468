package dev.ron.http.server;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.epoll.EpollTcpInfo;

/**
 * The end of an HTTP/2 connection after its last frame went to the socket, which may hold megabytes of it still.
 *
 * <p>A caller that reads goes on talking, about windows at least. To close at once would have the system answer that with a
 * reset and throw away what is on its way. So no more is said, what comes is dropped, and the end waits until the other side
 * has acknowledged everything.
 */
final class H2Farewell {
    private final Channel channel;
    private final HostConfig config;
    private boolean begun;
    private long lookAt;
    private long until;
    private long dropped;

    H2Farewell(Channel channel, HostConfig config) {
        this.channel = channel;
        this.config = config;
    }

    /** All that was written is with the socket. */
    void begin(long now) {
        begun = true;
        lookAt = now + config.linger().toNanos();
        until = now + config.timeouts().idle().toNanos();
        Farewell.closeOutput(channel);
    }

    boolean isBegun() {
        return begun;
    }

    void drop(ByteBuf bytes) {
        dropped += bytes.readableBytes();
        bytes.release();
        if (dropped > config.lingerBytes()) {
            channel.close();
        }
    }

    long nextMoment() {
        return lookAt;
    }

    void check(long now) {
        if (now < lookAt) {
            return;
        }
        if (now < until && isOnItsWay()) {
            lookAt = now + config.linger().toNanos();
        } else {
            channel.close();
        }
    }

    private boolean isOnItsWay() {
        if (!(channel instanceof EpollSocketChannel socket)) {
            return false;
        }
        EpollTcpInfo said = socket.tcpInfo();
        return said.unacked() > 0
                && said.lastAckRecv() < config.timeouts().write().toMillis();
    }
}
