package dev.ron.http.server;

import dev.ron.http.loop.Timeout;
import dev.ron.http.message.Headers;
import dev.ron.http.message.Response;
import dev.ron.kernel.error.Code;
import dev.ron.kernel.error.RonException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.EventLoop;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.ssl.SslHandler;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One HTTP/1.1 connection: reads one request after the other, strictly in turn, and writes their answers.
 *
 * <p>All of it happens on one event loop. There is one timer per connection, and it is lazy: moments move later by a
 * field write, and what they mean is worked out when the timer goes off.
 */
final class Connection extends ChannelInboundHandlerAdapter {
    private static final Logger LOG = LoggerFactory.getLogger(Connection.class);
    private static final ByteBuf CONTINUE = constant("HTTP/1.1 100 Continue\r\n\r\n");
    private static final ByteBuf LAST_CHUNK = constant("0\r\n\r\n");
    private static final ByteBuf CRLF = constant("\r\n");
    private static final int MAX_UNPARSED = 64 << 10;
    private static final long NEVER = Long.MAX_VALUE;

    /** What the next bytes are. */
    private enum Input {
        HEAD,
        /** The body of the exchange in hand. */
        BODY,
        /** Nothing is due: the exchange in hand has been read. */
        READ,
        /** The small rest of a body whose answer is out already. */
        REST,
        /** Whatever comes after the last answer; dropped. */
        LINGER,
        /** Not ours any more. */
        OFF
    }

    private final HostState host;
    private final LoopParts parts;
    private final Admission admission;
    private final boolean secure;
    private final LazyTimer timer;
    private @Nullable ChannelHandlerContext ctx;
    private @Nullable ByteBuf bytes; // read but not parsed; never empty
    private Input input = Input.HEAD;
    private @Nullable ServerExchange exchange;
    private @Nullable BodyFraming framing;
    private boolean awaitsContinue;
    private boolean chunkedAnswer;
    private boolean closesAfter;
    private boolean inputShut;
    private boolean pumping;
    private boolean reading; // between channelRead and channelReadComplete: flushing waits for the latter
    private boolean flushDue;
    private int scanned; // bytes of an incomplete head that held no line end to go on with
    private int lingered;
    private long since; // idle, head or discarding began
    private long lastRead;
    private long bodySince;
    private long queuedBytes;
    private long writeCheckAt = NEVER;
    private long writtenAtCheck;

    /** The connection's one timer; set to the earliest moment known, it finds out what is due. */
    private final class LazyTimer extends Timeout {
        private long armedFor = NEVER;

        LazyTimer() {
            super(parts.timers());
        }

        void arm(long atNanos) {
            if (atNanos < armedFor) {
                armedFor = atNanos;
                at(atNanos);
            }
        }

        @Override
        protected void expired() {
            armedFor = NEVER;
            long now = host.clock().nanos();
            if (input != Input.OFF) {
                checkTime(now);
            }
            if (input != Input.OFF) {
                arm(Math.max(now + 1, nextMoment()));
            }
        }
    }

    Connection(HostState host, LoopParts parts, Admission admission, boolean secure) {
        this.host = host;
        this.parts = parts;
        this.admission = admission;
        this.secure = secure;
        this.timer = new LazyTimer();
    }

    private static ByteBuf constant(String text) {
        return Unpooled.unreleasableBuffer(Unpooled.directBuffer()
                .writeBytes(text.getBytes(StandardCharsets.US_ASCII))
                .asReadOnly());
    }

    // Life.

    @Override
    public void handlerAdded(ChannelHandlerContext context) {
        ctx = context;
        parts.add(this);
        since = host.clock().nanos();
        timer.arm(since + host.config().timeouts().idle().toNanos());
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext context) {
        end();
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        end();
    }

    private void end() {
        if (input == Input.OFF) {
            return;
        }
        input = Input.OFF;
        timer.cancel();
        parts.remove(this);
        releaseBytes();
        ServerExchange lost = exchange;
        exchange = null;
        if (lost != null) {
            lost.lost();
        }
    }

