package dev.ron.gateway.proxy;

import dev.ron.gateway.arbiter.Refusal;
import dev.ron.gateway.auth.Allowances;
import dev.ron.gateway.auth.Entrant;
import dev.ron.gateway.auth.OpenStreams;
import dev.ron.gateway.auth.Pass;
import dev.ron.gateway.route.GatewayRoute;
import dev.ron.gateway.stream.Tunnel;
import dev.ron.gateway.stream.Upgrades;
import dev.ron.gateway.tenant.Account;
import dev.ron.gateway.tenant.RateShares.Standing;
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
import io.netty.channel.Channel;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One request through the gateway: the door, its turn at the upstream, one try after the other, the body in and the
 * answer out.
 *
 * <p>All of it happens on the caller's event loop. The slot is given back as soon as the upstream is done with the
 * request, not when the caller has taken the answer; while it is held the caller must keep a pace.
 */
final class ProxyExchange
        implements ResponseReceiver, Entrant, Turn.Waiter, OpenStreams.Stream, Supplier<Map<String, Object>> {
    private static final Set<String> EXPECTS_BODY = Set.of("POST", "PUT", "PATCH");
    private static final int BAD_GATEWAY = 502;
    private static final int UNAVAILABLE = 503;
    private static final int GATEWAY_TIMEOUT = 504;
    // So much before the host's own deadline does ours come, so that the answer names the upstream.
    private static final long AHEAD_NANOS = 2 * EventLoops.TICK.toNanos();

    private final Exchange exchange;
    private final RouteLane lane;
    private final GatewayRoute route;
    private final Upstream upstream;
    private final ProxyParts parts;
    private final UpstreamMeter meter;
    private final Turn turn;
    private final long startedAt;
    private final long deadlineAt;
    private final long bodyLength;
    private long bodyCap;
    private long askedAt;
    private long waitedNanos;
    private long upstreamNanos;
    private long heldBudget;
    private int tries;
    private boolean renewed; // a stale connection was replaced already
    private boolean streaming;
    private long tryStarted;
    private @Nullable Pass pass;
    private @Nullable Account account;
    private Standing standing = Standing.NONE;
    private @Nullable UpstreamTarget target; // where a try is in hand whose outcome is not settled
    private @Nullable UpstreamTarget tried;
    private @Nullable StreamCall call;
    private @Nullable BodyRelay body;
    private @Nullable AnswerRelay answer;
    private @Nullable Tunnel tunnel;
    private @Nullable Timeout pause;
    private @Nullable Pace pace;

    ProxyExchange(Exchange exchange, RouteLane lane, ProxyParts parts) {
        this.exchange = exchange;
        this.lane = lane;
        this.route = lane.route();
        this.upstream = lane.upstream();
        this.parts = parts;
        this.meter = lane.meter();
        this.turn = new Turn(upstream.arbiter(), parts.shared().workers().of(exchange.loop()), this);
        this.startedAt = exchange.timers().nanos();
        long host = exchange.context().deadline().atNanos();
        long own = startedAt + route.timeout(parts.config().requestTimeout()).toNanos();
        this.deadlineAt = Math.min(own, host - startedAt > 4 * AHEAD_NANOS ? host - AHEAD_NANOS : host);
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

    // Before its turn.

    void start() {
        exchange.describedBy(this);
        exchange.onOver(this::over);
        try {
            parts.requestFields().refuseLoop(exchange.headers());
            if (bodyLength > bodyCap) {
                throw BodyRelay.tooLarge(bodyCap);
            }
            if (upstream.shedding().on() && !route.reads(exchange.method())) {
                throw Refusals.degraded(upstream);
            }
            parts.door().enter(exchange, route, bodyLength, this);
        } catch (RonException refused) {
            refuse(refused);
        }
    }

    @Override
    public void turnedAway(RonException why) {
        if (!exchange.over()) {
            refuse(why);
        }
    }

    @Override
    public void admitted(Pass found) {
        if (exchange.over()) {
            return;
        }
        try {
            pass = found;
            Shared shared = parts.shared();
            long now = exchange.timers().nanos();
            Account paying = shared.accounts().of(found.tenant(), now);
            account = paying;
            standing = shared.rates().take(paying, parts.config().drr(), now);
            Standing ofRoute = lane.rate().take(paying, exchange.peer(), now);
            standing = ofRoute.limit() > 0 ? ofRoute : standing;
            bodyCap = Math.min(bodyCap, found.obligations().maxBodyBytes().orElse(Long.MAX_VALUE));
            Allowances.Purse purse = shared.allowances().charge(found.obligations(), found.rootExpiresAt());
            if (hasBody()) {
                takeBodyIn(purse);
            } else {
                ask();
            }
        } catch (RonException refused) {
            refuse(refused);
        }
    }

    /** The first of a body comes before the turn; not where its sender waits to be told, or no room is left for it. */
    private void takeBodyIn(Allowances.Purse purse) {
        BodyRelay relay = new BodyRelay(exchange, bodyCap, purse);
        body = relay;
        long most = bodyLength > 0 ? Math.min(bodyLength, BodyRelay.HELD) : BodyRelay.HELD;
        long budget = parts.config().limits().bufferBudgetBytes().count();
        if (exchange.headers().contains("Expect") || !parts.shared().buffers().tryTake(most, budget)) {
            ask();
        } else {
            heldBudget = most;
            relay.hold(this::ask);
        }
    }

    private void ask() {
        if (!exchange.over()) {
            upstream.retries().firstCall();
            paying().retries().firstCall();
            ask(false);
        }
    }

    private void ask(boolean again) {
        askedAt = exchange.timers().nanos();
        Account paying = paying();
        Pass of = pass();
        int weight = parts.config().drr().quantumOf(paying.key().id());
        turn.ask(paying.key(), of.source(), weight, deadlineAt, again);
    }

    @Override
    public Pass pass() {
        if (pass == null) {
            throw new IllegalStateException("not through the door yet");
        }
        return pass;
    }

    private Account paying() {
        if (account == null) {
            throw new IllegalStateException("not through the door yet");
        }
        return account;
    }

    @Override
    public void refused(Refusal why) {
        waitedNanos += exchange.timers().nanos() - askedAt;
        if (!exchange.over()) {
            refuse(Refusals.of(why, upstream));
        }
    }

    @Override
    public void granted() {
        waitedNanos += exchange.timers().nanos() - askedAt;
        tryOnce(false);
        if (body != null && body.callerIsSlow() && turn.held()) {
            keepPace();
        }
    }

    @Override
    public boolean gone() {
        return exchange.over();
    }

    @Override
    public long nanos() {
        return exchange.timers().nanos();
    }

    private void tryOnce(boolean fresh) {
        try {
            tries++;
            UpstreamTarget next = upstream.pick(tried);
            target = next;
            tried = next;
            tryStarted = exchange.timers().nanos();
            Headers fields =
                    parts.requestFields().make(exchange, upstream.hostFor(next), deadlineAt - tryStarted, pass());
            boolean upgrades = Upgrades.wanted(exchange, route.config().upgrade());
            Headers headers = upgrades ? Upgrades.asking(fields) : fields;
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
            refuse(refused);
        }
    }

    // What the upstream says.

    @Override
    public void ready() {
        StreamCall current = call;
        if (current != null) {
            BodyRelay relay = body;
            if (relay == null) {
                relay = new BodyRelay(exchange, bodyCap, Allowances.Purse.OPEN);
                body = relay;
            }
            relay.passTo(current);
            giveBudgetBack();
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
        upstreamNanos += nanos;
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
        if (isStream(head) && !openStream()) {
            current.abort();
            turn.release();
            refuse(Refusals.tooManyStreams(upstream));
            return;
        }
        AnswerRelay relay = new AnswerRelay(exchange, current, this::keepPace);
        answer = relay;
        relay.begin(head, parts.responseFields().make(head.headers(), standing));
    }

    @Override
    public void informed(int status, Headers headers) {
        exchange.inform(status, parts.responseFields().make(headers, Standing.NONE));
    }

    /** The upstream has changed the protocol: from here on bytes pass both ways, under a stream's permit. */
    @Override
    public void upgraded(Headers headers, Channel channel, ByteBuf early) {
        long nanos = exchange.timers().nanos() - tryStarted;
        upstreamNanos += nanos;
        meter.answered(101, nanos);
        settle(null, nanos);
        if (exchange.over() || !turn.becomeStream()) {
            early.release();
            channel.close();
            turn.release();
            refuse(Refusals.tooManyStreams(upstream));
            return;
        }
        streaming = true;
        parts.shared().streams().opened(this);
        Headers fields = Upgrades.agreeing(parts.responseFields().make(headers, standing));
        tunnel = Tunnel.open(exchange, fields, channel, early, route.streamIdle(), turn::release);
    }

    private static boolean isStream(ResponseHead head) {
        int at = head.headers().indexOf("Content-Type", 0);
        return at >= 0 && head.length() < 0 && head.headers().value(at).startsWith("text/event-stream");
    }

    /** The answer has no end of its own: it makes room for others, and ends when the gateway or its token does. */
    private boolean openStream() {
        if (!turn.becomeStream()) {
            return false;
        }
        streaming = true;
        parts.shared().streams().opened(this);
        exchange.untilDrained(this::endStream);
        return true;
    }

    private void endStream() {
        StreamCall current = call;
        if (current != null) {
            current.abort();
        }
        end(Headers.NONE);
    }

    @Override
    public void cut() {
        exchange.loop().execute(() -> {
            if (tunnel != null) {
                tunnel.cut();
            } else if (!exchange.over() && answer != null) {
                if (call != null) {
                    call.abort();
                }
                turn.release();
                answer.broken(new RonException(Code.UNAUTHENTICATED, "revoked", "the token is no longer good"));
            }
        });
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
        end(Headers.NONE);
    }

    @Override
    public void end(Headers trailers) {
        turn.release();
        if (answer != null) {
            answer.end(trailers);
        }
    }

    @Override
    public void failed(UpstreamFailure why) {
        meter.failed(why);
        if (answer != null) {
            turn.release();
            answer.broken(why);
            return;
        }
        upstreamNanos += exchange.timers().nanos() - tryStarted;
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
            turn.release();
            refuse(slowCaller ? Refusals.slowBody() : why);
        }
    }

    /**
     * Has another try follow after a wait, if it is safe, worth it, in time and within the budgets of the upstream and of
     * the tenant. It waits outside: the slot goes to others, and is asked for again.
     */
    private boolean tryAgain() {
        if (!RetryRule.safe(exchange.method(), hasBody())
                || !parts.retries().triesLeft(tries)
                || parts.shared().draining()) {
            return false;
        }
        long wait = parts.retries().wait(tries - 1).toNanos();
        if (exchange.timers().nanos() + wait >= deadlineAt
                || !paying().retries().tryRetry()
                || !upstream.retries().tryRetry()) {
            return false;
        }
        meter.retried();
        turn.release();
        Timeout later = new Timeout(exchange.timers()) {
            @Override
            protected void expired() {
                if (!exchange.over()) {
                    ask(true);
                }
            }
        };
        later.after(wait);
        pause = later;
        return true;
    }

    // The pace of a caller that an upstream waits for.

    /** From now on until the upstream is free, the caller must keep moving. */
    private void keepPace() {
        long rate = parts.config().limits().slotRate().count();
        if (pace == null && rate > 0 && !streaming) {
            pace = new Pace(rate);
            pace.after(Pace.PERIOD);
        }
    }

    private final class Pace extends Timeout {
        static final long PERIOD = 1_000_000_000L;

        private final long rate;
        private long moved;
        private boolean wasWaitedFor = true;

        Pace(long rate) {
            super(exchange.timers());
            this.rate = rate;
            this.moved = moved();
        }

        private long moved() {
            return (body == null ? 0 : body.came()) + (answer == null ? 0 : answer.taken());
        }

        private boolean waitedFor() {
            return answer == null ? body != null && body.callerIsSlow() : answer.paused();
        }

        @Override
        protected void expired() {
            if (exchange.over() || !turn.held()) {
                pace = null;
                return;
            }
            long now = moved();
            boolean waits = waitedFor();
            if (waits && wasWaitedFor && now - moved < rate) {
                tooSlow();
                return;
            }
            moved = now;
            wasWaitedFor = waits;
            after(PERIOD);
        }

        private void tooSlow() {
            if (answer == null) {
                refuse(Refusals.slowBody());
            } else {
                meter.slowReader();
                answer.broken(Refusals.slowBody());
            }
        }
    }

    // The end.

    /** Answers with a refusal, and remembers it for whoever asks why. */
    private void refuse(RonException why) {
        if (exchange.answered() || exchange.over()) {
            return;
        }
        Refusals.remember(parts.shared(), exchange, route, upstream, pass, why, waitedNanos);
        exchange.fail(why, Refusals.fields(why, standing));
    }

    /** The exchange is over: answered, refused, or left by its caller. */
    private void over() {
        if (pause != null) {
            pause.cancel();
        }
        if (pace != null) {
            pace.cancel();
        }
        canceled();
        if (call != null) {
            call.abort(); // nothing where it has ended
        }
        if (answer != null) {
            answer.release();
        }
        if (body != null) {
            body.release();
        }
        if (tunnel != null) {
            tunnel.cut();
        }
        giveBudgetBack();
        turn.leave();
        if (streaming) {
            parts.shared().streams().closed(this);
        }
    }

    private void giveBudgetBack() {
        if (heldBudget > 0) {
            parts.shared().buffers().giveBack(heldBudget);
            heldBudget = 0;
        }
    }

    private void settle(@Nullable RonException failure, long nanos) {
        UpstreamTarget at = target;
        target = null;
        if (at != null) {
            upstream.outcomes().add(paying().key(), failure != null);
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

    /** What the access log tells beyond request and answer. */
    @Override
    public Map<String, Object> get() {
        Map<String, Object> details = new LinkedHashMap<>();
        details.put("tenant", pass == null ? "" : pass.tenant().id());
        details.put("upstream", upstream.id());
        details.put("queue_ms", millis(waitedNanos));
        details.put("upstream_ms", millis(upstreamNanos));
        details.put("tries", tries);
        return details;
    }

    private static double millis(long nanos) {
        return TimeUnit.NANOSECONDS.toMicros(nanos) / 1e3;
    }

    /** How long it was, from its head on. */
    Duration age() {
        return Duration.ofNanos(exchange.timers().nanos() - startedAt);
    }
}
