package dev.ron.http.client.stream;

import dev.ron.http.loop.Timeout;
import dev.ron.http.message.Headers;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOutboundBuffer;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * One connection to an endpoint, with one call at a time; all of it happens on one event loop.
 *
 * <p>It is used again only when the request was written whole, the response was framed by itself and ended, and nothing
 * came after it. Bytes that come while no call is on it end it: they would be taken for the answer to the next one.
 */
final class UpstreamConnection extends ChannelInboundHandlerAdapter {
    private static final int MAX_INTERIM = 10;

    private enum Phase {
        IDLE,
        HEAD,
        BODY,
        OVER
    }

    private final Channel channel;
    private final LoopPool pool;
    private final Place place;
    private final Timeout timer;
    private final ArrayDeque<ByteBuf> waiting = new ArrayDeque<>(2); // read while the receiver was full
    private @Nullable ByteBuf rest; // being parsed; never empty between two pumps
    private Phase phase = Phase.IDLE;
    private @Nullable StreamCall call;
    private @Nullable ResponseFraming framing;
    private boolean used;
    private boolean anyByte;
    private boolean requestDone;
    private boolean keepAlive;
    private boolean paused;
    private boolean ended; // the far side has closed
    private boolean pumping;
    private boolean flushing; // a flush is due at the end of this turn of the loop
    private int interims;
    private long lastProgress;

    UpstreamConnection(Channel channel, LoopPool pool, Place place) {
        this.channel = channel;
        this.pool = pool;
        this.place = place;
        this.timer = new Timeout(pool.timers()) {
            @Override
            protected void expired() {
                late();
            }
        };
    }

    boolean usable() {
        return phase == Phase.IDLE && channel.isActive();
    }

    // The request.

    void start(StreamCall next) {
        StreamRequest request = next.request();
        call = next;
        phase = Phase.HEAD;
        framing = null;
        anyByte = false;
        paused = false;
        interims = 0;
        requestDone = !request.hasBody();
        timer.at(request.deadlineNanos());
        ByteBuf head = pool.writer().head(request, channel.alloc());
        if (requestDone) {
            channel.writeAndFlush(head, channel.voidPromise());
        } else {
            channel.write(head, channel.voidPromise());
            flushSoon();
            next.receiver().ready();
        }
    }

    boolean writePiece(ByteBuf piece) {
        StreamCall current = call;
        if (current != null && current.request().bodyLength() == StreamRequest.CHUNKED) {
            RequestWriter.chunk(channel, piece);
        } else {
            channel.write(piece, channel.voidPromise());
        }
        flushSoon();
        return channel.isWritable();
    }

    void writeEnd(Headers trailers) {
        StreamCall current = call;
        if (requestDone || current == null) {
            return;
        }
        requestDone = true;
        if (current.request().bodyLength() == StreamRequest.CHUNKED) {
            RequestWriter.lastChunk(channel, trailers);
        }
        channel.flush();
    }

    /** Head and pieces that come in one turn of the loop go out in one write. */
    private void flushSoon() {
        if (!flushing) {
            flushing = true;
            channel.eventLoop().execute(() -> {
                flushing = false;
                channel.flush();
            });
        }
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) {
        StreamCall current = call;
        if (current != null && !requestDone && channel.isWritable()) {
            current.receiver().writable();
        }
    }

    // The response.

    void pause() {
        paused = true;
        channel.config().setAutoRead(false);
    }