    private void releaseBytes() {
        ByteBuf rest = bytes;
        bytes = null;
        if (rest != null) {
            rest.release();
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        if (cause instanceof IOException || cause instanceof io.netty.handler.codec.DecoderException) {
            host.refusals().ioError("connection");
        } else {
            LOG.error("connection from {} failed", peer(), cause);
        }
        context.close();
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) throws Exception {
        if (event instanceof ChannelInputShutdownEvent) {
            inputShut = true;
            inputEnded();
        } else {
            super.userEventTriggered(context, event);
        }
    }

    /** A caller may stop sending and still want its answer; one that stops in the middle of a request gets none. */
    private void inputEnded() {
        switch (input) {
            case READ, OFF -> {}
            case LINGER -> cutIf(pending() == 0);
            case BODY -> cut();
            case HEAD, REST -> last();
        }
    }

    // Bytes in.

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        ByteBuf more = (ByteBuf) message;
        reading = true;
        if (input == Input.OFF || input == Input.LINGER) {
            linger(more);
            return;
        }
        lastRead = host.clock().nanos();
        if (input == Input.HEAD && bytes == null) {
            since = lastRead;
        }
        append(more);
        pump();
    }

    private void append(ByteBuf more) {
        ByteBuf before = bytes;
        if (before == null) {
            if (more.isReadable()) {
                bytes = more;
            } else {
                more.release();
            }
            return;
        }
        ByteBuf joined = channel().alloc().directBuffer(before.readableBytes() + more.readableBytes());
        joined.writeBytes(before).writeBytes(more);
        before.release();
        more.release();
        bytes = joined;
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
        reading = false;
        if (flushDue) {
            flush();
        }
    }

    /** Goes on with what was read, as far as it goes. */
    private void pump() {
        if (pumping) {
            return;
        }
        pumping = true;
        try {
            while (bytes != null && step(bytes)) {
                ByteBuf rest = bytes;
                if (rest != null && !rest.isReadable()) {
                    releaseBytes();
                }
            }
            ByteBuf rest = bytes;
            if (rest != null && !rest.isReadable()) {
                releaseBytes();
            }
        } finally {
            pumping = false;
        }
        steerReading();
    }

    /** Reading stops while more is at hand than can be used. */
    private void steerReading() {
        if (input == Input.OFF || input == Input.LINGER) {
            return;
        }
        ByteBuf rest = bytes;
        boolean enough = rest != null && rest.readableBytes() >= MAX_UNPARSED;
        boolean held = input == Input.BODY && exchange != null && !exchange.takesBody() && rest != null;
        boolean read = !enough && !held;
        if (channel().config().isAutoRead() != read) {
            channel().config().setAutoRead(read);
        }
    }

    private boolean step(ByteBuf in) {
        return switch (input) {
            case HEAD -> channel().isWritable() && stepHead(in);
            case BODY -> stepBody(in);
            case REST -> stepRest(in);
            case READ, LINGER, OFF -> false;
        };
    }

    private boolean stepHead(ByteBuf in) {
        if (scanned > 0
                && in.indexOf(in.readerIndex() + scanned, in.writerIndex(), (byte) '\n') < 0
                && in.readableBytes() < host.config().head().maxLineBytes()) {
            scanned = in.readableBytes();
            return false;
        }
        ParsedHead head;
        try {
            if (parts.parser().parseHead(in) == HeadParser.Outcome.INCOMPLETE) {
                scanned = in.readableBytes();
                timer.arm(since + host.config().timeouts().read().toNanos());
                return false;
            }
            in.skipBytes(parts.parser().consumed());
            scanned = 0;
            head = parts.parser().head();
        } catch (RonException bad) {
            refuseBytes(bad);
            return false;
        }
        begin(head);
        return true;
    }

    private void begin(ParsedHead head) {
        CorrId corrId = CorrId.of(head.headers(), parts.corrIds(), lastRead);
        ServerExchange next = new ServerExchange(this, host, head, corrId, lastRead);
        exchange = next;
        host.began();
        closesAfter = !head.keepAlive();
        awaitsContinue = head.expectsContinue();
        if (head.hasBody()) {
            framing = new BodyFraming(parts.parser(), head.length());
            bodySince = lastRead;
            input = Input.BODY;
        } else {
            framing = null;
            input = Input.READ;
        }
        try {
            admission.admit(next, head);
        } catch (RonException refused) {
            closesAfter |= refused.code() == Code.BAD_REQUEST; // who is wrong here may be wrong about the rest
            next.fail(refused);
            return;
        }
        next.dispatch();
        if (exchange == next && !next.answered()) {
            timer.arm(next.deadlineAt());
        }
    }

