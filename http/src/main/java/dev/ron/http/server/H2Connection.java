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
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.ChannelPromise;
import io.netty.channel.EventLoop;
import io.netty.handler.codec.http2.Http2Connection;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2Stream;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One HTTP/2 connection: its requests, each on a stream of its own, its time and its end; all on one event loop. */
final class H2Connection implements Served {
    private static final long SECOND = 1_000_000_000L;

    private final HostState host;
    private final LoopParts parts;
    private final Admission admission;
    private final Channel channel;
    private final Caller caller;
    private final H2Handler codec;
    private final H2Writer out;
    private final ConnectionTimer timer;
    private final H2Flow flow;
    private final Map<Integer, H2Stream> streams = new LinkedHashMap<>();
    private boolean leaving;
    private @Nullable H2Farewell farewell;
    private boolean over;
    private long lastBytes;
    private final FrameTrack track = new FrameTrack();
    private long trackedComplete;
    private long midwaySince = Turn.NEVER;
    private long takenBy = Turn.NEVER; // when what the socket holds must be out
    private long sentAtMark;

    H2Connection(HostState host, LoopParts parts, Admission admission, Channel channel, Caller caller) {
        this.host = host;
        this.parts = parts;
        this.admission = admission;
        this.channel = channel;
        this.caller = caller;
        this.timer = new ConnectionTimer(this, parts.timers());
        H2Frames frames = new H2Frames(this);
        this.codec = H2Handler.of(this, frames, host.config());
        this.out = new H2Writer(codec, frames);
        this.flow = new H2Flow(host.unsent(), host.config().front().bufferBudgetBytes(), this::roomAgain);
    }

    H2Handler codec() {
        return codec;
    }

    H2Writer out() {
        return out;
    }

    H2Flow flow() {
        return flow;
    }

    /** In a moment: just now frames are being written. */
    private void roomAgain() {
        if (!over) {
            loop().execute(() -> new ArrayList<>(streams.values()).forEach(H2Stream::writabilityChanged));
        }
    }

