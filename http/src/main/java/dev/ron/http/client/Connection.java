package dev.ron.http.client;

import dev.ron.http.loop.Timeout;
import dev.ron.http.loop.TimerWheel;
import dev.ron.kernel.call.Reply;
import dev.ron.kernel.error.RonException;
import dev.ron.kernel.time.Deadline;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpStatusClass;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * One connection: the last handler of its pipeline, with one exchange at a time.
 *
 * <p>It goes back to the pool only when the request was written whole, the response was framed by itself and ended, and
 * the read that brought its end brought nothing after it. Bytes that come while no request is out end it: they
 * would be taken for the answer to the next request.
 */
final class Connection extends ChannelInboundHandlerAdapter {
    private static final int MAX_INTERIM = 10;

    private final Channel channel;
    private final Pool pool;
    private final HeadCheck check;
    private final ResponseDecoder decoder;
    private final int maxHeaders;
    private final Timeout idle;
    // LEASED while a caller has it, IDLE in the pool; whoever moves IDLE to LEASED or DEAD owns what follows.
    private final AtomicReference<State> state = new AtomicReference<>(State.LEASED);
    private volatile @Nullable Lease lease;
    private volatile boolean reused;

    // The rest belongs to the loop.
    private @Nullable ResponseSink sink;
    private boolean requestDone;
    private boolean anyByte;
    private boolean interim;
    private int interimSeen;
    private boolean ended;
    private boolean reusable;

    private enum State {
        LEASED,
        IDLE,
        DEAD
    }

    Connection(
            Channel channel, Pool pool, TimerWheel timers, HeadCheck check, ResponseDecoder decoder, int maxHeaders) {
        this.channel = channel;
        this.pool = pool;
        this.check = check;
        this.decoder = decoder;
        this.maxHeaders = maxHeaders;
        this.idle = new Timeout(timers) {
            @Override
            protected void expired() {
                closeIfIdle();
            }
        };
        channel.closeFuture().addListener(_ -> closed());
    }

    private void closed() {
        idle.cancel();
        if (state.getAndSet(State.DEAD) == State.IDLE) {
            pool.forget(this);
        }
        Lease held = lease;
        if (held != null) {
            held.giveBack();
        }
    }

    /** Ends it if nobody has it; true if so. */
    boolean closeIfIdle() {
        boolean mine = state.compareAndSet(State.IDLE, State.DEAD);
        if (mine) {
            pool.forget(this);
            channel.close();
        }
        return mine;
    }

    /** Waits until it is closed, which something else has begun. */
    void awaitClosed(Deadline deadline) {
        Reply<Boolean> closed = new Reply<>();
        channel.closeFuture().addListener(_ -> closed.complete(true));
        closed.await(deadline);
    }

    /** Binds a fresh connection to the right it was made under. */
    void bind(Lease under) {
        lease = under;
        // The close may have run before the lease was there to be given back.
        if (!channel.isOpen()) {
            under.giveBack();
        }
    }

    /** Takes an idle connection; false if it died meanwhile. */
    boolean take(Lease under) {
        if (!state.compareAndSet(State.IDLE, State.LEASED)) {
            return false;
        }
        reused = true;
        bind(under);
        return true;
    }

    /** Sends a request; the sink gets the response, or the failure, on the loop. */
    void start(FullHttpRequest request, ResponseSink into) {
        try {
            channel.eventLoop().execute(() -> begin(request, into));
        } catch (RejectedExecutionException _) {
            request.release();
            into.failed(Failures.closed());
        }
    }

    private void begin(FullHttpRequest request, ResponseSink into) {
        idle.off();
        if (!channel.isActive()) {
            request.release();
            into.failed(new Failures.Stale(pool.target(), true));
            channel.close();
            return;
        }
        sink = into;
        anyByte = false;
        ended = false;
        interimSeen = 0;
        requestDone = false;
        check.expect();
        decoder.expect(HttpMethod.HEAD.equals(request.method()));
        channel.writeAndFlush(request).addListener(done -> {
            requestDone = done.isSuccess();
            if (!done.isSuccess()) {
                fail(early());
            }
        });
    }