    private boolean stepBody(ByteBuf in) {
        ServerExchange current = exchange;
        BodyFraming body = framing;
        if (current == null || body == null || !current.takesBody()) {
            return false;
        }
        ByteBuf piece;
        try {
            piece = body.next(in);
        } catch (RonException bad) {
            bodyBroken(current, bad);
            return false;
        }
        if (piece != null) {
            long cap = current.found().maxBodyBytes();
            if (body.delivered() > cap) {
                piece.release();
                bodyBroken(current, Admission.overCap(cap));
                return false;
            }
            current.piece(piece);
        }
        if (body.done() && input == Input.BODY) {
            input = Input.READ;
            current.bodyEnd();
        }
        return piece != null || body.done();
    }

    /** The rest cannot be told from the next request any more: the answer is the last of this connection. */
    private void bodyBroken(ServerExchange current, RonException why) {
        closesAfter = true;
        current.bodyBroken(why);
        if (exchange == current) {
            cut();
        }
    }

    private boolean stepRest(ByteBuf in) {
        BodyFraming body = framing;
        if (body == null) {
            return false;
        }
        try {
            ByteBuf piece = body.next(in);
            if (piece != null) {
                piece.release();
            }
        } catch (RonException bad) {
            cut();
            return false;
        }
        if (body.done()) {
            nextRequest();
        }
        return true;
    }

    void bodyWanted() {
        if (awaitsContinue && input == Input.BODY && (bytes == null || !bytes.isReadable())) {
            write(CONTINUE.duplicate());
            flushSoon();
        }
        awaitsContinue = false;
        lastRead = host.clock().nanos();
        timer.arm(lastRead + host.config().timeouts().read().toNanos());
        if (!pumping) {
            pump();
            flushIfIdle();
        }
    }

    void bodyPaused() {
        if (!pumping) {
            steerReading();
        }
    }

    boolean bodyRead() {
        return input != Input.BODY;
    }

    long bodyBytes() {
        return framing == null ? 0 : framing.delivered();
    }

    // Answers out.

    /** A head that could not be read: answered without an exchange, and the connection ends. */
    private void refuseBytes(RonException why) {
        long now = host.clock().nanos();
        host.refusals().count(why, RouteMeters.NO_ROUTE);
        CorrId corrId = parts.corrIds().next(now);
        Response problem = Response.problem(dev.ron.http.problem.Problem.of(why, "", corrId.toString()));
        host.meters().of("other", RouteMeters.NO_ROUTE).answered(problem.status(), 0, 0, problem.body().length);
        encodeHead(problem.status(), corrId, problem.headers(), problem.body().length, true);
        writeEncoded(problem.body());
        last();
    }

    long writeWhole(ServerExchange answered, Response response) {
        int status = response.status();
        byte[] body = response.body();
        boolean close = !staysOpen();
        boolean bare = status == 204 || status == 304;
        encodeHead(status, answered.corrId(), response.headers(), bare ? HeadEncoder.NO_BODY : body.length, close);
        boolean silent = bare || answered.method().equals("HEAD");
        writeEncoded(silent ? NO_BYTES : body);
        answerDone(close);
        return silent ? 0 : body.length;
    }

    private static final byte[] NO_BYTES = new byte[0];

    private void encodeHead(int status, CorrId corrId, Headers headers, long length, boolean close) {
        HeadEncoder encoder = parts.encoder();
        encoder.begin(status, corrId, lastRead);
        encoder.end(length, close, headers);
    }

    private void writeEncoded(byte[] body) {
        HeadEncoder encoder = parts.encoder();
        boolean together = encoder.tryAppendBody(body);
        write(encoder.toBuffer(channel().alloc()));
        if (!together) {
            write(Unpooled.wrappedBuffer(body));
        }
    }

