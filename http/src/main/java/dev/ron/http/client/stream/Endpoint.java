package dev.ron.http.client.stream;

import dev.ron.http.client.Target;
import dev.ron.http.tls.ClientTls;
import dev.ron.kernel.sync.Permits;
import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.util.concurrent.ImmediateEventExecutor;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * One address that requests go to: a pool of connections on each loop, under one bound for all.
 *
 * <p>A connection belongs to a loop and cannot move. So where a call waits on one loop and an idle connection sits on
 * another, that one is closed to make room. A place is counted from before the dial until the channel is closed or
 * leaves the pool as a stream: the connections that calls share never exceed the bound.
 */
public final class Endpoint implements AutoCloseable {
    private final Target target;
    private final InetSocketAddress address;
    private final StreamOptions options;
    private final Optional<ClientTls> tls;
    private final Permits connections;
    private final AtomicInteger waiting = new AtomicInteger();
    private final Map<EventLoop, LoopPool> pools;
    private final ChannelGroup open = new DefaultChannelGroup(ImmediateEventExecutor.INSTANCE, true);
    private volatile boolean closed;

    Endpoint(
            Target target,
            InetSocketAddress address,
            StreamOptions options,
            Optional<ClientTls> tls,
            StreamClient.PoolMaker pools) {
        this.target = target;
        this.address = address;
        this.options = options;
        this.tls = tls;
        this.connections = new Permits("connections to " + target, options.maxConnections());
        this.pools = pools.of(this);
    }

    /** A call on one of the client's loops, which must be the current thread; {@link StreamCall#start} sends it. */
    public StreamCall call(EventLoop loop, StreamRequest request, ResponseReceiver receiver) {
        LoopPool pool = pools.get(loop);
        if (pool == null || !loop.inEventLoop()) {
            throw new IllegalStateException("a call belongs on a loop of its client");
        }
        return new StreamCall(request, receiver, pool);
    }

    public Target target() {
        return target;
    }

    public InetSocketAddress address() {
        return address;
    }

    /** Open connections, used and idle together, besides those that have left the pool as streams. */
    public int connectionCount() {
        return connections.inUse();
    }

    public int idleCount() {
        return pools.values().stream().mapToInt(LoopPool::idleCount).sum();
    }

    public int waitingCount() {
        return waiting.get();
    }

    StreamOptions options() {
        return options;
    }

    Optional<ClientTls> tls() {
        return tls;
    }

    Permits connections() {
        return connections;
    }

    boolean closed() {
        return closed;
    }

    void opened(Channel channel) {
        open.add(channel);
    }

    boolean mayWait() {
        int now = waiting.get();
        while (now < options.maxPending()) {
            if (waiting.compareAndSet(now, now + 1)) {
                return true;
            }
            now = waiting.get();
        }
        return false;
    }

    void waitsNoMore() {
        waiting.decrementAndGet();
    }

    /** For a loop without waiters of its own. */
    boolean waitElsewhere() {
        return waiting.get() > 0;
    }

    /** A connection is gone: whoever waits may make another. */
    void freed() {
        connections.release();
        if (waiting.get() > 0) {
            for (LoopPool pool : pools.values()) {
                if (pool.waiterCount() > 0) {
                    on(pool, pool::serve);
                }
            }
        }
    }

    void freeOneElsewhere(LoopPool asking) {
        for (LoopPool pool : pools.values()) {
            if (!pool.equals(asking) && pool.idleCount() > 0) {
                on(pool, pool::closeOldestIdle);
                return;
            }
        }
    }

    private static void on(LoopPool pool, Runnable step) {
        try {
            pool.loop().execute(step);
        } catch (RejectedExecutionException _) {
            // the loop has ended, and its connections with it
        }
    }

    /** Takes no more calls and closes what is idle; calls in hand go on. */
    public void retire() {
        closed = true;
        pools.values().forEach(pool -> on(pool, pool::closeIdle));
    }

    /** Ends every connection. */
    @Override
    public void close() {
        retire();
        open.close();
    }

    @Override
    public String toString() {
        return target + " at " + address;
    }
}
