package dev.ron.gateway.proxy;

import dev.ron.gateway.route.GatewayRoute;
import dev.ron.gateway.upstream.Upstream;
import dev.ron.gateway.upstream.UpstreamTarget;
import dev.ron.http.client.stream.ResponseHead;
import dev.ron.http.client.stream.ResponseReceiver;
import dev.ron.http.client.stream.StreamCall;
import dev.ron.http.client.stream.StreamRequest;
import dev.ron.http.client.stream.UpstreamFailure;
import dev.ron.http.loop.EventLoops;
import dev.ron.http.loop.Timeout;
import dev.ron.http.message.Headers;
import dev.ron.http.server.Exchange;
import dev.ron.kernel.error.Code;
import dev.ron.kernel.error.RonException;
import io.netty.buffer.ByteBuf;
import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One request through the gateway: the upstream's slot, one try after the other, the body in and the answer out.
 *
 * <p>All of it happens on the caller's event loop. The slot is given back as soon as the upstream is done with the
 * request, not when the caller has taken the answer.
 */
final class ProxyExchange implements ResponseReceiver {
    private static final Set<String> EXPECTS_BODY = Set.of("POST", "PUT", "PATCH");
    private static final int BAD_GATEWAY = 502;
    private static final int UNAVAILABLE = 503;
    private static final int GATEWAY_TIMEOUT = 504;
    // So much before the host's own deadline does ours come, so that the answer names the upstream.
    private static final long AHEAD_NANOS = 2 * EventLoops.TICK.toNanos();

    private final Exchange exchange;
    private final GatewayRoute route;
    private final Upstream upstream;
    private final ProxyParts parts;
    private final UpstreamMeter meter;
    private final long deadlineAt;
    private final long bodyCap;
    private final long bodyLength;
    private boolean holdsSlot;
    private int tries;
    private boolean renewed; // a stale connection was replaced already
    private long tryStarted;
    private @Nullable UpstreamTarget target; // where a try is in hand whose outcome is not settled
    private @Nullable UpstreamTarget tried;
    private @Nullable StreamCall call;
    private @Nullable BodyRelay body;
    private @Nullable AnswerRelay answer;
    private @Nullable Timeout pause;

    ProxyExchange(Exchange exchange, GatewayRoute route, Upstream upstream, ProxyParts parts) {
        this.exchange = exchange;
        this.route = route;
        this.upstream = upstream;
        this.parts = parts;
        this.meter = parts.meter(upstream);
        long now = exchange.timers().nanos();
        long host = exchange.context().deadline().atNanos();
        long own = now + route.timeout(parts.config().requestTimeout()).toNanos();
        this.deadlineAt = Math.min(own, host - now > 4 * AHEAD_NANOS ? host - AHEAD_NANOS : host);
        this.bodyCap = route.maxBodyBytes(parts.config().limits().maxBodyBytes().count());
        this.bodyLength = bodyLength(exchange);
    }

    private static long bodyLength(Exchange exchange) {
        long length = exchange.bodyLength();
        if (length == Exchange.UNKNOWN_LENGTH) {
            return StreamRequest.CHUNKED;
        }
        boolean told = length > 0 || exchange.headers().contains("Content-Length");
        return told || EXPECTS_BODY.contains(exchange.method()) ? length : StreamRequest.NO_BODY;
    }

    private boolean hasBody() {
        return bodyLength > 0 || bodyLength == StreamRequest.CHUNKED;
    }

    void start() {
        parts.requestFields().refuseLoop(exchange.headers());
        if (bodyLength > bodyCap) {
            throw BodyRelay.tooLarge(bodyCap);
        }
        if (!upstream.slots().tryAcquire()) {
            throw new RonException(Code.BUSY, "busy", "upstream " + upstream + " is busy", Duration.ofSeconds(1), null);
        }
        holdsSlot = true;
        upstream.retries().firstCall();
        exchange.onOver(this::over);
        tryOnce(false);
    }

    private void tryOnce(boolean fresh) {
        try {
            tries++;
            UpstreamTarget next = upstream.pick(tried);
            target = next;
            tried = next;
            tryStarted = exchange.timers().nanos();
            Headers headers = parts.requestFields().make(exchange, upstream.hostFor(next), deadlineAt - tryStarted);
            StreamRequest request = new StreamRequest(
                    exchange.method(),
                    route.target(exchange.path(), exchange.query()),
                    headers,
                    bodyLength,
                    deadlineAt,
                    route.streamIdle(),
                    fresh);
            StreamCall made = next.endpoint().call(exchange.loop(), request, this);
            call = made;
            made.start();
        } catch (RonException refused) {
            exchange.fail(refused);
        }
    }

