package dev.ron.http.server;

import dev.ron.http.decode.DecodeLimits;
import dev.ron.http.guard.DecodeGuard;
import dev.ron.http.loop.EventLoops;
import dev.ron.http.message.Headers;
import dev.ron.http.message.Response;
import dev.ron.http.route.Router;
import dev.ron.http.tls.ServerTls;
import dev.ron.kernel.Kernel;
import dev.ron.kernel.sync.Blocking;
import dev.ron.kernel.task.Shutdown;
import dev.ron.kernel.time.Deadline;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelOption;
import io.netty.channel.FileRegion;
import io.netty.channel.MessageSizeEstimator;
import io.netty.channel.WriteBufferWaterMark;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Optional;

/**
 * A listener and everything behind it, up to the handlers.
 *
 * <p>It stops in two stages of the process's shutdown: first it accepts no more, then it waits for what it has.
 */
public final class HttpHost implements AutoCloseable {
    private static final int BACKLOG = 1024;
    private static final Duration CLOSE_LIMIT = Duration.ofSeconds(5);

    /** A part of a file counts with its length, so that a caller who does not take it is noticed as for any other. */
    private static final MessageSizeEstimator ANSWER_SIZES = () -> message -> switch (message) {
        case ByteBuf bytes -> bytes.readableBytes();
        case FileRegion part -> (int) Math.min(part.count(), Integer.MAX_VALUE);
        default -> 0;
    };

    private final HostState state;
    private final HostDrain drain;
    private final Channel listener;
    private final InetSocketAddress address;

    private HttpHost(HostState state, HostDrain drain, Channel listener) {
        this.state = state;
        this.drain = drain;
        this.listener = listener;
        this.address = (InetSocketAddress) listener.localAddress();
    }

    /** A host of a service; {@code parts} must be declared in the kernel's topology. */
    public static Builder builder(Kernel kernel, EventLoops loops, HostParts parts) {
        return new Builder(kernel, loops, parts);
    }

    public InetSocketAddress address() {
        return address;
    }

    public int port() {
        return address.getPort();
    }

    /** Requests whose head was read and whose answer is not complete. */
    public int inflight() {
        return state.inflight();
    }

    /** Waits until no request is in hand; false when the deadline passes first. */
    public boolean awaitAnswered(Deadline deadline) {
        return state.awaitAnswered(deadline);
    }

    /** Open connections. */
    public int connections() {
        return state.connections().open();
    }

    /** Takes other limits and routes while it runs; nothing in hand is touched. */
    public void reconfigure(HostConfig limits, Router<Route> routes) {
        state.reconfigure(limits, routes);
    }

    public boolean draining() {
        return state.draining();
    }

    /** Has the host stop in its stages of the process's shutdown. */
    public void attach(Shutdown shutdown) {
        shutdown.register(drain.listenerStage());
        shutdown.register(drain.workStage());
    }

    /** Stops by itself, without a process's shutdown: both stages, then whatever is left is cut. */
    public boolean stop(Deadline deadline) {
        boolean clean =
                drain.listenerStage().drain(deadline) && drain.workStage().drain(deadline);
        if (!clean) {
            drain.workStage().abort();
        }
        return clean;
    }

    @Override
    public void close() {
        stop(Deadline.after(state.clock(), CLOSE_LIMIT));
    }

    boolean listening() {
        return listener.isOpen();
    }

    /** What a host is made from. */
    public static final class Builder {
        private final Kernel kernel;
        private final EventLoops loops;
        private final HostParts parts;
        private HostConfig config = HostConfig.DEFAULTS;
        private HttpMeter meter = HttpMeter.none();
        private AccessLog accessLog = AccessLog.none();
        private String rejectedFamily = "rejected_total";
        private DrainGrace drainGrace = DrainGrace.DEFAULT;
        private Optional<ServerTls> tls = Optional.empty();
        private Headers everywhere = Headers.NONE;

        private Builder(Kernel kernel, EventLoops loops, HostParts parts) {
            this.kernel = kernel;
            this.loops = loops;
            this.parts = parts;
        }

        public Builder config(HostConfig limits) {
            config = limits;
            return this;
        }

        public Builder meter(HttpMeter answers) {
            meter = answers;
            return this;
        }

        public Builder accessLog(AccessLog log) {
            accessLog = log;
            return this;
        }

        /** The counter of refusals where a service's seed names it otherwise. */
        public Builder rejectedFamily(String family) {
            rejectedFamily = family;
            return this;
        }

        /** How long a stop goes on serving before it refuses. */
        public Builder drainGrace(DrainGrace grace) {
            drainGrace = grace;
            return this;
        }

        /** Fields that every answer carries, also those that the host gives by itself; not a 304, which renews one that has them. */
        public Builder everywhere(Headers fields) {
            Response.requireOpen(fields);
            everywhere = fields;
            return this;
        }

        /** Has the listener speak TLS only. */
        public Builder tls(ServerTls side) {
            return tls(Optional.of(side));
        }

        public Builder tls(Optional<ServerTls> side) {
            tls = side;
            return this;
        }

        /** Opens the listener; port 0 takes a free one. A port that cannot be had is a {@link CannotBind}. */
        public HttpHost bind(String host, int port, Router<Route> router) {
            Blocking.enter("bind");
            HostState state = new HostState(
                    config,
                    loops.clock(),
                    router,
                    new RouteMeters(meter),
                    new RefusalCounts(
                            kernel.meter(), rejectedFamily, parts.request().name()),
                    accessLog,
                    kernel.kind(parts.request())::spawn,
                    new DecodeGuard(kernel.lane(parts.decode()), decodeLimits()));
            ConnectionSetup setup = new ConnectionSetup(state, loops, tls, everywhere);
            ServerBootstrap listening = new ServerBootstrap()
                    .group(loops.group())
                    .option(ChannelOption.SO_BACKLOG, BACKLOG)
                    .option(ChannelOption.SO_REUSEADDR, true)
                    .option(ChannelOption.ALLOCATOR, loops.allocator())
                    .childOption(ChannelOption.ALLOCATOR, loops.allocator())
                    .childOption(ChannelOption.MESSAGE_SIZE_ESTIMATOR, ANSWER_SIZES)
                    .childOption(ChannelOption.TCP_NODELAY, true)
                    .childOption(ChannelOption.ALLOW_HALF_CLOSURE, true)
                    .childOption(ChannelOption.WRITE_BUFFER_WATER_MARK, new WriteBufferWaterMark(32 << 10, 64 << 10))
                    .childHandler(setup);
            ChannelFuture bound = loops.listen(listening, host, port).awaitUninterruptibly();
            if (!bound.isSuccess()) {
                throw new CannotBind(host, port, bound.cause());
            }
            Channel listener = bound.channel();
            return new HttpHost(state, new HostDrain(parts.name(), state, setup, listener, drainGrace), listener);
        }

        private DecodeLimits decodeLimits() {
            HostConfig.BodyLimits limits = config.body();
            return new DecodeLimits(
                    limits.maxDecodedBytes(), limits.maxDecodeRatio(), DecodeLimits.DEFAULT.freeBytes());
        }
    }
}
