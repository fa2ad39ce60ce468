package dev.ron.http.server;

import dev.ron.http.loop.TimerWheel;
import dev.ron.http.message.Headers;
import dev.ron.http.message.Response;
import dev.ron.kernel.error.Code;
import dev.ron.kernel.error.RonException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandler;
import io.netty.channel.EventLoop;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Stream;
import java.time.Duration;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * One request of an HTTP/2 connection, and its answer.
 *
 * <p>Until the handler asks for the body the caller may send {@link #FIRST_WINDOW} bytes, which wait here; once it has
 * asked, the window grows as far as the host's budget allows. The connection's own window is refilled at once, so a body
 * that waits holds up nobody else's.
 */
final class H2Stream implements Carrier {
    static final int FIRST_WINDOW = 16 << 10;
    private static final int FULL_WINDOW = 64 << 10;
    private static final int STEP = 16 << 10;
    private static final long SECOND = 1_000_000_000L;

    private final H2Connection connection;
    private final Http2Stream stream;
    private final HostState host;
    private final ArrayDeque<ByteBuf> held = new ArrayDeque<>(2); // bounded by the window
    private long heldBytes;
    private long granted; // taken from the budget to widen the window
    private @Nullable ServerExchange exchange;
    private boolean awaitsContinue;
    private boolean requestEnded;
    private boolean bodyTold; // the handler knows that the body is over
    private boolean delivering;
    private Headers trailers = Headers.NONE;
    private long delivered;
    private final long since;
    private long lastData;
    private boolean answerEnded;
    private @Nullable ChannelFuture last; // the frame that ends the answer
    private long queuedBytes;
    private long sentBytes;
    private long sentAtCheck;
    private long othersAtCheck; // sent on the whole connection
    private boolean starved; // something is kept back until there is room for it
    private long checkAt = Turn.NEVER;

    H2Stream(H2Connection connection, Http2Stream stream, HostState host, long now) {
        this.connection = connection;
        this.stream = stream;
        this.host = host;
        this.since = now;
        this.lastData = now;
    }

    // The request.

    /** Lets the request in, or refuses it. */
    void begin(ParsedHead head, boolean ends, CorrId corrId, Admission admission) {
        ServerExchange next = new ServerExchange(this, host, head, corrId, since);
        exchange = next;
        awaitsContinue = head.expectsContinue();
        requestEnded = ends;
        bodyTold = requestEnded;
        host.began();
        try {
            admission.admit(next, head);
        } catch (RonException refused) {
            next.fail(refused);
            return;
        }
        next.dispatch();
    }

    void data(ByteBuf piece, int size, long now) {
        lastData = now;
        ServerExchange current = exchange;
        if (current == null || current.over() || answerEnded) {
            connection.out().taken(stream, size);
        } else if (!host.buffers().tryTake(size)) {
            connection.out().taken(stream, size);
            current.bodyBroken(new RonException(
                    Code.BUSY, "busy", "too much is waiting to be read here", Duration.ofSeconds(1), null));
        } else {
            heldBytes += size;
            held.add(piece.retain());
            deliver();
        }
    }

    void requestEnd(Headers after) {
        requestEnded = true;
        trailers = after;
        deliver();
    }

    private void deliver() {
        ServerExchange current = exchange;
        if (delivering || current == null) {
            return;
        }
        delivering = true;
        try {
            while (!current.over() && current.takesBody() && !held.isEmpty()) {
                ByteBuf piece = held.poll();
                int size = piece.readableBytes();
                release(size);
                connection.out().taken(stream, size);
                delivered += size;
                if (delivered > current.found().maxBodyBytes()) {
                    piece.release();
                    current.bodyBroken(Admission.overCap(current.found().maxBodyBytes()));
                } else {
                    current.piece(piece);
                }
            }
        } finally {
            delivering = false;
        }
        if (requestEnded && held.isEmpty() && !bodyTold && !current.over() && current.takesBody()) {
            bodyTold = true;
            current.bodyEnd(trailers);
        }
    }

    private void release(long size) {
        heldBytes -= size;
        host.buffers().giveBack(size);
    }

    @Override
    public void bodyWanted() {
        lastData = connection.now();
        if (awaitsContinue) {
            awaitsContinue = false;
            if (held.isEmpty() && !requestEnded) {
                connection.out().headers(stream, H2Heads.fields(100, Headers.NONE), false);
            }
        }
        if (!requestEnded && granted == 0 && host.buffers().tryTakeSpare(FULL_WINDOW - FIRST_WINDOW)) {
            granted = FULL_WINDOW - FIRST_WINDOW;
            connection.out().widen(stream, (int) granted);
        }
        connection.wakeAt(nextMoment());
        deliver();
    }

    /** What comes now waits, within the window. */
    @Override
    public void bodyPaused() {}

    @Override
    public boolean bodyRead() {
        return requestEnded && held.isEmpty();
    }

    @Override
    public long bodyBytes() {
        return delivered;
    }

    // The answer.

    @Override
    public void writeWhole(ServerExchange answered, Response response, boolean silent) {
        int status = response.status();
        boolean bare = status == 204 || status == HeadEncoder.NOT_MODIFIED;
        int size = response.body().length;
        boolean withBody = !bare && !silent && size > 0;
        last = connection
                .out()
                .headers(
                        stream,
                        H2Heads.response(
                                status,
                                answered.corrId(),
                                connection.date(),
                                connection.everywhere(),
                                response.headers(),
                                bare ? -1 : size),
                        !withBody);
        if (withBody) {
            data(Unpooled.wrappedBuffer(response.body()), true);
        }
        answerEnded = true;
    }

    @Override
    public void writeHead(ServerExchange answered, int status, Headers headers, long length) {
        connection
                .out()
                .headers(
                        stream,
                        H2Heads.response(
                                status, answered.corrId(), connection.date(), connection.everywhere(), headers, length),
                        false);
    }

    @Override
    public void writeInterim(ServerExchange answered, int status, Headers headers) {
        connection.out().headers(stream, H2Heads.fields(status, headers), false);
    }

    @Override
    public void writePiece(ByteBuf piece) {
        data(piece, false);
    }

    @Override
    public void writeEnd(boolean silent, Headers after) {
        if (after.size() > 0 && !silent) {
            last = connection.out().headers(stream, H2Heads.trailers(after), true);
        } else {
            data(Unpooled.EMPTY_BUFFER, true);
        }
        answerEnded = true;
    }

    /** In steps, so that progress can be seen inside a large piece. */
    private void data(ByteBuf piece, boolean ends) {
        while (piece.readableBytes() > STEP) {
            step(piece.readRetainedSlice(STEP), false);
        }
        step(piece, ends);
        if (sentBytes < queuedBytes) {
            watch();
        }
    }

    private void step(ByteBuf piece, boolean ends) {
        int size = piece.readableBytes();
        queuedBytes += size;
        connection.flow().queued(size);
        ChannelFuture written = connection.out().data(stream, piece, ends);
        written.addListener(sent -> {
            sentBytes += size;
            connection.flow().sent(size);
            // It may write again now, however much of other streams still waits.
            if (starved && sentBytes == queuedBytes) {
                connection.loop().execute(this::writabilityChanged);
            }
        });
        if (ends) {
            last = written;
        }
    }

    /** Whoever is answered has nothing to add: the rest of its body is not wanted. */
    @Override
    public void answered() {
        dropHeld();
        ChannelFuture end = last;
        if (!requestEnded && end != null) {
            end.addListener(written -> connection.out().reset(stream, Http2Error.NO_ERROR));
        }
        connection.streamAnswered();
    }

    @Override
    public boolean writable() {
        boolean room = hasRoom();
        if (!room && !answerEnded) {
            starved = true;
            watch();
        }
        return room;
    }

    private boolean hasRoom() {
        return connection.out().writable(stream) && connection.flow().hasRoom(queuedBytes - sentBytes);
    }

    /** There is room again, or there is none any more. */
    void writabilityChanged() {
        ServerExchange current = exchange;
        if (current != null) {
            starved &= !hasRoom();
            current.becameWritable();
        }
    }

    @Override
    public void upgrade(ServerExchange answered, Headers headers, ChannelHandler... handlers) {
        throw new IllegalStateException("HTTP/2 knows no upgrade");
    }

    // The end.

    @Override
    public void cut() {
        connection.out().reset(stream, Http2Error.INTERNAL_ERROR);
    }

    /** The stream is closed, whoever closed it. */
    void closed() {
        dropHeld();
        host.buffers().giveBack(granted);
        granted = 0;
        ServerExchange lost = exchange;
        exchange = null;
        if (lost != null) {
            lost.lost();
        }
    }

    private void dropHeld() {
        held.forEach(ByteBuf::release);
        held.clear();
        release(heldBytes);
    }

    void drain() {
        ServerExchange current = exchange;
        if (current != null) {
            current.drain();
        }
    }

    // Time.

    /** The next moment at which something may be due. */
    long nextMoment() {
        ServerExchange current = exchange;
        long answer = current == null ? Turn.NEVER : current.deadlineAt();
        long body = current == null || current.over() || requestEnded || !current.takesBody()
                ? Turn.NEVER
                : Math.min(lastData + limits().read().toNanos(), connection.now() + SECOND);
        return Math.min(checkAt, Math.min(answer, body));
    }

    private HostConfig.Timeouts limits() {
        return host.config().timeouts();
    }

    /** Does what is due. */
    void check(long now) {
        ServerExchange current = exchange;
        if (now >= checkAt && !fastEnough(now)) {
            host.refusals().timeout("write");
            checkAt = Turn.NEVER;
            connection.out().reset(stream, Http2Error.CANCEL);
        } else if (current != null && now >= current.deadlineAt()) {
            current.expired();
        } else if (current != null && !current.over() && !requestEnded && current.takesBody() && tooSlow(now)) {
            current.bodyBroken(Refusal.SLOW_BODY.exception());
        }
    }

    private boolean tooSlow(long now) {
        long elapsed = now - since;
        boolean stalled = now >= lastData + limits().read().toNanos();
        return stalled
                || (elapsed > limits().paceAfter().toNanos()
                        && delivered < limits().minBytesPerSecond() * (elapsed / SECOND));
    }

    /** From now on the caller must take something, also where its window is closed and nothing can be on its way. */
    private void watch() {
        if (checkAt == Turn.NEVER) {
            checkAgain(connection.now());
            connection.wakeAt(checkAt);
        }
    }

    private void checkAgain(long now) {
        sentAtCheck = sentBytes;
        othersAtCheck = connection.flow().sent();
        checkAt = now + limits().write().toNanos();
    }

    private boolean fastEnough(long now) {
        if (sentBytes >= queuedBytes && !starved) {
            checkAt = Turn.NEVER;
            return true;
        }
        long demanded = limits().minBytesPerSecond() * limits().write().toMillis() / 1000;
        boolean took = sentBytes - sentAtCheck >= Math.max(1, Math.min(demanded, queuedBytes - sentAtCheck));
        if (!took && !waitsBehindOthers(demanded)) {
            return false;
        }
        checkAgain(now);
        return true;
    }

    /** The caller takes what else there is on its connection, and this stream's own window is open: its turn will come. */
    private boolean waitsBehindOthers(long demanded) {
        return connection.out().window(stream) > 0 && connection.flow().sent() - othersAtCheck >= Math.max(1, demanded);
    }

    @Override
    public EventLoop loop() {
        return connection.loop();
    }

    @Override
    public TimerWheel timers() {
        return connection.timers();
    }

    @Override
    public Caller caller() {
        return connection.caller();
    }
}
