package dev.ron.http.client;

import dev.ron.http.loop.Dial;
import dev.ron.http.loop.EventLoops;
import dev.ron.http.tls.ClientTls;
import dev.ron.kernel.call.Reply;
import dev.ron.kernel.error.Code;
import dev.ron.kernel.error.RonException;
import dev.ron.kernel.time.Deadline;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.group.ChannelGroup;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpRequestEncoder;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.concurrent.Future;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Makes connections: looks the name up, tries its addresses in order, and shakes hands, all within one limit. */
final class Dialer {
    private static final int MAX_TRIES = 4;
    private static final int MAX_LINE_BYTES = 8192;
    private static final int MAX_PIECE_BYTES = 64 * 1024;

    private final EventLoops loops;
    private final Addresses addresses;
    private final ClientTls tls;
    private final ClientOptions options;
    private final ChannelGroup open;

    Dialer(EventLoops loops, Addresses addresses, ClientTls tls, ClientOptions options, ChannelGroup open) {
        this.loops = loops;
        this.addresses = addresses;
        this.tls = tls;
        this.options = options;
        this.open = open;
    }

    /** Waits for a connection; on failure the lease is given back when nothing of the attempt is left. */
    Connection dial(Pool pool, Lease lease, Deadline deadline) {
        Target target = pool.target();
        try {
            if (target.tls()) {
                tls.prepare(); // here, where waiting is allowed, and not on the loop; no part of connecting
            }
            Deadline limit = deadline.within(options.connectLimit());
            List<InetSocketAddress> all = addresses.resolve(target.host(), target.port(), limit);
            if (all.isEmpty()) {
                throw Failures.unknownHost(target.host());
            }
            Connection connection = firstOf(all.subList(0, Math.min(all.size(), MAX_TRIES)), pool, limit);
            connection.bind(lease);
            return connection;
        } catch (RuntimeException e) {
            lease.giveBack();
            throw e instanceof RonException late && late.code() == Code.TIMEOUT
                    ? Failures.timeout(target + ": connecting took too long")
                    : e;
        }
    }

    /** One dead address must not use up the time of the others: each gets its share of what is left. */
    private Connection firstOf(List<InetSocketAddress> all, Pool pool, Deadline limit) {
        RonException last = Failures.unknownHost(pool.target().host());
        for (int i = 0; i < all.size(); i++) {
            Duration share = limit.remaining().dividedBy(all.size() - i);
            try {
                return connect(all.get(i), pool, limit.within(share));
            } catch (RonException e) {
                if (e.code() == Code.CANCELED) {
                    throw e;
                }
                last = e;
            }
        }
        throw last;
    }

    private Connection connect(InetSocketAddress address, Pool pool, Deadline limit) {
        Reply<Connection> reply = new Reply<>();
        EventLoop loop = loops.group().next();
        Bootstrap bootstrap = new Bootstrap()
                .group(loop)
                .channel(loops.clientChannel())
                .option(ChannelOption.ALLOCATOR, loops.allocator())
                .option(ChannelOption.TCP_NODELAY, true)
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, (int)
                        Math.max(1, limit.remaining().toMillis()))
                .handler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        build(channel, pool);
                    }
                });
        AtomicReference<@Nullable Channel> dialed = new AtomicReference<>();
        try {
            loop.execute(() -> {
                if (!reply.answered()) {
                    ChannelFuture connecting = Dial.now(bootstrap, address);
                    dialed.set(connecting.channel());
                    connecting.addListener(done -> connected(connecting.channel(), pool.target(), done, reply));
                }
            });
            return reply.await(limit);
        } catch (RejectedExecutionException e) {
            throw Failures.connect(pool.target(), e); // the loops have ended
        } catch (RonException e) {
            Channel begun = dialed.get();
            if (begun != null) {
                begun.close(); // one that is begun after this look ends by its own limit
            }
            throw e;
        }
    }

    private void build(Channel channel, Pool pool) {
        open.add(channel);
        Target target = pool.target();
        HttpDecoderConfig decoding = new HttpDecoderConfig()
                .setMaxInitialLineLength(Math.min(MAX_LINE_BYTES, options.maxHeadBytes()))
                .setMaxHeaderSize(options.maxHeadBytes())
                .setMaxChunkSize(MAX_PIECE_BYTES);
        HeadCheck check = new HeadCheck();
        ResponseDecoder decoder = new ResponseDecoder(decoding);
        if (target.tls()) {
            channel.pipeline().addLast(tls.newHandler(channel.alloc(), target.host(), target.port()));
        }
        channel.pipeline()
                .addLast(check, decoder, new HttpRequestEncoder())
                .addLast(new Connection(
                        channel, pool, loops.timers(channel.eventLoop()), check, decoder, options.maxHeaders()));
    }

    private static void connected(Channel channel, Target target, Future<?> done, Reply<Connection> reply) {
        SslHandler handshake = channel.pipeline().get(SslHandler.class);
        if (done.isSuccess() && handshake != null) {
            handshake.handshakeFuture().addListener(shaken -> settle(channel, target, shaken, reply));
        } else {
            settle(channel, target, done, reply);
        }
    }

    private static void settle(Channel channel, Target target, Future<?> done, Reply<Connection> reply) {
        Connection connection = channel.pipeline().get(Connection.class);
        if (done.isSuccess() && connection != null) {
            if (!reply.complete(connection)) {
                channel.close();
            }
        } else {
            reply.fail(failure(target, done.cause()));
            channel.close();
        }
    }

    /** Without a cause the connection was made and already lost again; with TLS that was in its handshake. */
    private static RonException failure(Target target, @Nullable Throwable cause) {
        if (cause != null) {
            return Failures.connect(target, cause);
        }
        return target.tls() ? Failures.handshake(target, null) : Failures.reset(target);
    }
}