    long writeHead(ServerExchange answered, int status, Headers headers, long length) {
        boolean http10 = answered.head().http10();
        boolean unknown = length == HeadEncoder.CHUNKED_BODY;
        closesAfter |= !staysOpen() || (unknown && http10);
        chunkedAnswer = unknown && !http10;
        long told = unknown && http10 ? HeadEncoder.UNTIL_CLOSE : length;
        encodeHead(status, answered.corrId(), headers, told, closesAfter);
        writeEncoded(NO_BYTES);
        flushSoon();
        return 0;
    }

    void writePiece(ByteBuf piece) {
        if (chunkedAnswer) {
            String size = Integer.toHexString(piece.readableBytes());
            write(channel()
                    .alloc()
                    .directBuffer(size.length() + 2)
                    .writeBytes((size + "\r\n").getBytes(StandardCharsets.US_ASCII)));
            write(piece);
            write(CRLF.duplicate());
        } else {
            write(piece);
        }
        flushSoon();
    }

    void writeEnd(ServerExchange answered) {
        if (chunkedAnswer && !answered.method().equals("HEAD")) {
            write(LAST_CHUNK.duplicate());
        }
        answerDone(closesAfter || !staysOpen());
    }

    /** Whether the next request can follow: its start must be certain and near. */
    private boolean staysOpen() {
        if (closesAfter || inputShut || host.draining()) {
            return false;
        }
        return input != Input.BODY || restIsSmall();
    }

    private boolean restIsSmall() {
        BodyFraming body = framing;
        return body != null
                && !awaitsContinue
                && body.remaining() <= host.config().lingerBytes();
    }

    private void answerDone(boolean close) {
        exchange = null;
        if (close) {
            last();
            return;
        }
        if (input == Input.BODY) {
            input = Input.REST;
            since = host.clock().nanos();
            timer.arm(since + host.config().linger().toNanos());
        } else {
            nextRequest();
        }
        flushSoon();
        if (!pumping) {
            pump();
            flushIfIdle();
        }
    }

    private void nextRequest() {
        input = Input.HEAD;
        framing = null;
        since = bytes == null ? lastRead : host.clock().nanos();
        if (inputShut) {
            last();
        }
    }

    boolean writable() {
        return channel().isWritable();
    }

    private void write(ByteBuf out) {
        queuedBytes += out.readableBytes();
        context().write(out, context().voidPromise());
    }

    private void flushSoon() {
        flushDue = true;
        if (!reading && !pumping) {
            flush();
        }
    }

    private void flushIfIdle() {
        if (flushDue && !reading) {
            flush();
        }
    }

    private void flush() {
        flushDue = false;
        context().flush();
        if (writeCheckAt == NEVER && pending() > 0) {
            watchWriting(host.clock().nanos());
        }
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) {
        if (!context.channel().isWritable()) {
            return;
        }
        ServerExchange current = exchange;
        if (current != null) {
            current.becameWritable();
        }
        if (!pumping) {
            pump();
            flushIfIdle();
        }
    }

    // The end.

    /** After the last answer: flush, say that no more will come, and read a little longer so that it is not lost. */
    private void last() {
        input = Input.LINGER;
        lingered = 0;
        releaseBytes();
        since = host.clock().nanos();
        timer.arm(since + host.config().linger().toNanos());
        if (!channel().config().isAutoRead()) {
            channel().config().setAutoRead(true);
        }
        flushDue = false;
        ChannelFuture flushed = context().writeAndFlush(Unpooled.EMPTY_BUFFER);
        flushed.addListener(done -> {
            since = host.clock().nanos();
            if (!done.isSuccess() || inputShut) {
                context().close();
            } else {
                closeOutput();
            }
        });
        if (pending() > 0) {
            watchWriting(since);
        }
    }

    private void closeOutput() {
        SslHandler tls = context().pipeline().get(SslHandler.class);
        if (tls != null) {
            tls.closeOutbound();
        } else if (channel() instanceof DuplexChannel duplex) {
            duplex.shutdownOutput();
        } else {
            context().close();
        }
    }

    private void linger(ByteBuf dropped) {
        lingered += dropped.readableBytes();
        dropped.release();
        if (lingered > host.config().lingerBytes() && channel().config().isAutoRead()) {
            channel().config().setAutoRead(false);
        }
    }

    /** Ends the connection now: what was begun cannot be made whole. */
    void cut() {
        context().close();
    }

    /** The host stops: a connection without a request goes at once, the others with their answer. */
    void drain() {
        if (exchange == null && input == Input.HEAD && bytes == null) {
            last();
        }
    }

