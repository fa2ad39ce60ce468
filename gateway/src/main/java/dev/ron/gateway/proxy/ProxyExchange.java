package dev.ron.gateway.proxy;

import dev.ron.gateway.arbiter.Refusal;
import dev.ron.gateway.auth.Allowances;
import dev.ron.gateway.auth.Entrant;
import dev.ron.gateway.auth.Pass;
import dev.ron.gateway.route.GatewayRoute;
import dev.ron.gateway.tenant.Account;
import dev.ron.gateway.tenant.RateShares.Standing;
import dev.ron.gateway.upstream.Upstream;
import dev.ron.http.loop.EventLoops;
import dev.ron.http.server.Exchange;
import dev.ron.kernel.error.RonException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One request through the gateway: the door, the first of its body, its turn at the upstream, its tries there.
 *
 * <p>All of it happens on the caller's event loop. The slot is given back as soon as the upstream is done with the
 * request, not when the caller has taken the answer; while it is held the caller must keep a pace.
 */
final class ProxyExchange implements Entrant, Turn.Waiter, Tries.Owner, Supplier<Map<String, Object>> {
    // So much before the host's own deadline does ours come, so that the answer names the upstream.
    private static final long AHEAD_NANOS = 2 * EventLoops.TICK.toNanos();

    private final Exchange exchange;
    private final RouteLane lane;
    private final GatewayRoute route;
    private final Upstream upstream;
    private final ProxyParts parts;
    private final Turn turn;
    private final Intake intake;
    private final long deadlineAt;
    private long askedAt;
    private long waitedNanos;
    private Standing standing = Standing.NONE;
    private @Nullable Pass pass;
    private @Nullable Stay stay;
    private @Nullable Pace pace; // only where a caller was waited for

    ProxyExchange(Exchange exchange, RouteLane lane, ProxyParts parts) {
        this.exchange = exchange;
        this.lane = lane;
        this.route = lane.route();
        this.upstream = lane.upstream();
        this.parts = parts;
        this.turn = new Turn(upstream.arbiter(), parts.shared().workers().of(exchange.loop()), this);
        this.intake = new Intake(exchange, route, parts, this::bodyRefused);
        long now = exchange.timers().nanos();
        long host = exchange.context().deadline().atNanos();
        long own = now + route.timeout(parts.config().requestTimeout()).toNanos();
        this.deadlineAt = Math.min(own, host - now > 4 * AHEAD_NANOS ? host - AHEAD_NANOS : host);
    }

    /** What a request has once it was let in. */
    private record Stay(Visit visit, Tries tries, Outlet outlet) {}

    void start() {
        exchange.describedBy(this);
        exchange.onOver(this::over);
        try {
            parts.requestFields().refuseLoop(exchange.headers());
            intake.refuseTooLong();
            if (upstream.shedding().on() && !route.reads(exchange.method())) {
                throw Refusals.degraded(upstream);
            }
            parts.door().enter(exchange, route, intake.length(), this);
        } catch (RonException refused) {
            refuse(refused);
        }
    }

    @Override
    public void turnedAway(RonException why) {
        refuse(why);
    }

    @Override
    public void admitted(Pass found) {
        if (exchange.over()) {
            return;
        }
        try {
            pass = found;
            Shared shared = parts.shared();
            long now = nanos();
            Account paying = shared.accounts().of(found.tenant(), now);
            standing = shared.rates().take(paying, parts.config().drr(), now);
            Standing ofRoute = lane.rate().take(paying, exchange.peer(), now);
            standing = ofRoute.limit() > 0 ? ofRoute : standing;
            Allowances.Purse purse = shared.allowances().charge(found.obligations(), found.rootExpiresAt());
            Visit visit = new Visit(exchange, lane, parts, found, paying, standing, deadlineAt);
            stay = stay(visit);
            long ownCap = found.obligations().maxBodyBytes().orElse(Long.MAX_VALUE);
            intake.takeIn(paying.key(), purse, ownCap, this::askFirst);
        } catch (RonException refused) {
            refuse(refused);
        }
    }

    private Stay stay(Visit visit) {
        Outlet outlet = new Outlet(visit, turn, this::keepPace);
        return new Stay(visit, new Tries(visit, turn, intake, outlet, this), outlet);
    }

    private Stay stay() {
        if (stay == null) {
            throw new IllegalStateException("not through the door yet");
        }
        return stay;
    }

    private void askFirst() {
        if (!exchange.over()) {
            upstream.retries().firstCall();
            stay().visit().account().retries().firstCall();
            ask(false);
        }
    }

    @Override
    public void askAgain() {
        ask(true);
    }

    private void ask(boolean again) {
        askedAt = nanos();
        Visit visit = stay().visit();
        int weight = parts.config().drr().quantumOf(visit.account().key().id());
        turn.ask(visit.account().key(), visit.pass().source(), weight, deadlineAt, again);
    }

    @Override
    public void refused(Refusal why) {
        waitedNanos += nanos() - askedAt;
        refuse(Refusals.of(why, upstream));
    }

    @Override
    public void granted() {
        waitedNanos += nanos() - askedAt;
        stay().tries().next();
        if (!intake.complete() && turn.held()) {
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

    /** From now on until the upstream is free, the caller must keep moving. */
    private void keepPace() {
        Outlet outlet = stay().outlet();
        if (!outlet.streaming()) {
            Pace kept = pace == null ? pace(outlet) : pace;
            pace = kept;
            kept.keep();
        }
    }

    private Pace pace(Outlet outlet) {
        long rate = parts.config().limits().slotRate().count();
        return new Pace(exchange.timers(), rate, () -> intake.came() + outlet.taken()) {
            @Override
            boolean matters() {
                return !exchange.over() && turn.held();
            }

            @Override
            boolean waitedFor() {
                return outlet.begun() ? outlet.callerIsSlow() : intake.callerIsSlow();
            }

            @Override
            void tooSlow() {
                if (outlet.begun()) {
                    lane.meter().slowReader();
                }
                bodyRefused(Refusals.slowBody());
            }
        };
    }

    @Override
    public void givenUp(RonException why) {
        refuse(why);
    }

    /** The body, or its pace, is not acceptable: a refusal, or the end of an answer that has begun already. */
    private void bodyRefused(RonException why) {
        if (stay != null && stay.outlet().begun()) {
            stay.outlet().broken(why);
        } else {
            refuse(why);
        }
    }

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
        if (pace != null) {
            pace.cancel();
        }
        if (stay != null) {
            stay.tries().over();
            stay.outlet().over();
        }
        intake.over();
        turn.leave();
    }

    /** What the access log tells beyond request and answer. */
    @Override
    public Map<String, Object> get() {
        Map<String, Object> details = new LinkedHashMap<>();
        details.put("tenant", pass == null ? "" : pass.tenant().id());
        details.put("upstream", upstream.id());
        details.put("queue_ms", millis(waitedNanos));
        details.put("upstream_ms", millis(stay == null ? 0 : stay.tries().upstreamNanos()));
        details.put("tries", stay == null ? 0 : stay.tries().made());
        return details;
    }

    private static double millis(long nanos) {
        return TimeUnit.NANOSECONDS.toMicros(nanos) / 1e3;
    }
}
