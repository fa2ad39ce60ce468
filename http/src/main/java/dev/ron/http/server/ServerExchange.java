package dev.ron.http.server;

import dev.ron.http.loop.TimerWheel;
import dev.ron.http.message.Headers;
import dev.ron.http.message.Response;
import dev.ron.http.message.Trailers;
import dev.ron.http.problem.Problem;
import dev.ron.kernel.error.RonException;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandler;
import io.netty.channel.DefaultFileRegion;
import io.netty.channel.EventLoop;
import java.net.SocketAddress;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One request on its way through the host, from its complete head to its complete answer.
 *
 * <p>It lives on one event loop, so "exactly one answer" is a plain field: whoever comes second finds it set.
 */
final class ServerExchange extends ServerRequest implements Exchange, ResponseStream {
    private static final Logger LOG = LoggerFactory.getLogger(ServerExchange.class);

    private static final int CALLER_LEFT = 499; // before there was an answer: for counters and logs only

    private enum Answer {
        NONE,
        STREAMING,
        COMPLETE
    }

    private final Carrier connection;
    private final HostState host;
    private @Nullable BodySink sink;
    private boolean paused;
    private Answer answer = Answer.NONE;
    private boolean over;
    private int status;
    private String reason = "";
    private long bytesOut;
    private long declared = HeadEncoder.CHUNKED_BODY; // bytes announced; negative where none were
    private @Nullable Runnable onOver;
    private @Nullable Runnable onWritable;
    private @Nullable Runnable drained;
    private @Nullable Supplier<Map<String, Object>> details;

    ServerExchange(Carrier connection, HostState host, ParsedHead head, CorrId corrId, long startNanos) {
        super(head, corrId, host.clock(), startNanos);
        this.connection = connection;
        this.host = host;
    }

    /** When the host answers 504 by itself; never, once an answer has begun. */
    long deadlineAt() {
        return answer == Answer.NONE ? deadlineNanos() : Long.MAX_VALUE;
    }

    // The way to the handler.

    /** Runs the handler of an admitted exchange. */
    void dispatch() {
        try {
            switch (found().handler()) {
                case BlockingHandler blocking -> new BlockingDispatch(this, host, blocking).start();
                case StreamHandler stream -> stream.handle(this);
            }
        } catch (RonException refused) {
            fail(refused);
        } catch (VirtualMachineError broken) {
            throw broken;
        } catch (Throwable defect) {
            LOG.error("handler of {} failed, corr_id {}", route(), corrId(), defect);
            panicked();
        }
    }

    /** A defect in a handler: a plain 500, counted; the connection goes on only if the answer had not begun. */
    void panicked() {
        host.refusals().panic();
        if (answer == Answer.STREAMING) {
            abort();
        } else {
            fail(Refusal.INTERNAL.exception());
        }
    }

    // The body, as the connection reads it.

    @Override
    public void receive(BodySink bodySink) {
        if (sink != null) {
            throw new IllegalStateException("the body is being received already");
        }
        sink = bodySink;
        connection.bodyWanted();
    }

    @Override
    public void pause() {
        paused = true;
        connection.bodyPaused();
    }

    @Override
    public void resume() {
        if (paused) {
            paused = false;
            connection.bodyWanted();
        }
    }

    boolean takesBody() {
        return sink != null && !paused;
    }

    void piece(ByteBuf piece) {
        BodySink taker = sink;
        if (taker == null) {
            piece.release();
        } else {
            taker.piece(piece);
        }
    }

    void bodyEnd(Headers trailers) {
        BodySink taker = sink;
        if (taker != null) {
            taker.end(trailers);
        }
    }

    /** The rest of the body will not come. */
    void bodyBroken(RonException why) {
        if (answer == Answer.NONE) {
            fail(why);
        } else if (answer == Answer.STREAMING) {
            abort();
        }
        BodySink taker = sink;
        sink = null;
        if (taker != null) {
            taker.broken(why);
        }
    }

    // The answer.

    @Override
    public boolean respond(Response response) {
        if (over || answered()) {
            return false;
        }
        answer = Answer.COMPLETE;
        status = response.status();
        boolean silent = silent();
        bytesOut = silent ? 0 : response.body().length;
        connection.writeWhole(this, response, silent);
        finish();
        connection.answered();
        return true;
    }

    @Override
    public boolean fail(RonException failure) {
        return fail(failure, Headers.NONE);
    }

    @Override
    public boolean fail(RonException failure, Headers more) {
        if (over || answered()) {
            return false;
        }
        reason = failure.reason();
        host.refusals().count(failure, route());
        Response response = Response.problem(Problem.of(failure, path(), corrId().toString()), more);
        if (failure instanceof Admission.MethodRefused refused) {
            response = response.withHeader("Allow", refused.allow());
        }
        return respond(response);
    }

    /** The answer to HEAD has no body. */
    private boolean silent() {
        return method().equals("HEAD");
    }

    @Override
    public long bodyLength() {
        return head().length();
    }

