package dev.ron.http.loop;

import dev.ron.kernel.sync.Blocking;
import dev.ron.kernel.time.Clock;
import dev.ron.kernel.time.Deadline;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.ServerChannel;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.util.concurrent.EventExecutor;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A named group of event loops, epoll where it loads, else NIO; each with one timer wheel and a lag reading.
 *
 * <p>A node has one group for the byte path and one small group for the ops plane, so that probes answer while the
 * byte path is loaded.
 */
public final class EventLoops implements AutoCloseable {
    /** How far a timeout may be late; also the period of the lag reading. */
    public static final Duration TICK = Duration.ofMillis(25);

    // Closing a channel takes several turns of its loop; one that ends at once drops the last, which frees native
    // memory.
    private static final Duration QUIET = Duration.ofMillis(20);
    private static final Duration CLOSE_LIMIT = Duration.ofSeconds(10);

    private final String name;
    private final Clock clock;
    private final Transport transport;
    private final EventLoopGroup group;
    private final Map<EventExecutor, LoopPulse> pulses;
    private final InheritedListeners inherited;

    /** How sockets are driven. */
    public enum Transport {
        EPOLL,
        NIO;

        /** The best one that loads on this machine. */
        public static Transport best() {
            return Epoll.isAvailable() ? EPOLL : NIO;
        }

        private IoHandlerFactory handler() {
            return this == EPOLL ? EpollIoHandler.newFactory() : NioIoHandler.newFactory();
        }
    }

    public EventLoops(String name, int count) {
        this(name, count, Transport.best(), Clock.system());
    }

    public EventLoops(String name, int count, Transport transport, Clock clock) {
        this(name, count, transport, clock, InheritedListeners.none());
    }

    /** Loops whose listeners take over sockets that were opened before this process. */
    public EventLoops(String name, int count, Transport transport, Clock clock, InheritedListeners inherited) {
        if (count < 1) {
            throw new IllegalArgumentException(name + " loops: " + count + " (expected: at least 1)");
        }
        this.name = name;
        this.clock = clock;
        this.transport = transport;
        this.inherited = inherited;
        AtomicInteger number = new AtomicInteger();
        ThreadFactory threads = loop -> new LoopThread(loop, name + "-" + number.getAndIncrement());
        this.group = new MultiThreadIoEventLoopGroup(count, threads, transport.handler());
        this.pulses = startPulses();
    }

    private Map<EventExecutor, LoopPulse> startPulses() {
        Map<EventExecutor, LoopPulse> started = new HashMap<>();
        for (EventExecutor loop : group) { // a loop has no equals of its own: this is a map by identity
            LoopPulse pulse = new LoopPulse(name + "-" + started.size(), clock, TICK.toNanos());
            started.put(loop, pulse);
        }
        started.forEach((loop, pulse) -> {
            // Fixed delay, not rate: after a stall there is nothing to catch up with.
            loop.scheduleWithFixedDelay(pulse, TICK.toNanos(), TICK.toNanos(), TimeUnit.NANOSECONDS);
        });
        return started;
    }

    public EventLoopGroup group() {
        return group;
    }

    public String name() {
        return name;
    }

    public Clock clock() {
        return clock;
    }

    public Transport transport() {
        return transport;
    }

    /** Opens a listener as prepared, or has it take over the socket of that port. */
    public ChannelFuture listen(ServerBootstrap prepared, String host, int port) {
        InetSocketAddress address = new InetSocketAddress(host, port);
        Optional<ServerChannel> given =
                transport == Transport.EPOLL && !address.isUnresolved() ? inherited.take(address) : Optional.empty();
        return given.isPresent()
                ? prepared.channelFactory(given::get).register()
                : prepared.channel(serverChannel()).bind(address);
    }

    /**
     * Hangs up on who calls at a socket that was handed over and that no listener took; answers where these are.
     *
     * <p>Closing it would not do: who handed it over holds it too, and callers would wait in its queue for ever.
     */
    public List<SocketAddress> hangUpOnTheRest() {
        List<ServerChannel> rest = inherited.takeRest();
        for (ServerChannel socket : rest) {
            new ServerBootstrap()
                    .group(group)
                    .channelFactory(() -> socket)
                    .childHandler(new ChannelInitializer<>() {
                        @Override
                        protected void initChannel(Channel caller) {
                            caller.close();
                        }
                    })
                    .register();
        }
        return rest.stream().map(Channel::localAddress).toList();
    }

    public Class<? extends ServerChannel> serverChannel() {
        return transport == Transport.EPOLL ? EpollServerSocketChannel.class : NioServerSocketChannel.class;
    }

    public Class<? extends Channel> clientChannel() {
        return transport == Transport.EPOLL ? EpollSocketChannel.class : NioSocketChannel.class;
    }

    /** Pooled direct buffers with a cache per loop; other threads draw from shared arenas. */
    public ByteBufAllocator allocator() {
        return PooledByteBufAllocator.DEFAULT;
    }

    /** The timers of a loop of this group; to be used on that loop only. */
    public TimerWheel timers(EventLoop loop) {
        LoopPulse pulse = pulses.get(loop);
        if (pulse == null) {
            throw new IllegalArgumentException("a loop of another group, not of " + name);
        }
        return pulse.wheel();
    }

    /** How late each loop is now; may be read from anywhere. */
    public List<LoopLag> lag() {
        return pulses.values().stream().map(LoopPulse::snapshot).toList();
    }

    /** True if a loop is later than this: not ready to serve. */
    public boolean stalled(Duration limit) {
        return lag().stream().anyMatch(lag -> lag.now() > limit.toNanos());
    }

    /** Ends the loops, with whatever connections are still open; false if they did not end in time. */
    public boolean stop(Deadline deadline) {
        Blocking.enter("stop of loops " + name);
        long nanos = Math.min(deadline.remainingNanos(), TimeUnit.DAYS.toNanos(1));
        group.shutdownGracefully(Math.min(nanos, QUIET.toNanos()), nanos, TimeUnit.NANOSECONDS);
        try {
            return group.terminationFuture().await(nanos, TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    @Override
    public void close() {
        stop(Deadline.after(clock, CLOSE_LIMIT));
    }
}