    void resume() {
        if (paused) {
            paused = false;
            lastProgress = pool.nanos();
            pump();
            if (!paused && !ended) {
                channel.config().setAutoRead(true);
            }
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        ByteBuf more = (ByteBuf) message;
        if (call == null) {
            more.release();
            close();
            return;
        }
        lastProgress = pool.nanos();
        anyByte = true;
        if (rest == null && waiting.isEmpty()) {
            rest = more;
        } else {
            waiting.add(more);
        }
        pump();
    }

    private void pump() {
        if (pumping) {
            return;
        }
        pumping = true;
        try {
            while (step()) {
                // every step consumes something or joins more to it
            }
        } catch (BadResponse bad) {
            boolean inBody = phase == Phase.BODY;
            fail(
                    inBody ? UpstreamFailure.Kind.BROKEN_BODY : UpstreamFailure.Kind.PROTOCOL,
                    "the response has " + bad.getMessage());
        } finally {
            pumping = false;
        }
        if (ended && call != null && !paused) {
            settleEnd();
        }
    }

    private boolean step() {
        StreamCall current = call;
        if (current == null || paused) {
            return false;
        }
        ByteBuf in = rest == null ? waiting.poll() : rest;
        rest = in;
        if (in == null) {
            return false;
        }
        boolean went = phase == Phase.HEAD ? stepHead(current, in) : stepBody(current, in);
        return went || (call == current && joinNext());
    }

    /** What was not enough by itself may be enough with what comes next. */
    private boolean joinNext() {
        ByteBuf before = rest;
        if (before != null && !before.isReadable()) {
            before.release();
            rest = null;
            return !waiting.isEmpty();
        }
        ByteBuf next = waiting.poll();
        if (before == null || next == null) {
            return false;
        }
        rest = channel.alloc()
                .directBuffer(before.readableBytes() + next.readableBytes())
                .writeBytes(before)
                .writeBytes(next);
        before.release();
        next.release();
        return true;
    }

    private boolean stepHead(StreamCall current, ByteBuf in) {
        ResponseHeadParser parser = pool.parser();
        if (!parser.parse(in)) {
            return false;
        }
        int status = parser.status();
        if (status < 200) {
            return status == 101 ? handOver(current, parser.headers()) : interim(current, status, parser.headers());
        }
        var headers = parser.headers();
        ResponseFraming body = new ResponseFraming(
                parser,
                status,
                parser.http10(),
                headers,
                current.request().method().equals("HEAD"));
        framing = body;
        keepAlive = !parser.http10() && !body.untilClose() && !headers.hasToken("Connection", "close");
        phase = Phase.BODY;
        timer.at(lastProgress + current.request().streamIdle().toNanos());
        current.receiver().head(new ResponseHead(status, headers, body.declared(), body.done(), in.readableBytes()));
        return call == current && finishIfDone(body, in);
    }

    private boolean interim(StreamCall current, int status, Headers headers) {
        BadResponse.unless(++interims <= MAX_INTERIM, "too many interim answers");
        if (status != 100) {
            current.receiver().informed(status, headers);
        }
        return call == current;
    }

    /** Its place in the pool is for others from here on, and it does not come back. */
    void leavePool() {
        place.giveBack();
    }

    /** The channel leaves the pool for good. */
    private boolean handOver(StreamCall current, Headers headers) {
        BadResponse.unless(
                current.request().headers().contains("Upgrade") && requestDone,
                "a change of protocol that was not asked for");
        ByteBuf early = channel.alloc().directBuffer();
        if (rest != null) {
            early.writeBytes(rest);
        }
        waiting.forEach(early::writeBytes);
        call = null;
        over();
        channel.pipeline().remove(this);
        leavePool();
        current.upgraded(headers, channel, early);
        return false;
    }

    private boolean stepBody(StreamCall current, ByteBuf in) {
        ResponseFraming body = framing;
        if (body == null) {
            return false;
        }
        ByteBuf piece = body.next(in);
        if (piece != null) {
            current.receiver().piece(piece);
        }
        return call == current && finishIfDone(body, in) && piece != null;
    }

    /** False when the call is over. */
    private boolean finishIfDone(ResponseFraming body, ByteBuf in) {
        if (body.done()) {
            finish(!in.isReadable());
            return false;
        }
        return true;
    }

    private void finish(boolean exact) {
        boolean whole = exact && requestDone && !ended && waiting.isEmpty();
        boolean again = whole && keepAlive && !place.given() && channel.isActive();
        StreamCall done = call;
        Headers trailers = framing == null ? Headers.NONE : framing.trailers();
        call = null;
        releaseBytes();
        if (again && nothingToWrite()) {
            phase = Phase.IDLE;
            used = true;
            timer.after(pool.options().idleLimit().toNanos());
            if (paused) {
                channel.config().setAutoRead(true);
            }
            pool.putBack(this);
        } else {
            close();
        }
        if (done != null) {
            done.finished(trailers);
        }
    }

    private boolean nothingToWrite() {
        ChannelOutboundBuffer queue = channel.unsafe().outboundBuffer();
        return queue != null && queue.totalPendingWriteBytes() == 0;
    }

    // The end.

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        ended = true;
        pump();
        if (call == null) {
            over();
        }
    }

    /** The far side has closed and all it sent was delivered. */
    private void settleEnd() {
        ResponseFraming body = framing;
        if (phase == Phase.BODY && body != null && body.untilClose()) {
            finish(false);
        } else {
            broken();
        }
    }

    private void broken() {
        if (phase == Phase.BODY) {
            fail(UpstreamFailure.Kind.BROKEN_BODY, "the connection ended inside the response");
        } else {
            boolean stale = used && !anyByte;
            fail(
                    stale ? UpstreamFailure.Kind.STALE : UpstreamFailure.Kind.RESET,
                    "the connection ended before the response");
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        if (call == null) {
            close();
        } else {
            broken();
        }
    }

    private void late() {
        StreamCall current = call;
        if (current == null) {
            close();
        } else if (phase == Phase.HEAD) {
            fail(UpstreamFailure.Kind.TIMEOUT, "no response before the deadline");
        } else {
            long idle = current.request().streamIdle().toNanos();
            long quietSince = paused ? pool.nanos() : lastProgress; // a full receiver is not the far side's fault
            if (pool.nanos() - quietSince >= idle) {
                fail(UpstreamFailure.Kind.STALLED, "the response does not go on");
            } else {
                timer.at(quietSince + idle);
            }
        }
    }

    private void fail(UpstreamFailure.Kind kind, String what) {
        StreamCall failed = call;
        call = null;
        close();
        if (failed != null) {
            failed.failed(new UpstreamFailure(kind, pool.target(), what));
        }
    }

    /** The caller does not want the rest. */
    void abandon() {
        call = null;
        close();
    }

    void close() {
        over();
        channel.close();
    }

    private void over() {
        phase = Phase.OVER;
        timer.cancel();
        releaseBytes();
    }

    private void releaseBytes() {
        ByteBuf last = rest;
        rest = null;
        if (last != null) {
            last.release();
        }
        waiting.forEach(ByteBuf::release);
        waiting.clear();
    }
}
