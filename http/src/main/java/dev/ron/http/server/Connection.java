package dev.ron.http.server;

import dev.ron.http.loop.TimerWheel;
import dev.ron.http.message.Headers;
import dev.ron.http.message.Response;
import dev.ron.http.problem.Problem;
import dev.ron.kernel.error.Code;
import dev.ron.kernel.error.RonException;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.EventLoop;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import java.io.IOException;
import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One HTTP/1.1 connection: reads one request after the other, strictly in turn, and has their answers written.
 *
 * <p>All of it happens on one event loop.
 */
final class Connection extends ChannelInboundHandlerAdapter {
    private static final Logger LOG = LoggerFactory.getLogger(Connection.class);
    private static final int MAX_UNPARSED = 64 << 10;
    private static final long SECOND = 1_000_000_000L;

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
        /** Another protocol; passed on. */
        UPGRADED,
        /** Nothing: the connection is over. */
        OFF
    }

    private final HostState host;
    private final HostConfig config;
    private final LoopParts parts;
    private final Admission admission;
    private final Channel channel;
    private final AnswerWriter out;
    private final ConnectionTimer timer;
    private @Nullable ByteBuf bytes; // read but not parsed; never empty between two pumps
    private Input input = Input.HEAD;
    private @Nullable ServerExchange exchange;
    private @Nullable BodyFraming framing;
    private boolean awaitsContinue;
    private boolean closesAfter;
    private boolean inputShut;
    private boolean pumping;
    private boolean reading; // between channelRead and channelReadComplete: flushing waits for the latter
    private int scanned; // bytes of an incomplete head in which no line ends
    private int lingered;
    private long since; // when idling, the head, or the lingering began
    private long lastRead;
    private long bodySince;

    Connection(HostState host, LoopParts parts, Admission admission, Channel channel) {
        this.host = host;
        this.config = host.config();
        this.parts = parts;
        this.admission = admission;
        this.channel = channel;
        this.out = new AnswerWriter(channel, parts.encoder(), config.timeouts());
        this.since = now();
        this.lastRead = since;
        this.timer = new ConnectionTimer(this, parts.timers());
    }

    private long now() {
        return host.clock().nanos();
    }

    // Life.

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        parts.add(this);
        timer.arm(since + config.timeouts().idle().toNanos());
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext ctx) {
        over();
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        boolean passOn = input == Input.UPGRADED;
        over();
        if (passOn) {
            ctx.fireChannelInactive();
        }
    }

    private void over() {
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
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        if (cause instanceof IOException || cause instanceof DecoderException) {
            host.refusals().ioError("connection");
        } else {
            LOG.error("connection from {} failed", peer(), cause);
        }
        cut();
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) throws Exception {
        if (event instanceof ChannelInputShutdownEvent) {
            inputShut = true;
            inputEnded();
        } else if (event instanceof SslHandshakeCompletionEvent handshake && !handshake.isSuccess()) {
            host.refusals().handshakeFailed();
        }
        super.userEventTriggered(ctx, event);
    }

    /** A caller may stop sending and still want its answer; one that stops in the middle of a request gets none. */
    private void inputEnded() {
        switch (input) {
            case READ -> {
                if (exchange != null && exchange.longLived()) {
                    cut();
                }
            }
            case HEAD, REST -> last();
            case LINGER -> {
                if (out.pending() == 0) {
                    cut();
                }
            }
            case BODY, UPGRADED -> cut();
            case OFF -> {}
        }
    }

    // Bytes in.

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        if (input == Input.UPGRADED) {
            ctx.fireChannelRead(message);
            return;
        }
        ByteBuf more = (ByteBuf) message;
        if (input == Input.OFF || input == Input.LINGER) {
            linger(more);
            return;
        }
        reading = true;
        lastRead = now();
        if (input == Input.HEAD && bytes == null) {
            since = lastRead;
        }
        append(more);
        pump();
    }

    private void append(ByteBuf more) {
        ByteBuf before = bytes;
        if (before == null && more.isReadable()) {
            bytes = more;
            return;
        }
        if (before != null) {
            ByteBuf joined = channel.alloc().directBuffer(before.readableBytes() + more.readableBytes());
            bytes = joined.writeBytes(before).writeBytes(more);
            before.release();
        }
        more.release();
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        reading = false;
        flushIfDue();
        if (input == Input.UPGRADED) {
            ctx.fireChannelReadComplete();
        }
    }

    /** Goes on with what was read, as far as it goes. */
    private void pump() {
        if (pumping) {
            return;
        }
        pumping = true;
        try {
            while (bytes != null && bytes.isReadable() && step(bytes)) {
                // every step consumes something or changes what is awaited
            }
        } finally {
            pumping = false;
        }
        if (bytes != null && !bytes.isReadable()) {
            releaseBytes();
        }
        steerReading();
        flushIfDue();
    }

    /** Reading stops while more is at hand than can be used. */
    private void steerReading() {
        if (input == Input.OFF || input == Input.LINGER || input == Input.UPGRADED) {
            return;
        }
        ByteBuf rest = bytes;
        boolean enough = rest != null && rest.readableBytes() >= MAX_UNPARSED;
        boolean held = input == Input.BODY && rest != null && exchange != null && !exchange.takesBody();
        boolean wanted = !enough && !held;
        if (channel.config().isAutoRead() != wanted) {
            channel.config().setAutoRead(wanted);
        }
    }

    private boolean step(ByteBuf in) {
        return switch (input) {
            // A caller that does not take its answers is not asked for more.
            case HEAD -> channel.isWritable() && stepHead(in);
            case BODY -> stepBody(in);
            case REST -> stepRest(in);
            case READ, LINGER, UPGRADED, OFF -> false;
        };
    }

    private boolean stepHead(ByteBuf in) {
        if (scanned > 0 && noLineEnd(in)) {
            scanned = in.readableBytes();
            return false;
        }
        ParsedHead head;
        try {
            if (parts.parser().parseHead(in) == HeadParser.Outcome.INCOMPLETE) {
                scanned = in.readableBytes();
                timer.arm(since + config.timeouts().read().toNanos());
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

    /** A head that comes byte by byte is looked at again only when a line ends, or when it may have become too long. */
    private boolean noLineEnd(ByteBuf in) {
        return in.readableBytes() < config.head().maxLineBytes()
                && in.indexOf(in.readerIndex() + scanned, in.writerIndex(), (byte) '\n') < 0;
    }

    private void begin(ParsedHead head) {
        CorrId corrId = CorrId.of(head.headers(), parts.corrIds(), lastRead);
        ServerExchange next = new ServerExchange(this, host, head, corrId, lastRead);
        exchange = next;
        host.began();
        closesAfter = !head.keepAlive();
        awaitsContinue = head.expectsContinue();
        framing = head.hasBody() ? new BodyFraming(parts.parser(), head.length()) : null;
        bodySince = lastRead;
        input = head.hasBody() ? Input.BODY : Input.READ;
        try {
            admission.admit(next, head);
        } catch (RonException refused) {
            closesAfter |= refused.code() == Code.BAD_REQUEST; // who is wrong here may be wrong about the rest
            next.fail(refused);
            return;
        }
        next.dispatch();
        if (exchange == next) {
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
    }

    private boolean stepRest(ByteBuf in) {
        BodyFraming body = framing;
        try {
            ByteBuf piece = body == null ? null : body.next(in);
            if (piece != null) {
                piece.release();
            }
        } catch (RonException bad) {
            cut();
            return false;
        }
        if (body == null || body.done()) {
            nextRequest();
        }
        return true;
    }

    void bodyWanted() {
        if (awaitsContinue && input == Input.BODY && (bytes == null || !bytes.isReadable())) {
            out.sayContinue();
        }
        awaitsContinue = false;
        lastRead = now();
        timer.arm(lastRead + config.timeouts().read().toNanos());
        pump();
    }

    void bodyPaused() {
        if (!pumping) {
            steerReading();
        }
    }

    /** True once the request was read to its end. */
    boolean bodyRead() {
        return input != Input.BODY;
    }

    long bodyBytes() {
        return framing == null ? 0 : framing.delivered();
    }

    // Answers out.

    /** A head that could not be read: answered without an exchange, and the connection ends. */
    private void refuseBytes(RonException why) {
        long now = now();
        host.refusals().count(why, RouteMeters.NO_ROUTE);
        CorrId corrId = parts.corrIds().next(now);
        Response problem = Response.problem(Problem.of(why, "", corrId.toString()));
        host.meters()
                .of("other", RouteMeters.NO_ROUTE)
                .answered(problem.status(), now - since, 0, problem.body().length);
        out.whole(problem.status(), corrId, problem.headers(), problem.body(), false, true, now);
        last();
    }

    void writeWhole(ServerExchange answered, Response response, boolean silent) {
        boolean close = !staysOpen();
        long now = pumping ? lastRead : now();
        out.whole(response.status(), answered.corrId(), response.headers(), response.body(), silent, close, now);
        answerDone(close);
    }

    void writeHead(ServerExchange answered, int status, Headers headers, long length) {
        boolean untilClose =
                length == HeadEncoder.CHUNKED_BODY && answered.head().http10();
        closesAfter |= !staysOpen() || untilClose;
        out.head(status, answered.corrId(), headers, untilClose ? HeadEncoder.UNTIL_CLOSE : length, closesAfter, now());
        flushIfDue();
    }

    void writePiece(ByteBuf piece) {
        out.piece(piece);
        flushIfDue();
    }

    void writeEnd(boolean silent) {
        out.end(silent);
        answerDone(closesAfter || !staysOpen());
    }

    /** Whether the next request can follow: its start must be certain and near. */
    private boolean staysOpen() {
        if (closesAfter || inputShut || host.draining()) {
            return false;
        }
        BodyFraming body = framing;
        return input != Input.BODY || (body != null && !awaitsContinue && body.remaining() <= config.lingerBytes());
    }

    private void answerDone(boolean close) {
        exchange = null;
        if (close) {
            last();
            return;
        }
        if (input == Input.BODY) {
            input = Input.REST;
            since = now();
            timer.arm(since + config.linger().toNanos());
        } else {
            nextRequest();
        }
        pump();
    }

    private void nextRequest() {
        input = Input.HEAD;
        since = pumping ? lastRead : now();
        if (inputShut) {
            last();
        }
    }

    boolean writable() {
        return channel.isWritable();
    }

    private void flushIfDue() {
        if (out.flushDue() && !reading && !pumping) {
            out.flush(lastRead);
            timer.arm(out.checkAt());
        }
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ctx) throws Exception {
        if (channel.isWritable() && input != Input.UPGRADED) {
            ServerExchange current = exchange;
            if (current != null) {
                current.becameWritable();
            }
            pump();
        }
        super.channelWritabilityChanged(ctx);
    }

    /** Hands the connection over to another protocol: its handlers follow, with what was read ahead. */
    void upgrade(ServerExchange answered, Headers headers, ChannelHandler... handlers) {
        input = Input.UPGRADED;
        out.head(101, answered.corrId(), headers, HeadEncoder.NO_BODY, false, now());
        out.flush(lastRead);
        channel.pipeline().addLast(handlers);
        ByteBuf ahead = bytes;
        bytes = null;
        if (ahead != null) {
            channel.pipeline().context(this).fireChannelRead(ahead);
        }
    }

    // The end.

    /** After the last answer: flush, say that no more will come, and read a little longer so that it is not lost. */
    private void last() {
        input = Input.LINGER;
        lingered = 0;
        if (!pumping) {
            releaseBytes();
        }
        since = now();
        timer.arm(since + config.linger().toNanos());
        if (!channel.config().isAutoRead()) {
            channel.config().setAutoRead(true);
        }
        out.flushLast(since).addListener(flushed -> {
            since = now();
            if (!flushed.isSuccess() || inputShut) {
                cut();
            } else {
                closeOutput();
            }
        });
        timer.arm(out.checkAt());
    }

    private void closeOutput() {
        SslHandler tls = channel.pipeline().get(SslHandler.class);
        if (tls != null) {
            tls.closeOutbound();
        } else if (channel instanceof DuplexChannel duplex) {
            duplex.shutdownOutput();
        }
    }

    private void linger(ByteBuf dropped) {
        lingered += dropped.readableBytes();
        dropped.release();
        if (lingered > config.lingerBytes() && channel.config().isAutoRead()) {
            channel.config().setAutoRead(false);
        }
    }

    /** Ends the connection now: what was begun cannot be made whole. */
    void cut() {
        channel.close();
    }

    /** The host stops: a connection without a request goes at once, the others with their answer. */
    void drain() {
        ServerExchange current = exchange;
        if (current != null) {
            current.drain();
        } else if (input == Input.HEAD && bytes == null) {
            last();
        }
    }

    /** No request is in hand any more: what has sent half a head will not be waited for. */
    void finish() {
        if (exchange == null && (input == Input.HEAD || input == Input.REST)) {
            last();
        }
    }

    // Time.

    /** The next moment at which something may be due. */
    long nextMoment() {
        HostConfig.Timeouts limits = config.timeouts();
        long own = switch (input) {
            case HEAD -> since + (bytes == null ? limits.idle() : limits.read()).toNanos();
            case BODY -> Math.min(lastRead + limits.read().toNanos(), nextPaceCheck());
            case REST, LINGER -> since + config.linger().toNanos();
            case READ, UPGRADED, OFF -> Long.MAX_VALUE;
        };
        long answer = exchange == null ? Long.MAX_VALUE : exchange.deadlineAt();
        return Math.min(out.checkAt(), Math.min(own, answer));
    }

    /** The pace of a body is looked at every second, once it had time to get going. */
    private long nextPaceCheck() {
        return Math.max(bodySince + config.timeouts().paceAfter().toNanos(), now() + SECOND);
    }

    /** Does what is due. */
    void check() {
        long now = now();
        ServerExchange current = exchange;
        if (now >= out.checkAt() && !out.fastEnough(now)) {
            host.refusals().timeout("write");
            cut();
        } else if (current != null && now >= current.deadlineAt()) {
            closesAfter |= input == Input.BODY;
            current.expired();
        } else {
            checkInput(now, current);
        }
    }

    private void checkInput(long now, @Nullable ServerExchange current) {
        HostConfig.Timeouts limits = config.timeouts();
        boolean lingeredLong = now >= since + config.linger().toNanos();
        switch (input) {
            case HEAD -> {
                if (bytes == null && now >= since + limits.idle().toNanos()) {
                    last();
                } else if (bytes != null
                        && channel.isWritable()
                        && now >= since + limits.read().toNanos()) {
                    refuseBytes(Refusal.SLOW_HEAD.exception());
                }
            }
            case BODY -> {
                if (current != null && !current.takesBody()) {
                    lastRead = now; // the handler holds the body up, not the caller
                } else if (current != null && tooSlow(now, limits)) {
                    bodyBroken(current, Refusal.SLOW_BODY.exception());
                }
            }
            case REST -> {
                if (lingeredLong) {
                    cut();
                }
            }
            case LINGER -> {
                if (lingeredLong && out.pending() == 0) {
                    cut();
                }
            }
            case READ, UPGRADED, OFF -> {}
        }
    }

    private boolean tooSlow(long now, HostConfig.Timeouts limits) {
        long elapsed = now - bodySince;
        boolean stalled = now >= lastRead + limits.read().toNanos();
        return stalled
                || (elapsed > limits.paceAfter().toNanos()
                        && bodyBytes() < limits.minBytesPerSecond() * (elapsed / SECOND));
    }

    // Where.

    boolean isOver() {
        return input == Input.OFF;
    }

    EventLoop loop() {
        return channel.eventLoop();
    }

    TimerWheel timers() {
        return parts.timers();
    }

    SocketAddress peer() {
        return channel.remoteAddress();
    }

    boolean secure() {
        return channel.pipeline().get(SslHandler.class) != null;
    }
}
