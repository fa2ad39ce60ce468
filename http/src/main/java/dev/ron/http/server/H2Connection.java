package dev.ron.http.server;

import dev.ron.http.loop.TimerWheel;
import dev.ron.http.message.Headers;
import dev.ron.http.message.Response;
import dev.ron.http.problem.Problem;
import dev.ron.kernel.error.RonException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.EventLoop;
import io.netty.handler.codec.http2.Http2Connection;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Flags;
import io.netty.handler.codec.http2.Http2FrameAdapter;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2Settings;
import io.netty.handler.codec.http2.Http2Stream;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.Map;

/** One HTTP/2 connection: frames in, and each request on a stream of its own; all of it on one event loop. */
final class H2Connection extends Http2FrameAdapter implements Served {
    private final HostState host;
    private final LoopParts parts;
    private final Admission admission;
    private final Channel channel;
    private final Caller caller;
    private final H2Handler codec;
    private final ConnectionTimer timer;
    private final FrameBudget budget = new FrameBudget();
    private final Map<Integer, H2Stream> streams = new LinkedHashMap<>();
    private boolean leaving;
    private boolean over;
    private boolean reading;
    private boolean flushDue;
    private long lastBytes;
    private final FrameTrack track = new FrameTrack();
    private long trackedComplete;
    private long midwaySince = Turn.NEVER;

    H2Connection(HostState host, LoopParts parts, Admission admission, Channel channel, Caller caller) {
        this.host = host;
        this.parts = parts;
        this.admission = admission;
        this.channel = channel;
        this.caller = caller;
        this.timer = new ConnectionTimer(this, parts.timers());
        this.codec = H2Handler.of(this, host.config());
    }

    H2Handler codec() {
        return codec;
    }

    private ChannelHandlerContext context() {
        return codec.context();
    }

    private Http2Connection http2() {
        return codec.connection();
    }

    long now() {
        return host.clock().nanos();
    }

    /** The fields of every answer. */
    Headers everywhere() {
        return parts.everywhere();
    }

    CharSequence date() {
        return parts.encoder().dateValue(now());
    }

    // Life.

    void open() {
        lastBytes = now();
        midwaySince = lastBytes;
        parts.add(this);
        timer.arm(nextMoment());
    }

    void over() {
        if (!over) {
            over = true;
            timer.cancel();
            parts.remove(this);
            new ArrayList<>(streams.values()).forEach(H2Stream::closed);
            streams.clear();
        }
    }

    /** Bytes have come; they may be only a part of a frame. */
    void received(ByteBuf bytes) {
        reading = true;
        lastBytes = now();
        track.see(bytes);
        if (!track.midway()) {
            midwaySince = Turn.NEVER;
        } else if (midwaySince == Turn.NEVER || track.complete() != trackedComplete) {
            midwaySince = lastBytes;
            timer.arm(nextMoment());
        }
        trackedComplete = track.complete();
    }

    void receivedAll() {
        reading = false;
        flushIfDue();
        leaveIfDone();
    }

    private void cheapFrame() throws Http2Exception {
        if (!budget.take(lastBytes)) {
            throw flood();
        }
    }

    private Http2Exception flood() {
        host.refusals().rejected("h2_flood");
        return Http2Exception.connectionError(Http2Error.ENHANCE_YOUR_CALM, "too many frames that ask for nothing");
    }

    // Frames in.

    @Override
    public void onHeadersRead(
            ChannelHandlerContext ctx,
            int id,
            Http2Headers headers,
            int dependency,
            short weight,
            boolean exclusive,
            int padding,
            boolean ends)
            throws Http2Exception {
        onHeadersRead(ctx, id, headers, padding, ends);
    }

    @Override
    public void onHeadersRead(ChannelHandlerContext ctx, int id, Http2Headers headers, int padding, boolean ends)
            throws Http2Exception {
        budget.earn();
        try {
            H2Stream known = streams.get(id);
            if (known == null) {
                begin(http2().stream(id), headers, ends);
            } else if (ends) {
                known.requestEnd(H2Heads.trailers(headers));
            } else {
                throw new H2Heads.Malformed("a second head");
            }
        } catch (H2Heads.Malformed bad) {
            host.refusals().rejected("framing");
            throw Http2Exception.streamError(id, Http2Error.PROTOCOL_ERROR, bad, bad.getMessage());
        }
    }

