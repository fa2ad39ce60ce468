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
import io.netty.channel.EventLoop;
import io.netty.handler.ssl.SslHandler;
import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * One HTTP/1.1 connection: reads one request after the other, strictly in turn, and has their answers written.
 *
 * <p>All of it happens on one event loop.
 */
final class Connection {
    private static final int MAX_UNPARSED = 64 << 10;

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
    private final ReadAhead ahead = new ReadAhead();
    private Input input = Input.HEAD;
    private @Nullable ServerExchange exchange;
    private @Nullable BodyIntake body; // of the exchange in hand, or of the one just answered
    private @Nullable Farewell farewell;
    private boolean closesAfter;
    private boolean inputShut;
    private boolean pumping;
    private boolean reading; // more may have been received: flushing waits until all was
    private int scanned; // bytes of an incomplete head in which no line ends
    private long since; // when idling, the head, or the dropping of a rest began
    private long lastRead;

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

    void open() {
        parts.add(this);
        timer.arm(since + config.timeouts().idle().toNanos());
    }

    /** The channel is closed; may be told more than once. */
    void over() {
        if (input == Input.OFF) {
            return;
        }
        input = Input.OFF;
        timer.cancel();
        parts.remove(this);
        ahead.release();
        ServerExchange lost = exchange;
        exchange = null;
        if (lost != null) {
            lost.lost();
        }
    }

    /** A caller may stop sending and still want its answer; one that stops in the middle of a request gets none. */
    void inputEnded() {
        inputShut = true;
        switch (input) {
            case READ -> {
                if (exchange != null && exchange.longLived()) {
                    cut();
                }
            }
            case HEAD, REST -> last();
            case LINGER -> {
                if (farewell != null) {
                    farewell.callerDone();
                }
            }
            case BODY, UPGRADED -> cut();
            case OFF -> {}
        }
    }

    // Bytes in.

    void received(ByteBuf more) {
        if (farewell != null) {
            farewell.drop(more);
            return;
        }
        if (input == Input.OFF) {
            more.release();
            return;
        }
        reading = true;
        lastRead = now();
        if (body != null) {
            body.progress(lastRead);
        }
        if (input == Input.HEAD && ahead.isEmpty()) {
            since = lastRead;
        }
        ahead.append(more, channel.alloc());
        pump();
    }

    void receivedAll() {
        reading = false;
        flushIfDue();
    }

    /** Goes on with what was read, as far as it goes. */
    private void pump() {
        if (pumping) {
            return;
        }
        pumping = true;
        try {
            while (!ahead.isEmpty() && step(ahead.bytes())) {
                // every step consumes something or changes what is awaited
            }
        } finally {
            pumping = false;
        }
        ahead.releaseIfEmpty();
        steerReading();
        flushIfDue();
    }

