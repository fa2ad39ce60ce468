package dev.ron.http.server;

import dev.ron.http.loop.EventLoops;
import dev.ron.http.message.Headers;
import dev.ron.http.tls.ServerTls;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoop;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/** Lets a connection in, within the cap, and gives it its handlers. */
final class ConnectionSetup extends ChannelInitializer<Channel> {
    private static final byte[] END_OF_HEAD = {'\r', '\n'};
    private static final byte[] FULL = """
            HTTP/1.1 503 Service Unavailable\r
            Retry-After: 1\r
            Content-Length: 0\r
            Connection: close\r
            """.getBytes(StandardCharsets.US_ASCII);

    private final HostState host;
    private final EventLoops loops;
    private final Optional<ServerTls> tls;
    private final Headers everywhere;
    private final Admission admission;
    private final Map<EventLoop, LoopParts> parts = new ConcurrentHashMap<>();

    ConnectionSetup(HostState host, EventLoops loops, Optional<ServerTls> tls, Headers everywhere) {
        this.host = host;
        this.tls = tls;
        this.loops = loops;
        this.everywhere = everywhere;
        this.admission = new Admission(host);
    }

    @Override
    protected void initChannel(Channel channel) {
        if (!(channel.remoteAddress() instanceof InetSocketAddress remote)) {
            channel.close(); // it was gone before it was accepted
            return;
        }
        InetAddress source = remote.getAddress();
        HostConfig.Front front = host.config().front();
        boolean passesOn = front.proxyProtocol().contains(source);
        if (!passesOn && !front.letsIn(source)) {
            host.refusals().rejected("network");
            channel.close();
            return;
        }
        boolean entered = passesOn
                ? host.connections().tryEnterShared(source)
                : host.connections().tryEnter(source);
        // Not for who has its share: nobody else's place would help it.
        if (host.connections().crowded()) {
            evict();
        }
        if (!entered) {
            host.refusals().rejected("conns");
            // Who is to say whose connection this is, or to shake hands first, has no use for an answer.
            if (tls.isPresent() || passesOn) {
                channel.close();
            } else {
                channel.writeAndFlush(Unpooled.copiedBuffer(FULL, everywhere.wire(), END_OF_HEAD))
                        .addListener(ChannelFutureListener.CLOSE);
            }
            return;
        }
        Caller caller = new Caller(channel, source, tls);
        host.connected();
        channel.closeFuture().addListener(closed -> {
            host.connections().leave(source);
            host.disconnected(caller);
        });
        EventLoop loop = channel.eventLoop();
        LoopParts shared = parts.computeIfAbsent(
                loop, key -> new LoopParts(host.config(), everywhere, host.clock(), loops.timers(key)));
        if (passesOn) {
            channel.pipeline().addLast(new ProxyHeader(caller, host));
        }
        tls.ifPresent(side -> channel.pipeline().addLast(side.newHandler(channel.alloc())));
        if (tls.isPresent() || front.priorKnowledge()) {
            channel.pipeline().addLast(new Prelude(host, shared, admission, channel, caller));
        } else {
            channel.config().setRecvByteBufAllocator(shared.reading());
            Connection connection = new Connection(host, shared, admission, channel, caller);
            channel.pipeline().addLast(new ConnectionHandler(connection, host.refusals()));
        }
    }

    /** Asks one idle connection to go, of who holds most of them: the place is for a newcomer, not for a collector. */
    private void evict() {
        InetAddress most = host.connections().largestSource().orElse(InetAddress.getLoopbackAddress());
        AtomicBoolean gone = new AtomicBoolean();
        long now = host.clock().nanos(); // the newcomer, which is idle too, is not older than this
        parts.forEach((loop, shared) ->
                loop.execute(() -> shared.idlest(most, now).ifPresent(idle -> {
                    if (gone.compareAndSet(false, true)) {
                        idle.drain();
                    }
                })));
    }

    /** Does something to every connection, each on its own loop. */
    void forEach(Consumer<Served> action) {
        parts.forEach((loop, shared) -> loop.execute(() -> shared.connections().forEach(action)));
    }
}
