package dev.ron.http.client.stream;

import dev.ron.http.client.Target;
import dev.ron.http.loop.Dial;
import dev.ron.http.loop.EventLoops;
import dev.ron.http.loop.TimerWheel;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.ConnectTimeoutException;
import io.netty.channel.EventLoop;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.concurrent.Future;
import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The connections of one endpoint on one event loop, and the calls there that wait for one; used on that loop only. */
final class LoopPool {
    private final Endpoint endpoint;
    private final EventLoops loops;
    private final EventLoop loop;
    private final TimerWheel timers;
    private final ResponseHeadParser parser;
    private final RequestWriter writer;
    private final ArrayDeque<UpstreamConnection> idle = new ArrayDeque<>(); // the one used last is first
    private final ArrayDeque<StreamCall> waiters = new ArrayDeque<>(); // bounded by the endpoint's count

    // Read by other loops: a hint where a connection could be freed, and where one is wanted.
    private volatile int idleCount;
    private volatile int waiterCount;

    LoopPool(Endpoint endpoint, EventLoops loops, EventLoop loop, ResponseHeadParser parser, RequestWriter writer) {
        this.endpoint = endpoint;
        this.loops = loops;
        this.loop = loop;
        this.timers = loops.timers(loop);
        this.parser = parser;
        this.writer = writer;
    }

    TimerWheel timers() {
        return timers;
    }

    long nanos() {
        return timers.nanos();
    }

    ResponseHeadParser parser() {
        return parser;
    }

    RequestWriter writer() {
        return writer;
    }

    StreamOptions options() {
        return endpoint.options();
    }

    Target target() {
        return endpoint.target();
    }

    EventLoop loop() {
        return loop;
    }

    int idleCount() {
        return idleCount;
    }

    int waiterCount() {
        return waiterCount;
    }

    /** Starts the call now, or when there is a connection for it. */
    void begin(StreamCall call) {
        if (endpoint.closed()) {
            call.failed(failure(UpstreamFailure.Kind.CLOSED, "the endpoint is closed"));
            return;
        }
        UpstreamConnection ready = call.request().fresh() ? null : takeIdle();
        if (ready != null) {
            call.startOn(ready);
        } else if (endpoint.connections().tryAcquire()) {
            dial(call);
        } else if (endpoint.mayWait()) {
            waiters.add(call);
            waiterCount = waiters.size();
            call.waitUntil(timers, call.request().deadlineNanos());
            endpoint.freeOneElsewhere(this);
            // A connection that was closed since the look above told only those that were counted then.
            serve();
        } else {
            call.failed(failure(
                    UpstreamFailure.Kind.BUSY,
                    "all " + options().maxConnections() + " connections are in use and "
                            + options().maxPending() + " calls wait"));
        }
    }

    private @Nullable UpstreamConnection takeIdle() {
        UpstreamConnection found = idle.pollFirst();
        while (found != null && !found.usable()) {
            found.close();
            found = idle.pollFirst();
        }
        idleCount = idle.size();
        return found;
    }

    /** A connection whose call has ended; the next call that waits gets it. */
    void putBack(UpstreamConnection connection) {
        StreamCall next = nextWaiter();
        if (next != null) {
            next.startOn(connection);
        } else if (endpoint.closed() || endpoint.waitElsewhere()) {
            connection.close(); // its place is wanted on another loop, which it cannot go to
        } else {
            idle.addFirst(connection);
            idleCount = idle.size();
        }
    }

    private @Nullable StreamCall nextWaiter() {
        StreamCall next = waiters.pollFirst();
        if (next != null) {
            waiterCount = waiters.size();
            endpoint.waitsNoMore();
        }
        return next;
    }

    /** Gives free places to calls that wait. */
    void serve() {
        while (!waiters.isEmpty()) {
            UpstreamConnection ready = takeIdle();
            if (ready == null && !endpoint.connections().tryAcquire()) {
                return;
            }
            StreamCall next = nextWaiter();
            if (next == null) {
                return;
            }
            if (ready != null) {
                next.startOn(ready);
            } else {
                dial(next);
            }
        }
    }

    void closeOldestIdle() {
        UpstreamConnection oldest = idle.pollLast();
        idleCount = idle.size();
        if (oldest != null) {
            oldest.close();
        }
    }

    void closeIdle() {
        while (!idle.isEmpty()) {
            closeOldestIdle();
        }
    }

    /** A call that was aborted before it had a connection. */
    void forget(StreamCall call) {
        if (waiters.remove(call)) {
            waiterCount = waiters.size();
            endpoint.waitsNoMore();
        }
    }

    /** A call whose deadline came while it waited. */
    void gaveUp(StreamCall call) {
        forget(call);
        call.failed(failure(
                UpstreamFailure.Kind.BUSY,
                "all " + options().maxConnections() + " connections were in use until the deadline"));
    }

    // Dialing. The caller has taken a place among the endpoint's connections; the close of the channel gives it back,
    // if nothing has before.

    private void dial(StreamCall call) {
        long left = TimeUnit.NANOSECONDS.toMillis(call.request().deadlineNanos() - nanos());
        long limit = Math.min(left, options().connectLimit().toMillis());
        Place place = new Place(endpoint);
        Bootstrap bootstrap = new Bootstrap()
                .group(loop)
                .channel(loops.clientChannel())
                .option(ChannelOption.ALLOCATOR, loops.allocator())
                .option(ChannelOption.TCP_NODELAY, true)
                .option(ChannelOption.WRITE_BUFFER_WATER_MARK, new WriteBufferWaterMark(32 << 10, 64 << 10))
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, (int) Math.max(1, limit))
                .handler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        build(channel, place);
                    }
                });
        ChannelFuture connecting = Dial.now(bootstrap, endpoint.address());
        Channel channel = connecting.channel();
        channel.closeFuture().addListener(closed -> place.giveBack());
        connecting.addListener(done -> connected(call, channel, done));
    }

    private void build(Channel channel, Place place) {
        endpoint.opened(channel);
        endpoint.tls().ifPresent(tls -> {
            SslHandler handler = tls.newHandler(channel.alloc(), target().host(), target().port());
            handler.setHandshakeTimeoutMillis(options().connectLimit().toMillis());
            channel.pipeline().addLast(handler);
        });
        channel.pipeline().addLast(new UpstreamConnection(channel, this, place));
    }

    private void connected(StreamCall call, Channel channel, Future<?> done) {
        SslHandler handshake = channel.pipeline().get(SslHandler.class);
        if (done.isSuccess() && handshake != null) {
            handshake.handshakeFuture().addListener(shaken -> settled(call, channel, shaken));
        } else {
            settled(call, channel, done);
        }
    }

    private void settled(StreamCall call, Channel channel, Future<?> done) {
        UpstreamConnection connection = channel.pipeline().get(UpstreamConnection.class);
        if (done.isSuccess() && connection != null && connection.usable()) {
            if (call.over()) {
                putBack(connection);
            } else {
                call.startOn(connection);
            }
            return;
        }
        channel.close();
        Throwable cause = done.cause();
        boolean late = cause instanceof ConnectTimeoutException;
        call.failed(failure(
                late ? UpstreamFailure.Kind.CONNECT_TIMEOUT : UpstreamFailure.Kind.CONNECT,
                late ? "connecting took too long" : "cannot connect" + detail(cause)));
    }

    private static String detail(@Nullable Throwable cause) {
        return cause == null ? "" : " (" + cause.getClass().getSimpleName() + ")";
    }

    private UpstreamFailure failure(UpstreamFailure.Kind kind, String what) {
        return new UpstreamFailure(kind, target(), what);
    }
}