    /** Reading stops while more is at hand than can be used. */
    private void steerReading() {
        if (input == Input.OFF || input == Input.LINGER || input == Input.UPGRADED) {
            return;
        }
        boolean enough = ahead.size() >= MAX_UNPARSED;
        boolean held = input == Input.BODY && !ahead.isEmpty() && exchange != null && !exchange.takesBody();
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
        body = head.hasBody() ? intake(head) : null;
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

    private BodyIntake intake(ParsedHead head) {
        BodyFraming framing = new BodyFraming(parts.parser(), head.length());
        return new BodyIntake(framing, head.expectsContinue(), config.timeouts(), lastRead);
    }

    private boolean stepBody(ByteBuf in) {
        ServerExchange current = exchange;
        BodyIntake intake = body;
        if (current == null || intake == null || !current.takesBody()) {
            return false;
        }
        ByteBuf piece;
        try {
            piece = intake.next(in);
        } catch (RonException bad) {
            bodyBroken(current, bad);
            return false;
        }
        if (piece != null) {
            long cap = current.found().maxBodyBytes();
            if (intake.bytes() > cap) {
                piece.release();
                bodyBroken(current, Admission.overCap(cap));
                return false;
            }
            current.piece(piece);
        }
        if (intake.done() && input == Input.BODY) {
            input = Input.READ;
            current.bodyEnd();
        }
        return piece != null || intake.done();
    }

    /** The rest cannot be told from the next request any more: the answer is the last of this connection. */
    private void bodyBroken(ServerExchange current, RonException why) {
        closesAfter = true;
        current.bodyBroken(why);
    }

    private boolean stepRest(ByteBuf in) {
        BodyIntake rest = body;
        try {
            ByteBuf piece = rest == null ? null : rest.next(in);
            if (piece != null) {
                piece.release();
            }
        } catch (RonException bad) {
            cut();
            return false;
        }
        if (rest == null || rest.done()) {
            nextRequest();
        }
        return true;
    }

    void bodyWanted() {
        BodyIntake intake = body;
        if (intake != null) {
            if (intake.takeContinue() && input == Input.BODY && ahead.isEmpty()) {
                out.sayContinue();
            }
            long now = now();
            intake.progress(now);
            timer.arm(intake.nextMoment(now));
        }
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
        return body == null ? 0 : body.bytes();
    }

    // Answers out.

    /** A head that could not be read: answered without an exchange, and the connection ends. */
    private void refuseBytes(RonException why) {
        long now = now();
        CorrId corrId = parts.corrIds().next(now);
        Response problem = Response.problem(Problem.of(why, "", corrId.toString()));
        host.refusals().count(why, RouteMeters.NO_ROUTE);
        host.unreadable(problem, why.reason(), now - since, corrId, peer());
        out.whole(problem.status(), corrId, problem.headers(), problem.body(), false, true, now);
        last();
    }

    void writeWhole(ServerExchange answered, Response response, boolean silent) {
        closesAfter = !staysOpen();
        long now = pumping ? lastRead : now();
        out.whole(response.status(), answered.corrId(), response.headers(), response.body(), silent, closesAfter, now);
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
        closesAfter = !staysOpen();
    }

    /** Whether the next request can follow: its start must be certain and near. */
    private boolean staysOpen() {
        if (closesAfter || inputShut || host.draining()) {
            return false;
        }
        return input != Input.BODY || (body != null && body.restWithin(config.lingerBytes()));
    }

    /** The answer is written and its exchange over: takes leave, or goes on to the next request. */
    void answered() {
        exchange = null;
        if (closesAfter) {
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

    void becameWritable() {
        ServerExchange current = exchange;
        if (current != null) {
            current.becameWritable();
        }
        pump();
    }

    /** Hands the connection over to another protocol: its handlers follow, with what was read ahead. */
    void upgrade(ServerExchange answered, Headers headers, ChannelHandler... handlers) {
        input = Input.UPGRADED;
        out.head(101, answered.corrId(), headers, HeadEncoder.NO_BODY, false, now());
        out.flush(lastRead);
        channel.pipeline().addLast(handlers);
        ByteBuf early = ahead.take();
        if (early.isReadable()) {
            channel.pipeline().context(ConnectionHandler.class).fireChannelRead(early);
        } else {
            early.release();
        }
    }

    boolean isUpgraded() {
        return input == Input.UPGRADED;
    }

    // The end.

    /** The last answer is out, or none is due: takes leave. */
    private void last() {
        input = Input.LINGER;
        if (!pumping) {
            ahead.release();
        }
        Farewell leave = new Farewell(channel, out, host.clock(), config);
        farewell = leave;
        leave.begin(inputShut);
        timer.arm(Math.min(leave.nextMoment(), out.checkAt()));
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
        } else if (input == Input.HEAD && ahead.isEmpty()) {
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
            case HEAD -> since + (ahead.isEmpty() ? limits.idle() : limits.read()).toNanos();
            case BODY -> body == null ? Long.MAX_VALUE : body.nextMoment(now());
            case REST -> since + config.linger().toNanos();
            case LINGER -> farewell == null ? Long.MAX_VALUE : farewell.nextMoment();
            case READ, UPGRADED, OFF -> Long.MAX_VALUE;
        };
        long answer = exchange == null ? Long.MAX_VALUE : exchange.deadlineAt();
        return Math.min(out.checkAt(), Math.min(own, answer));
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
            checkInput(now);
        }
    }

    private void checkInput(long now) {
        switch (input) {
            case HEAD -> checkHead(now);
            case BODY -> checkBody(now);
            case REST -> {
                if (now >= since + config.linger().toNanos()) {
                    cut();
                }
            }
            case LINGER -> {
                if (farewell != null) {
                    farewell.check(now);
                }
            }
            case READ, UPGRADED, OFF -> {}
        }
    }

    private void checkHead(long now) {
        HostConfig.Timeouts limits = config.timeouts();
        if (ahead.isEmpty() && now >= since + limits.idle().toNanos()) {
            last();
        } else if (!ahead.isEmpty()
                && channel.isWritable()
                && now >= since + limits.read().toNanos()) {
            refuseBytes(Refusal.SLOW_HEAD.exception());
        }
    }

    private void checkBody(long now) {
        ServerExchange current = exchange;
        BodyIntake intake = body;
        if (current == null || intake == null) {
            return;
        }
        if (!current.takesBody()) {
            intake.progress(now); // the handler holds the body up, not the caller
        } else if (intake.tooSlow(now)) {
            bodyBroken(current, Refusal.SLOW_BODY.exception());
        }
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