    /** No request is in hand any more; what still lingers or has sent half a head ends as soon as its answer is out. */
    void finishNow() {
        if (input == Input.OFF) {
            return;
        }
        if (exchange == null && input != Input.LINGER) {
            last();
        }
    }

    // Time.

    private long nextMoment() {
        HostConfig.Timeouts limits = host.config().timeouts();
        long moment = writeCheckAt;
        switch (input) {
            case HEAD -> moment = Math.min(moment, since + (bytes == null ? limits.idle() : limits.read()).toNanos());
            case BODY -> moment = Math.min(moment, lastRead + limits.read().toNanos());
            case REST, LINGER ->
                moment = Math.min(moment, since + host.config().linger().toNanos());
            case READ, OFF -> {}
        }
        ServerExchange current = exchange;
        return current == null ? moment : Math.min(moment, current.deadlineAt());
    }

    private void checkTime(long now) {
        if (now >= writeCheckAt && !writesFastEnough(now)) {
            host.refusals().timeout("write");
            cut();
            return;
        }
        ServerExchange current = exchange;
        if (current != null && now >= current.deadlineAt()) {
            if (input == Input.BODY) {
                closesAfter = true;
            }
            current.expired();
            return;
        }
        HostConfig.Timeouts limits = host.config().timeouts();
        switch (input) {
            case HEAD -> {
                if (bytes != null
                        && now >= since + limits.read().toNanos()
                        && channel().isWritable()) {
                    refuseBytes(Refusal.SLOW_HEAD.exception());
                } else if (bytes == null && now >= since + limits.idle().toNanos()) {
                    last();
                }
            }
            case BODY -> {
                if (current != null && current.takesBody() && tooSlow(now, limits)) {
                    bodyBroken(current, Refusal.SLOW_BODY.exception());
                } else if (current != null && !current.takesBody()) {
                    lastRead = now; // the handler holds the body up, not the caller
                }
            }
            case REST -> cutIf(now >= since + host.config().linger().toNanos());
            case LINGER ->
                cutIf(pending() == 0 && now >= since + host.config().linger().toNanos());
            case READ, OFF -> {}
        }
    }

    private void cutIf(boolean due) {
        if (due) {
            cut();
        }
    }

    private boolean tooSlow(long now, HostConfig.Timeouts limits) {
        if (now >= lastRead + limits.read().toNanos()) {
            return true;
        }
        long elapsed = now - bodySince;
        return elapsed > limits.paceAfter().toNanos()
                && bodyBytes() < limits.minBytesPerSecond() * (elapsed / 1_000_000_000L);
    }

    private void watchWriting(long now) {
        writtenAtCheck = written();
        writeCheckAt = now + host.config().timeouts().write().toNanos();
        timer.arm(writeCheckAt);
    }

    /** Whether the caller took enough since the last check; nothing left to take is enough. */
    private boolean writesFastEnough(long now) {
        if (pending() == 0) {
            writeCheckAt = NEVER;
            return true;
        }
        HostConfig.Timeouts limits = host.config().timeouts();
        long taken = written() - writtenAtCheck;
        long demanded = limits.minBytesPerSecond() * limits.write().toMillis() / 1000;
        if (taken < Math.max(1, demanded)) {
            return false;
        }
        watchWriting(now);
        return true;
    }

    private long pending() {
        ChannelOutboundBuffer queue = channel().unsafe().outboundBuffer();
        return queue == null ? 0 : queue.totalPendingWriteBytes();
    }

    private long written() {
        ChannelOutboundBuffer queue = channel().unsafe().outboundBuffer();
        return queue == null ? queuedBytes : queuedBytes - queue.totalPendingWriteBytes() + queue.currentProgress();
    }

    // Where.

    private ChannelHandlerContext context() {
        if (ctx == null) {
            throw new IllegalStateException("not in a pipeline");
        }
        return ctx;
    }

    Channel channel() {
        return context().channel();
    }

    EventLoop loop() {
        return channel().eventLoop();
    }

    SocketAddress peer() {
        return channel().remoteAddress();
    }

    boolean secure() {
        return secure;
    }

    boolean hasExchange() {
        return exchange != null;
    }
}
