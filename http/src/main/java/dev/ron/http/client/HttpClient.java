package dev.ron.http.client;

import dev.ron.http.loop.EventLoops;
import dev.ron.http.tls.ClientTls;
import dev.ron.kernel.call.CallContext;
import dev.ron.kernel.error.Code;
import dev.ron.kernel.error.RonException;
import dev.ron.kernel.meter.Meter;
import dev.ron.kernel.sync.Blocking;
import dev.ron.kernel.time.Deadline;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.util.concurrent.ImmediateEventExecutor;
import java.util.function.Supplier;

/**
 * Sends a request and waits for the whole response, body included, within one deadline.
 *
 * <p>The deadline is the caller's own, or the client's limit where that is sooner. Connections are pooled and bounded per
 * target. Redirects are answers like any other: none is followed. Any thread may call, except an event loop's. Several
 * clients may share the loops; the loops, the addresses and TLS outlive them.
 */
public final class HttpClient implements AutoCloseable {
    private final EventLoops loops;
    private final ClientOptions options;
    private final Pools pools;
    private final Dialer dialer;
    private final ChannelGroup open = new DefaultChannelGroup(ImmediateEventExecutor.INSTANCE, true);
    private final Meter.Count timeouts;
    private final Meter.Count ioErrors;
    private final Meter.Count parseErrors;
    private volatile boolean closed;

    public HttpClient(EventLoops loops, Addresses addresses, ClientTls tls, ClientOptions options, Meter meter) {
        this.loops = loops;
        this.options = options;
        this.pools = new Pools(options);
        this.dialer = new Dialer(loops, addresses, tls, options, open);
        this.timeouts = meter.counter("io_timeouts_total", "op", "upstream");
        this.ioErrors = meter.counter("io_errors_total", "kind", "upstream");
        this.parseErrors = meter.counter("parse_errors_total", "kind", "upstream");
    }

    /** The response, or a RonException: {@code upstream_timeout}, {@code upstream_connect} or {@code upstream_parse}. */
    public ClientResponse send(ClientRequest request) {
        return send(request, (Sinks) () -> new WholeResponse(request, cap(request)));
    }

    /**
     * The same without keeping the body: each piece is read on the connection's loop, which must not be held up. The
     * reader is asked for anew when the call is made a second time; the response that is returned has an empty body.
     */
    public ClientResponse send(ClientRequest request, Supplier<? extends PieceReader> reader) {
        return send(request, (Sinks) () -> new PassedOn(request, cap(request), reader.get()));
    }

    private int cap(ClientRequest request) {
        return Math.min(request.maxBodyBytes(), options.maxBodyBytes());
    }

    /** Makes what receives one attempt's response. */
    private interface Sinks {
        AnsweringSink fresh();
    }

    private ClientResponse send(ClientRequest request, Sinks sinks) {
        Blocking.enter("http call");
        Deadline deadline = CallContext.deadlineWithin(loops.clock(), options.totalLimit());
        Pool pool = pools.enter(request.target());
        try {
            return sendTwice(request, sinks, pool, deadline);
        } catch (RonException e) {
            count(e.code());
            throw e;
        } finally {
            pools.leave(pool);
        }
    }

    /** A pooled connection may have been closed by the far side while we wrote to it: that alone is tried again, once. */
    private ClientResponse sendTwice(ClientRequest request, Sinks sinks, Pool pool, Deadline deadline) {
        try {
            return sendOnce(request, sinks, pool, deadline);
        } catch (Failures.Stale stale) {
            if (!stale.mayRetry(request)) {
                throw stale;
            }
            pool.dropIdle(deadline);
            return sendOnce(request, sinks, pool, deadline);
        }
    }

    private ClientResponse sendOnce(ClientRequest request, Sinks sinks, Pool pool, Deadline deadline) {
        if (closed) {
            throw Failures.closed();
        }
        Lease lease = pool.acquire(deadline);
        Connection idle = pool.takeIdle(lease);
        Connection connection = idle == null ? dialer.dial(pool, lease, deadline) : idle;
        AnsweringSink whole = sinks.fresh();
        connection.start(Outgoing.of(request, deadline), whole);
        try {
            return whole.reply().await(deadline);
        } catch (RonException e) {
            connection.abort();
            throw e.code() == Code.TIMEOUT
                    ? Failures.timeout(request.target() + ": no whole response before the deadline")
                    : e;
        }
    }

    private void count(Code code) {
        switch (code) {
            case UPSTREAM_TIMEOUT -> timeouts.increment();
            case UPSTREAM_CONNECT -> ioErrors.increment();
            case UPSTREAM_PARSE -> parseErrors.increment();
            default -> {}
        }
    }

    /** Connections that are open, used and idle together. */
    public int connections() {
        return open.size();
    }

    /** Targets with a connection or a call. */
    public int targets() {
        return pools.size();
    }

    /** Ends every connection; calls in flight fail, later ones are refused. */
    @Override
    public void close() {
        closed = true;
        pools.close();
        open.close();
    }
}