    private void begin(Http2Stream stream, Http2Headers headers, boolean ends) throws H2Heads.Malformed {
        CorrId fresh = parts.corrIds().next(lastBytes);
        ParsedHead head;
        try {
            Refusal.HEADER_CAP.unless(headers.size() <= host.config().head().maxFields());
            CharSequence path = headers.path();
            Refusal.URI_CAP.unless(
                    path == null || path.length() <= host.config().head().maxLineBytes());
            head = H2Heads.request(headers, ends);
        } catch (RonException refused) {
            refuse(stream, refused, fresh, ends);
            return;
        }
        H2Stream one = new H2Stream(this, stream, host, lastBytes);
        streams.put(stream.id(), one);
        one.begin(head, ends, CorrId.of(head.headers(), parts.corrIds(), lastBytes), admission);
        timer.arm(one.nextMoment());
    }

    /** A head that cannot become a request: answered without an exchange. */
    private void refuse(Http2Stream stream, RonException why, CorrId corrId, boolean ends) {
        Response problem = Response.problem(Problem.of(why, "", corrId.toString()));
        host.refusals().count(why, RouteMeters.NO_ROUTE);
        host.unreadable(problem, why.reason(), 0, corrId, caller.address());
        writeHeaders(
                stream,
                H2Heads.response(
                        problem.status(), corrId, date(), everywhere(), problem.headers(), problem.body().length),
                false);
        ChannelFuture last = writeData(stream, Unpooled.wrappedBuffer(problem.body()), true);
        if (!ends) {
            last.addListener(written -> reset(stream, Http2Error.NO_ERROR));
        }
    }

    @Override
    public int onDataRead(ChannelHandlerContext ctx, int id, ByteBuf data, int padding, boolean ends)
            throws Http2Exception {
        int size = data.readableBytes();
        if (size == 0 && !ends) {
            cheapFrame();
        } else {
            budget.earn();
        }
        H2Stream known = streams.get(id);
        if (known == null) {
            return size + padding;
        }
        if (size > 0) {
            known.data(data, size, lastBytes);
        }
        if (ends) {
            known.requestEnd(Headers.NONE);
        }
        return padding;
    }

    @Override
    public void onPriorityRead(ChannelHandlerContext ctx, int id, int dependency, short weight, boolean exclusive)
            throws Http2Exception {
        cheapFrame();
    }

    @Override
    public void onSettingsRead(ChannelHandlerContext ctx, Http2Settings settings) throws Http2Exception {
        cheapFrame();
    }

    @Override
    public void onPingRead(ChannelHandlerContext ctx, long data) throws Http2Exception {
        cheapFrame();
    }

    @Override
    public void onSettingsAckRead(ChannelHandlerContext ctx) throws Http2Exception {
        cheapFrame();
    }

    @Override
    public void onPingAckRead(ChannelHandlerContext ctx, long data) throws Http2Exception {
        cheapFrame();
    }

    @Override
    public void onWindowUpdateRead(ChannelHandlerContext ctx, int id, int increment) throws Http2Exception {
        cheapFrame();
    }

    @Override
    public void onUnknownFrame(ChannelHandlerContext ctx, byte type, int id, Http2Flags flags, ByteBuf payload) {
        if (!budget.take(lastBytes)) {
            codec.onError(ctx, false, flood());
        }
    }

    @Override
    public void onGoAwayRead(ChannelHandlerContext ctx, int last, long error, ByteBuf debug) throws Http2Exception {
        leaving = true;
    }

    // Frames out.

    ChannelFuture writeHeaders(Http2Stream stream, Http2Headers headers, boolean ends) {
        ChannelFuture written = codec.encoder()
                .writeHeaders(
                        context(), stream.id(), headers, 0, ends, context().newPromise());
        flushSoon();
        return written;
    }

    ChannelFuture writeData(Http2Stream stream, ByteBuf data, boolean ends) {
        budget.earn();
        ChannelFuture written = codec.encoder()
                .writeData(context(), stream.id(), data, 0, ends, context().newPromise());
        flushSoon();
        return written;
    }