    /** Ends the connection and whatever runs on it. */
    void abort() {
        channel.close();
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        try {
            read((HttpObject) message);
        } finally {
            ReferenceCountUtil.release(message);
        }
    }

    private void read(HttpObject message) {
        ResponseSink into = sink;
        if (into == null || ended) {
            reusable = false;
            if (into == null) {
                channel.close();
            }
            return;
        }
        anyByte = true;
        if (message.decoderResult().isFailure()) {
            fail(Failures.parse(pool.target(), "response is not valid HTTP"));
            return;
        }
        RonException refused = null;
        if (message instanceof HttpResponse response) {
            refused = head(response, into);
        }
        if (refused == null && message instanceof HttpContent content) {
            refused = content(content, into);
        }
        if (refused != null) {
            fail(refused);
        }
    }

    private @Nullable RonException head(HttpResponse response, ResponseSink into) {
        if (response.headers().size() > maxHeaders) {
            return Failures.parse(pool.target(), "response with more than " + maxHeaders + " header fields");
        }
        interim = response.status().codeClass() == HttpStatusClass.INFORMATIONAL;
        if (interim) {
            // 101 changes the protocol, which was not asked for.
            return response.status().code() == 101 || ++interimSeen > MAX_INTERIM
                    ? Failures.parse(pool.target(), "unexpected interim response")
                    : null;
        }
        boolean length = response.headers().contains(HttpHeaderNames.CONTENT_LENGTH);
        boolean chunked = response.headers().contains(HttpHeaderNames.TRANSFER_ENCODING);
        if (!known(response.protocolVersion()) || (chunked && (length || !onlyChunked(response)))) {
            return Failures.parse(pool.target(), "response of another version or with an unclear end");
        }
        boolean bodyless = response.status().code() == 204 || response.status().code() == 304;
        reusable = HttpUtil.isKeepAlive(response) && (length || chunked || bodyless);
        return into.head(response);
    }

    private static boolean known(HttpVersion version) {
        return version.equals(HttpVersion.HTTP_1_1) || version.equals(HttpVersion.HTTP_1_0);
    }

    private static boolean onlyChunked(HttpResponse response) {
        List<String> codings = response.headers().getAll(HttpHeaderNames.TRANSFER_ENCODING);
        return codings.size() == 1 && codings.getFirst().equalsIgnoreCase("chunked");
    }

    private @Nullable RonException content(HttpContent content, ResponseSink into) {
        boolean last = content instanceof LastHttpContent;
        if (interim) {
            return null;
        }
        RonException refused = into.piece(content.content());
        ended = refused == null && last;
        return refused;
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
        finishIfEnded();
        context.fireChannelReadComplete();
    }

    private void finishIfEnded() {
        ResponseSink into = sink;
        if (into == null || !ended) {
            return;
        }
        sink = null;
        if (reusable && requestDone && !decoder.leftOver() && channel.isActive()) {
            putBack();
        } else {
            channel.close();
        }
        into.end();
    }

    // In the pool before the right is given back: who gets the right then finds the connection.
    private void putBack() {
        Lease held = lease;
        lease = null;
        if (state.compareAndSet(State.LEASED, State.IDLE)) {
            idle.after(pool.idleLimit().toNanos());
            pool.putBack(this);
        }
        if (held != null) {
            held.giveBack();
        }
    }

    private RonException early() {
        return reused && !anyByte ? new Failures.Stale(pool.target(), false) : Failures.reset(pool.target());
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        finishIfEnded();
        fail(anyByte ? Failures.truncated(pool.target()) : early());
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        if (cause instanceof HeadCheck.Refused) {
            fail(Failures.parse(pool.target(), "response is not valid HTTP"));
            return;
        }
        fail(anyByte ? Failures.truncated(pool.target()) : early());
    }

    private void fail(RonException failure) {
        ResponseSink into = sink;
        sink = null;
        channel.close();
        if (into != null) {
            into.failed(failure);
        }
    }
}
