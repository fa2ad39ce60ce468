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
import io.netty.channel.DefaultFileRegion;
import io.netty.channel.EventLoop;
import java.net.InetAddress;
import org.jspecify.annotations.Nullable;

/**
 * One HTTP/1.1 connection: reads one request after the other, strictly in turn, and has their answers written.
 *
 * <p>All of it happens on one event loop. What is awaited from the caller is the {@link Turn}: a head, a body, nothing
 * while an answer is due, the rest of a body, the caller's leave.
 */
final class Connection implements Carrier, Served {
    private static final int MAX_UNPARSED = 64 << 10;

    private final HostState host;
    private final HostConfig config;
    private final LoopParts parts;
    private final Admission admission;
    private final Channel channel;
    private final Caller caller;
    private final AnswerWriter out;
    private final ConnectionTimer timer;
    private final ReadAhead ahead = new ReadAhead();
    private final HeadTurn head;
    private Turn turn;
    private @Nullable ServerExchange exchange;
    private @Nullable BodyFraming framing; // of the exchange in hand
    private boolean closesAfter;
    private boolean inputShut;
    private boolean pumping;
    private boolean reading; // more may have been received: flushing waits until all was
    private long lastRead;

    Connection(HostState host, LoopParts parts, Admission admission, Channel channel, Caller caller) {
        this.host = host;
        this.config = host.config();
        this.parts = parts;
        this.admission = admission;
        this.channel = channel;
        this.caller = caller;
        this.out = new AnswerWriter(channel, parts.encoder(), config.timeouts(), host.clock());
        this.timer = new ConnectionTimer(this, parts.timers());
        this.head = new HeadTurn(this, parts.parser(config.head()), config);
        this.turn = head;
        this.lastRead = host.clock().nanos();
    }

    /** The time; within a pump that of the last read, which is near enough and free. */
    private long now() {
        return pumping ? lastRead : host.clock().nanos();
    }

    // Life.

    void open() {
        parts.add(this);
        head.restart(false, lastRead);
        timer.arm(head.nextMoment(lastRead));
    }

    /** The channel is closed; may be told more than once. */
    void over() {
        if (turn == Turn.Still.OVER) {
            return;
        }
        turn = Turn.Still.OVER;
        timer.cancel();
        parts.remove(this);
        ahead.release();
        ServerExchange lost = exchange;
        exchange = null;
        if (lost != null) {
            lost.lost();
        }
    }

    /** A caller may stop sending and still want its answer; one that follows a stream without end has left. */
    void inputEnded() {
        inputShut = true;
        if (turn == Turn.Still.ANSWER && exchange != null && exchange.longLived()) {
            cut();
        } else {
            turn.inputEnded();
        }
    }

    // Bytes in.