    @Override
    public void inform(int code, Headers headers) {
        if (code < 102 || code > 199) {
            throw new IllegalArgumentException("status: " + code + " (expected: 102..199)");
        }
        if (!over && !answered()) {
            Response.requireOpen(headers);
            connection.writeInterim(this, code, headers.toBuilder().build());
        }
    }

    @Override
    public ResponseStream start(int code, Headers headers) {
        return start(code, headers, HeadEncoder.CHUNKED_BODY);
    }

    @Override
    public ResponseStream start(int code, Headers headers, long length) {
        if (answered()) {
            throw new IllegalStateException("answered already");
        }
        Response.requireOpen(headers);
        answer = Answer.STREAMING;
        status = code;
        declared = length;
        if (!over) {
            connection.writeHead(this, code, headers, length);
        }
        return this;
    }

    @Override
    public boolean write(ByteBuf piece) {
        if (over || answer != Answer.STREAMING || !piece.isReadable() || silent()) {
            piece.release();
            return writable();
        }
        bytesOut += piece.readableBytes();
        if (declared >= 0 && bytesOut > declared) {
            piece.release();
            abort();
            return false;
        }
        connection.writePiece(piece);
        return writable();
    }

    @Override
    public boolean takesFiles() {
        return declared >= 0 && connection.takesFiles();
    }

    @Override
    public boolean writeFile(DefaultFileRegion part) {
        if (over || answer != Answer.STREAMING || !takesFiles() || silent()) {
            part.release();
            return writable();
        }
        bytesOut += part.count();
        if (bytesOut > declared) {
            part.release();
            abort();
            return false;
        }
        connection.writeFile(part);
        return writable();
    }

    @Override
    public boolean writable() {
        return over || connection.writable();
    }

    @Override
    public void onWritable(Runnable listener) {
        onWritable = listener;
    }

    @Override
    public void end() {
        end(Headers.NONE);
    }

    @Override
    public void end(Headers trailers) {
        if (over || answer != Answer.STREAMING) {
            return;
        }
        if (declared >= 0 && bytesOut != declared && !silent()) {
            abort(); // fewer bytes than were announced: the next answer would be taken for the rest
            return;
        }
        answer = Answer.COMPLETE;
        connection.writeEnd(silent(), Trailers.passable(trailers));
        finish();
        connection.answered();
    }

    @Override
    public void abort() {
        connection.cut();
    }

    @Override
    public void upgrade(Headers headers, ChannelHandler... handlers) {
        if (answered() || over) {
            throw new IllegalStateException("answered already");
        }
        answer = Answer.STREAMING;
        status = 101;
        connection.upgrade(this, headers, handlers);
    }

    @Override
    public void describedBy(Supplier<Map<String, Object>> more) {
        details = more;
    }

    Map<String, Object> details() {
        return details == null ? Map.of() : details.get();
    }

    @Override
    public void untilDrained(Runnable onDrain) {
        drained = onDrain;
        if (host.draining()) {
            drain();
        }
    }

    boolean longLived() {
        return drained != null;
    }

    /** The host stops: an exchange without an end of its own is brought to one. */
    void drain() {
        Runnable end = drained;
        if (end != null && !over) {
            end.run();
        }
    }

    void becameWritable() {
        if (onWritable != null && !over) {
            onWritable.run();
        }
    }

    @Override
    public boolean answered() {
        return answer != Answer.NONE;
    }

    @Override
    public boolean over() {
        return over;
    }

    @Override
    public void onOver(Runnable listener) {
        if (over) {
            listener.run();
        } else {
            onOver = listener;
        }
    }

    /** The deadline has passed and no answer has begun. */
    void expired() {
        Refusal why = connection.bodyRead() ? Refusal.TIMEOUT : Refusal.SLOW_BODY;
        fail(why.exception());
    }

    /** The caller is gone, or the connection was cut. */
    void lost() {
        if (!over) {
            bodyBrokenByLoss();
            finish();
        }
    }

    private void bodyBrokenByLoss() {
        BodySink taker = sink;
        if (taker != null && !connection.bodyRead()) {
            sink = null;
            taker.broken(Refusal.CANCELED.exception());
        }
    }

    private void finish() {
        if (over) {
            return;
        }
        over = true;
        leaveGuards();
        report();
        Runnable listener = onOver;
        onOver = null;
        if (listener != null) {
            listener.run();
        }
        host.ended();
    }

    private void report() {
        long nanos = host.clock().nanos() - startNanos();
        int told = status == 0 ? CALLER_LEFT : status;
        host.answered(this, told, reason, nanos, connection.bodyBytes(), bytesOut);
    }

    // Where it happens.

    @Override
    public EventLoop loop() {
        return connection.loop();
    }

    @Override
    public TimerWheel timers() {
        return connection.timers();
    }

    @Override
    public SocketAddress peer() {
        return connection.caller().address();
    }

    @Override
    public boolean secure() {
        return connection.caller().secure();
    }

    @Override
    public List<X509Certificate> clientCertificates() {
        return connection.caller().certificates();
    }

    Caller caller() {
        return connection.caller();
    }
}