    /** When bytes last came. */
    long lastBytes() {
        return lastBytes;
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
            out.over();
            timer.cancel();
            parts.remove(this);
            new ArrayList<>(streams.values()).forEach(H2Stream::closed);
            streams.clear();
        }
    }

    /** Bytes have come; they may be only a part of a frame. False where nothing is heard any more: they are dropped. */
    boolean received(ByteBuf bytes) {
        if (farewell != null && farewell.isBegun()) {
            farewell.drop(bytes);
            return false;
        }
        out.reading();
        lastBytes = now();
        track.see(bytes);
        if (!track.midway()) {
            midwaySince = Turn.NEVER;
        } else if (midwaySince == Turn.NEVER || track.complete() != trackedComplete) {
            midwaySince = lastBytes;
            timer.arm(nextMoment());
        }
        trackedComplete = track.complete();
        return true;
    }

    void receivedAll() {
        out.readAll();
        leaveIfDone();
    }

    // Requests.

    @Nullable
    H2Stream stream(int id) {
        return streams.get(id);
    }

    void begin(int id, Http2Headers headers, boolean ends) throws H2Heads.Malformed {
        Http2Stream stream = http2().stream(id);
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
        out.headers(
                stream,
                H2Heads.response(
                        problem.status(), corrId, date(), everywhere(), problem.headers(), problem.body().length),
                false);
        ChannelFuture last = out.data(stream, Unpooled.wrappedBuffer(problem.body()), true);
        if (!ends) {
            last.addListener(written -> out.reset(stream, Http2Error.NO_ERROR));
        }
    }

    void writabilityChanged(Http2Stream stream) {
        H2Stream known = streams.get(stream.id());
        if (known != null) {
            known.writabilityChanged();
        }
    }

    void callerLeaves() {
        leaving = true;
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

    /** Goes on serving: what was sent before the caller heard of this is promised an answer. */
    @Override
    public void announceLeave() {
        if (farewell == null) {
            out.goAway(Integer.MAX_VALUE);
        }
    }

    @Override
    public void drain() {
        if (farewell == null) {
            leaving = true;
            new ArrayList<>(streams.values()).forEach(H2Stream::drain);
            out.goAway(http2().remote().lastStreamCreated());
            leaveIfDone();
        }
    }

    private void leaveIfDone() {
        if (leaving && farewell == null && streams.isEmpty() && !over && !out.isReading()) {
            H2Farewell last = new H2Farewell(channel, host.config());
            farewell = last;
            out.flushLast().addListener(flushed -> {
                if (flushed.isSuccess()) {
                    last.begin(now());
                    timer.arm(last.nextMoment());
                } else {
                    channel.close();
                }
            });
            if (takenBy != Turn.NEVER) {
                takenBy = Math.min(takenBy, now() + limits().write().toNanos());
                timer.arm(takenBy);
            }
        }
    }

    /**
     * Where the socket has not taken everything, a mark is put behind the rest: it must be out in the time in which a
     * caller at the slowest pace allowed would have taken that much. A stream is closed only once its last frame is out,
     * so that without this a caller that has stopped reading would keep all of it.
     */
    void flushed() {
        ChannelOutboundBuffer queue = channel.unsafe().outboundBuffer();
        long waits = queue == null || over ? 0 : queue.totalPendingWriteBytes();
        if (waits > 0 && takenBy == Turn.NEVER) {
            takenBy = now() + limits().write().toNanos() + timeFor(waits);
            sentAtMark = flow.sent();
            timer.arm(takenBy);
            ChannelPromise mark = channel.newPromise();
            mark.addListener(taken -> {
                takenBy = Turn.NEVER;
                if (taken.isSuccess()) {
                    loop().execute(this::flushed); // in a moment: just now the mark itself still counts as waiting
                }
            });
            channel.unsafe().write(Unpooled.EMPTY_BUFFER, mark);
            channel.unsafe().flush();
        }
    }

    /** At the slowest pace allowed; where none is demanded, it is enough that something goes out now and then. */
    private long timeFor(long bytes) {
        long pace = limits().minBytesPerSecond();
        return pace == 0 ? 0 : bytes * SECOND / pace;
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

    private HostConfig.Timeouts limits() {
        return host.config().timeouts();
    }

    void wakeAt(long nanos) {
        timer.arm(nanos);
    }

    @Override
    public long nextMoment() {
        if (farewell != null && farewell.isBegun()) {
            return farewell.nextMoment();
        }
        long next = takenBy;
        if (midwaySince != Turn.NEVER) {
            next = Math.min(next, midwaySince + limits().read().toNanos());
        } else if (streams.isEmpty()) {
            next = Math.min(next, lastBytes + limits().idle().toNanos());
        }
        for (H2Stream stream : streams.values()) {
            next = Math.min(next, stream.nextMoment());
        }
        return next;
    }

    @Override
    public void check() {
        long now = now();
        if (farewell != null && farewell.isBegun()) {
            farewell.check(now);
        } else if (now >= takenBy && limits().minBytesPerSecond() == 0 && flow.sent() > sentAtMark) {
            sentAtMark = flow.sent();
            takenBy = now + limits().write().toNanos();
        } else if (now >= takenBy) {
            host.refusals().timeout("write");
            cut();
        } else if (midwaySince != Turn.NEVER
                && now >= midwaySince + limits().read().toNanos()) {
            host.refusals().rejected(Refusal.SLOW_HEAD.reason());
            cut();
        } else if (streams.isEmpty() && now >= lastBytes + limits().idle().toNanos()) {
            drain();
        } else {
            new ArrayList<>(streams.values()).forEach(stream -> stream.check(now));
        }
    }

    @Override
    public long idleSince() {
        return streams.isEmpty() && farewell == null ? lastBytes : Turn.NEVER;
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