    // What the upstream says.

    @Override
    public void ready() {
        StreamCall current = call;
        if (current != null) {
            BodyRelay relay = new BodyRelay(exchange, current, bodyCap);
            body = relay;
            exchange.receive(relay);
        }
    }

    @Override
    public void writable() {
        if (body != null) {
            body.writable();
        }
    }

    @Override
    public void head(ResponseHead head) {
        int status = head.status();
        long nanos = exchange.timers().nanos() - tryStarted;
        meter.answered(status, nanos);
        boolean bad = status == BAD_GATEWAY || status == UNAVAILABLE || status == GATEWAY_TIMEOUT;
        settle(bad ? new RonException(Code.UNAVAILABLE, "answered " + status) : null, nanos);
        StreamCall current = call;
        if (current == null) {
            return;
        }
        if (parts.retries().worthAnother(status) && tryAgain()) {
            current.abort();
            return;
        }
        AnswerRelay relay = new AnswerRelay(exchange, current);
        answer = relay;
        relay.begin(head, parts.responseFields().make(head.headers()));
    }

    @Override
    public void piece(ByteBuf piece) {
        AnswerRelay relay = answer;
        if (relay == null) {
            piece.release();
        } else {
            relay.piece(piece);
        }
    }

    @Override
    public void end() {
        giveSlotBack();
        if (answer != null) {
            answer.end();
        }
    }

    @Override
    public void failed(UpstreamFailure why) {
        meter.failed(why);
        if (answer != null) {
            giveSlotBack();
            answer.broken(why);
            return;
        }
        switch (why.kind()) {
            // Our own bound, or a connection that was closed for having been idle: not the target's fault.
            case BUSY, CLOSED, STALE -> canceled();
            default -> settle(why, exchange.timers().nanos() - tryStarted);
        }
        boolean safe = RetryRule.safe(exchange.method(), hasBody());
        if (why.kind() == UpstreamFailure.Kind.STALE && safe && !renewed) {
            renewed = true;
            tries--;
            tryOnce(true);
        } else if (!RetryRule.worthAnother(why) || !tryAgain()) {
            boolean slowCaller = why.kind() == UpstreamFailure.Kind.TIMEOUT && body != null && body.callerIsSlow();
            exchange.fail(slowCaller ? slowBody() : why);
        }
    }

    private static RonException slowBody() {
        return new RonException(Code.SLOW_CLIENT, "slow_body", "the request body did not arrive in time");
    }

    /** Has another try follow after a wait, if it is safe, worth it, in time and within the budget. */
    private boolean tryAgain() {
        if (!RetryRule.safe(exchange.method(), hasBody()) || !parts.retries().triesLeft(tries) || parts.draining()) {
            return false;
        }
        long wait = parts.retries().wait(tries - 1).toNanos();
        if (exchange.timers().nanos() + wait >= deadlineAt
                || !upstream.retries().tryRetry()) {
            return false;
        }
        meter.retried();
        Timeout later = new Timeout(exchange.timers()) {
            @Override
            protected void expired() {
                if (!exchange.over()) {
                    tryOnce(false);
                }
            }
        };
        later.after(wait);
        pause = later;
        return true;
    }

    // The end.

    /** The exchange is over: answered, refused, or left by its caller. */
    private void over() {
        if (pause != null) {
            pause.cancel();
        }
        canceled();
        if (call != null) {
            call.abort(); // nothing where it has ended
        }
        if (answer != null) {
            answer.release();
        }
        giveSlotBack();
    }

    private void settle(@Nullable RonException failure, long nanos) {
        UpstreamTarget at = target;
        target = null;
        if (at != null) {
            if (failure == null) {
                at.succeeded(nanos);
            } else {
                at.failed(nanos, failure);
            }
        }
    }

    private void canceled() {
        UpstreamTarget at = target;
        target = null;
        if (at != null) {
            at.canceled();
        }
    }

    private void giveSlotBack() {
        if (holdsSlot) {
            holdsSlot = false;
            upstream.slots().release();
        }
    }
}
