package dev.ron.gateway.proxy;

import dev.ron.gateway.stream.Upgrades;
import dev.ron.gateway.upstream.Upstream;
import dev.ron.gateway.upstream.UpstreamTarget;
import dev.ron.http.client.stream.ResponseHead;
import dev.ron.http.client.stream.ResponseReceiver;
import dev.ron.http.client.stream.StreamCall;
import dev.ron.http.client.stream.StreamRequest;
import dev.ron.http.client.stream.UpstreamFailure;
import dev.ron.http.loop.Timeout;
import dev.ron.http.message.Headers;
import dev.ron.http.server.Exchange;
import dev.ron.kernel.error.Code;
import dev.ron.kernel.error.RonException;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import org.jspecify.annotations.Nullable;

/**
 * One try after the other to have the upstream answer a request; what it answers goes to the outlet.
 *
 * <p>Every try counts at the target it was made at, and is settled there exactly once: good, failed or canceled.
 */
final class Tries implements ResponseReceiver {
    private static final int BAD_GATEWAY = 502;
    private static final int UNAVAILABLE = 503;
    private static final int GATEWAY_TIMEOUT = 504;

    /** Whose tries they are. */
    interface Owner {
        /** Another try may follow: its turn is to be asked for. */
        void askAgain();

        /** There will be no answer. */
        void givenUp(RonException why);
    }

    private final Visit visit;
    private final Exchange exchange;
    private final Upstream upstream;
    private final Turn turn;
    private final Intake intake;
    private final Outlet outlet;
    private final Owner owner;
    private int made;
    private boolean renewed; // a stale connection was replaced already
    private long startedAt;
    private long upstreamNanos;
    private @Nullable UpstreamTarget target; // where a try is in hand whose outcome is not settled
    private @Nullable UpstreamTarget tried;
    private @Nullable StreamCall call;
    private @Nullable Timeout pause;

    Tries(Visit visit, Turn turn, Intake intake, Outlet outlet, Owner owner) {
        this.visit = visit;
        this.exchange = visit.exchange();
        this.upstream = visit.upstream();
        this.turn = turn;
        this.intake = intake;
        this.outlet = outlet;
        this.owner = owner;
    }

    /** The request has its turn. */
    void next() {
        next(false);
    }

    private void next(boolean fresh) {
        try {
            made++;
            UpstreamTarget chosen = upstream.pick(tried);
            target = chosen;
            tried = chosen;
            startedAt = visit.nanos();
            StreamCall begun = chosen.endpoint().call(exchange.loop(), request(chosen, fresh), this);
            call = begun;
            begun.start();
        } catch (RonException refused) {
            owner.givenUp(refused);
        }
    }

    private StreamRequest request(UpstreamTarget chosen, boolean fresh) {
        Headers fields = visit.parts()
                .requestFields()
                .make(
                        exchange,
                        upstream.hostFor(chosen),
                        upstream.audience(),
                        visit.deadlineAt() - startedAt,
                        visit.pass());
        boolean upgrades = Upgrades.wanted(exchange, visit.route().config().upgrade());
        return new StreamRequest(
                exchange.method(),
                visit.route().target(exchange.path(), exchange.query()),
                upgrades ? Upgrades.asking(fields) : fields,
                intake.length(),
                visit.deadlineAt(),
                visit.route().streamIdle(),
                fresh);
    }

    @Override
    public void ready() {
        StreamCall current = call;
        if (current != null) {
            intake.passTo(current);
        }
    }

    @Override
    public void writable() {
        intake.writable();
    }

    @Override
    public void head(ResponseHead head) {
        int status = head.status();
        boolean bad = status == BAD_GATEWAY || status == UNAVAILABLE || status == GATEWAY_TIMEOUT;
        answered(status, bad ? new RonException(Code.UNAVAILABLE, "answered " + status) : null);
        StreamCall current = call;
        if (current == null) {
            return;
        }
        if (visit.parts().retries().worthAnother(status) && anotherFollows()) {
            current.abort();
        } else if (!outlet.begin(head, current)) {
            current.abort();
            giveUp(Refusals.tooManyStreams(upstream));
        }
    }

    private void answered(int status, @Nullable RonException failure) {
        long nanos = visit.nanos() - startedAt;
        upstreamNanos += nanos;
        visit.meter().answered(status, nanos);
        settle(failure, nanos);
    }

    @Override
    public void informed(int status, Headers headers) {
        outlet.inform(status, headers);
    }

    @Override
    public void upgraded(Headers headers, Channel channel, ByteBuf early) {
        answered(101, null);
        if (!outlet.change(headers, channel, early)) {
            giveUp(Refusals.tooManyStreams(upstream));
        }
    }

    @Override
    public void piece(ByteBuf piece) {
        outlet.piece(piece);
    }

    @Override
    public void end() {
        end(Headers.NONE);
    }

    @Override
    public void end(Headers trailers) {
        outlet.end(trailers);
    }

    @Override
    public void failed(UpstreamFailure why) {
        visit.meter().failed(why);
        if (outlet.begun()) {
            outlet.broken(why);
            return;
        }
        long nanos = visit.nanos() - startedAt;
        upstreamNanos += nanos;
        switch (why.kind()) {
            // Our own bound, or a connection that was closed for having been idle: not the target's fault.
            case BUSY, CLOSED, STALE -> canceled();
            default -> settle(why, nanos);
        }
        if (why.kind() == UpstreamFailure.Kind.STALE && safe() && !renewed) {
            renewed = true;
            made--;
            next(true);
        } else if (!RetryRule.worthAnother(why) || !anotherFollows()) {
            boolean slowCaller = why.kind() == UpstreamFailure.Kind.TIMEOUT && intake.callerIsSlow();
            giveUp(slowCaller ? Refusals.slowBody() : why);
        }
    }

    private void giveUp(RonException why) {
        turn.release();
        owner.givenUp(why);
    }

    private boolean safe() {
        return RetryRule.safe(exchange.method(), intake.hasBody());
    }

    /**
     * Has another try follow after a wait, if it is safe, worth it, in time and within the budgets of the upstream and of
     * the tenant. It waits outside: the slot goes to others, and is asked for again.
     */
    private boolean anotherFollows() {
        RetryRule rule = visit.parts().retries();
        if (!safe() || !rule.triesLeft(made) || visit.shared().draining()) {
            return false;
        }
        long wait = rule.wait(made - 1).toNanos();
        if (visit.nanos() + wait >= visit.deadlineAt()
                || !visit.account().retries().tryRetry()
                || !upstream.retries().tryRetry()) {
            return false;
        }
        visit.meter().retried();
        turn.release();
        Timeout later = new Timeout(exchange.timers()) {
            @Override
            protected void expired() {
                if (!exchange.over()) {
                    owner.askAgain();
                }
            }
        };
        later.after(wait);
        pause = later;
        return true;
    }

    private void settle(@Nullable RonException failure, long nanos) {
        UpstreamTarget at = target;
        target = null;
        if (at != null) {
            upstream.outcomes().add(visit.account().key(), failure != null, nanos);
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

    /** The exchange is over. */
    void over() {
        if (pause != null) {
            pause.cancel();
        }
        canceled();
        if (call != null) {
            call.abort(); // nothing where it has ended
        }
    }

    int made() {
        return made;
    }

    /** From the start of each try to its answer or its failure. */
    long upstreamNanos() {
        return upstreamNanos;
    }
}