    void reset(Http2Stream stream, Http2Error why) {
        if (!over && http2().stream(stream.id()) != null) {
            codec.resetStream(context(), stream.id(), why.code(), context().newPromise());
            flushSoon();
        }
    }

    private void flushSoon() {
        if (!reading && !flushDue) {
            loop().execute(this::flushIfDue);
        }
        flushDue = true;
    }

    private void flushIfDue() {
        if (flushDue && !over) {
            flushDue = false;
            codec.flush(context());
        }
    }

    boolean writable(Http2Stream stream) {
        return codec.encoder().flowController().isWritable(stream);
    }

    void becameWritable(Http2Stream stream) {
        H2Stream known = streams.get(stream.id());
        if (known != null) {
            known.becameWritable();
        }
    }

    // Windows.

    /** These bytes of a body do not wait here any more. */
    void taken(Http2Stream stream, int bytes) {
        try {
            if (codec.decoder().flowController().consumeBytes(stream, bytes)) {
                flushSoon();
            }
        } catch (Http2Exception e) {
            codec.onError(context(), false, e);
        }
    }

    void widen(Http2Stream stream, int bytes) {
        try {
            codec.decoder().flowController().incrementWindowSize(stream, bytes);
            flushSoon();
        } catch (Http2Exception e) {
            codec.onError(context(), false, e);
        }
    }

    // The end.

    void streamClosed(Http2Stream stream) {
        H2Stream known = streams.remove(stream.id());
        if (known != null) {
            known.closed();
            leaveIfDone();
        }
    }

    void streamAnswered() {
        timer.arm(nextMoment());
    }

    @Override
    public void announceLeave() {
        leaving = true;
        goAway(Integer.MAX_VALUE);
        leaveIfDone();
    }

    @Override
    public void drain() {
        leaving = true;
        new ArrayList<>(streams.values()).forEach(H2Stream::drain);
        goAway(http2().remote().lastStreamCreated());
        leaveIfDone();
    }

    private void goAway(int last) {
        if (!over) {
            codec.goAway(
                    context(),
                    last,
                    Http2Error.NO_ERROR.code(),
                    Unpooled.EMPTY_BUFFER,
                    context().newPromise());
            codec.flush(context());
        }
    }

    private void leaveIfDone() {
        if (leaving && streams.isEmpty() && !over && !reading) {
            codec.flush(context());
            context().writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(flushed -> channel.close());
        }
    }

    @Override
    public void finish() {
        leaving = true;
        leaveIfDone();
    }

    @Override
    public void cut() {
        channel.close();
    }

    // Time.

    void wakeAt(long nanos) {
        timer.arm(nanos);
    }

    @Override
    public long nextMoment() {
        HostConfig.Timeouts limits = host.config().timeouts();
        long next = Turn.NEVER;
        if (midwaySince != Turn.NEVER) {
            next = midwaySince + limits.read().toNanos();
        } else if (streams.isEmpty()) {
            next = lastBytes + limits.idle().toNanos();
        }
        for (H2Stream stream : streams.values()) {
            next = Math.min(next, stream.nextMoment());
        }
        return next;
    }

    @Override
    public void check() {
        long now = now();
        HostConfig.Timeouts limits = host.config().timeouts();
        if (midwaySince != Turn.NEVER && now >= midwaySince + limits.read().toNanos()) {
            host.refusals().rejected(Refusal.SLOW_HEAD.reason());
            cut();
        } else if (streams.isEmpty() && now >= lastBytes + limits.idle().toNanos()) {
            leaving = true;
            goAway(http2().remote().lastStreamCreated());
            leaveIfDone();
        } else {
            new ArrayList<>(streams.values()).forEach(stream -> stream.check(now));
        }
    }

    @Override
    public long idleSince() {
        return streams.isEmpty() ? lastBytes : Turn.NEVER;
    }

    @Override
    public InetAddress source() {
        return caller.source();
    }

    @Override
    public boolean isOver() {
        return over;
    }

    EventLoop loop() {
        return channel.eventLoop();
    }

    TimerWheel timers() {
        return parts.timers();
    }

    Caller caller() {
        return caller;
    }

    HostState host() {
        return host;
    }
}