    void received(ByteBuf more) {
        if (turn instanceof Farewell farewell) {
            farewell.drop(more);
            return;
        }
        if (turn == Turn.Still.OVER) {
            more.release();
            return;
        }
        reading = true;
        lastRead = host.clock().nanos();
        turn.received(ahead.isEmpty(), lastRead);
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
        if (!reading && !ahead.isEmpty()) {
            lastRead = host.clock().nanos(); // what waited behind another request begins now
        }
        pumping = true;
        try {
            while (!ahead.isEmpty() && turn.step(ahead.bytes())) {
                // every step uses something or ends a turn
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
        boolean wanted = ahead.size() < MAX_UNPARSED && (ahead.isEmpty() || !turn.holds());
        boolean ours = turn != Turn.Still.UPGRADED && !(turn instanceof Farewell);
        if (ours && channel.config().isAutoRead() != wanted) {
            channel.config().setAutoRead(wanted);
        }
    }

    /** A head is complete: lets the request in, or refuses it. */
    void begin(ParsedHead parsed) {
        CorrId corrId = CorrId.of(parsed.headers(), parts.corrIds(), lastRead);
        ServerExchange next = new ServerExchange(this, host, parsed, corrId, lastRead);
        exchange = next;
        host.began();
        closesAfter = !parsed.keepAlive() || parsed.headers().contains("Upgrade"); // refused, what follows is nobody's
        if (parsed.hasBody()) {
            framing = new BodyFraming(parts.parser(config.head()), parsed.length());
            turn = new BodyTurn(this, next, framing, config.timeouts(), lastRead);
        } else {
            framing = null;
            turn = Turn.Still.ANSWER;
        }
        try {
            admission.admit(next, parsed);
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

    @Override
    public void bodyWanted() {
        if (turn instanceof BodyTurn body) {
            long now = host.clock().nanos();
            if (body.wanted(now) && ahead.isEmpty()) {
                out.sayContinue();
            }
            timer.arm(body.nextMoment(now));
        }
        pump();
    }

    @Override
    public void bodyPaused() {
        if (!pumping) {
            steerReading();
        }
    }

    /** The whole body was delivered. */
    void bodyTaken(BodyTurn body) {
        ServerExchange current = exchange;
        if (turn == body && current != null) {
            turn = Turn.Still.ANSWER;
            current.bodyEnd(body.framing().trailers());
        }
    }

    /** The rest cannot be told from the next request any more: the answer is the last of this connection. */
    void bodyBroken(ServerExchange current, RonException why) {
        closesAfter = true;
        current.bodyBroken(why);
    }

    /** True once the request was read to its end. */
    @Override
    public boolean bodyRead() {
        return !(turn instanceof BodyTurn);
    }

    @Override
    public long bodyBytes() {
        return framing == null ? 0 : framing.delivered();
    }

    // Answers out.

    /** A head that could not be read: answered without an exchange, and the connection ends. */
    void refuseBytes(RonException why, long since) {
        long now = host.clock().nanos();
        CorrId corrId = parts.corrIds().next(now);
        Response problem = Response.problem(Problem.of(why, "", corrId.toString()));
        host.refusals().count(why, RouteMeters.NO_ROUTE);
        host.unreadable(problem, why.reason(), now - since, corrId, caller.address());
        out.whole(problem.status(), corrId, problem.headers(), problem.body(), false, true, now);
        leave();
    }

    @Override
    public void writeWhole(ServerExchange answered, Response response, boolean silent) {
        closesAfter = !staysOpen();
        out.whole(
                response.status(), answered.corrId(), response.headers(), response.body(), silent, closesAfter, now());
    }

    @Override
    public void writeHead(ServerExchange answered, int status, Headers headers, long length) {
        boolean untilClose =
                length == HeadEncoder.CHUNKED_BODY && answered.head().http10();
        closesAfter = untilClose || !staysOpen();
        out.head(status, answered.corrId(), headers, untilClose ? HeadEncoder.UNTIL_CLOSE : length, closesAfter, now());
        flushIfDue();
    }

    @Override
    public void writePiece(ByteBuf piece) {
        out.piece(piece);
        flushIfDue();
    }

    @Override
    public void writeInterim(ServerExchange answered, int status, Headers headers) {
        if (!answered.head().http10()) {
            out.interim(status, headers);
            flushIfDue();
        }
    }

    @Override
    public boolean takesFiles() {
        return !caller.secure();
    }

    @Override
    public void writeFile(DefaultFileRegion part) {
        out.file(part);
        flushIfDue();
    }

    @Override
    public void writeEnd(boolean silent, Headers trailers) {
        out.end(silent, trailers);
        closesAfter = !staysOpen();
    }

    /** Whether the next request can follow: its start must be certain and near. */
    private boolean staysOpen() {
        boolean stays = !closesAfter && !inputShut && !host.leaving();
        return stays && (!(turn instanceof BodyTurn body) || body.restWithin(config.lingerBytes()));
    }

    /** The answer is written and its exchange over: takes leave, or goes on to the next request. */
    @Override
    public void answered() {
        exchange = null;
        if (closesAfter) {
            leave();
        } else if (turn instanceof BodyTurn body) {
            long until = host.clock().nanos() + config.linger().toNanos();
            turn = new RestTurn(this, body.framing(), until);
            timer.arm(until);
            pump();
        } else {
            nextRequest();
            pump();
        }
    }

    void nextRequest() {
        head.restart(!ahead.isEmpty(), now());
        turn = head;
        timer.arm(head.nextMoment(now()));
        if (inputShut) {
            leave();
        }
    }

    @Override
    public boolean writable() {
        return channel.isWritable();
    }

    void becameWritable() {
        ServerExchange current = exchange;
        if (current != null) {
            current.becameWritable();
        }
        pump();
    }

    private void flushIfDue() {
        if (out.flushDue() && !reading && !pumping) {
            out.flush();
            timer.arm(out.checkAt());
        }
    }

    /** Hands the connection over to another protocol: its handlers follow, with what was read ahead. */
    @Override
    public void upgrade(ServerExchange answered, Headers headers, ChannelHandler... handlers) {
        turn = Turn.Still.UPGRADED;
        out.head(101, answered.corrId(), headers, HeadEncoder.NO_BODY, false, now());
        out.flush();
        channel.config().setAutoRead(true);
        channel.pipeline().addLast(handlers);
        ByteBuf early = ahead.take();
        if (early.isReadable()) {
            channel.pipeline().context(ConnectionHandler.class).fireChannelRead(early);
        } else {
            early.release();
        }
    }

    boolean isUpgraded() {
        return turn == Turn.Still.UPGRADED;
    }

    // The end.

    /** The last answer is out, or none is due. */
    void leave() {
        if (!pumping) {
            ahead.release();
        }
        Farewell farewell = new Farewell(channel, out, host.clock(), config);
        turn = farewell;
        farewell.begin(inputShut);
        timer.arm(Math.min(farewell.nextMoment(lastRead), out.checkAt()));
    }

    /** Ends the connection now: what was begun cannot be made whole. */
    @Override
    public void cut() {
        channel.close();
    }

    /** The host stops: a connection without a request goes at once, the others with their answer. */
    @Override
    public void drain() {
        ServerExchange current = exchange;
        if (current != null) {
            current.drain();
        } else if (turn == head && head.idle()) {
            leave();
        }
    }

    /** No request is in hand any more: what has sent half a head will not be waited for. */
    @Override
    public void finish() {
        if (turn == head || turn instanceof RestTurn) {
            leave();
        }
    }

    // Time.

    void wakeAt(long nanos) {
        timer.arm(nanos);
    }

    /** The next moment at which something may be due. */
    @Override
    public long nextMoment() {
        long answer = exchange == null ? Turn.NEVER : exchange.deadlineAt();
        return Math.min(
                Math.min(out.checkAt(), answer), turn.nextMoment(host.clock().nanos()));
    }

    /** Does what is due. */
    @Override
    public void check() {
        long now = host.clock().nanos();
        ServerExchange current = exchange;
        if (now >= out.checkAt() && !out.fastEnough(now)) {
            host.refusals().timeout("write");
            cut();
        } else if (current != null && now >= current.deadlineAt()) {
            closesAfter |= turn instanceof BodyTurn;
            current.expired();
        } else {
            turn.check(now);
        }
    }

    @Override
    public long idleSince() {
        return turn == head && head.idle() ? head.since() : Turn.NEVER;
    }

    @Override
    public InetAddress source() {
        return caller.source();
    }

    @Override
    public boolean isOver() {
        return turn == Turn.Still.OVER;
    }

    // Where.

    @Override
    public EventLoop loop() {
        return channel.eventLoop();
    }

    @Override
    public TimerWheel timers() {
        return parts.timers();
    }

    @Override
    public Caller caller() {
        return caller;
    }
}
