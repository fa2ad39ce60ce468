package dev.ron.gateway.proxy;

import dev.ron.gateway.arbiter.Arbiter;
import dev.ron.gateway.arbiter.Refusal;
import dev.ron.gateway.auth.Pass;
import dev.ron.gateway.route.GatewayRoute;
import dev.ron.gateway.tenant.RateShares.Standing;
import dev.ron.gateway.upstream.Upstream;
import dev.ron.http.message.Headers;
import dev.ron.http.server.Exchange;
import dev.ron.kernel.error.Code;
import dev.ron.kernel.error.RonException;
import dev.ron.service.keys.Bearer;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The words of the proxy's own refusals. */
final class Refusals {
    private static final Duration SOON = Duration.ofSeconds(1);
    private static final Headers CHALLENGE = Headers.of("WWW-Authenticate", Bearer.CHALLENGE);
    private static final Headers ASK = Headers.of("WWW-Authenticate", "Bearer");

    private Refusals() {}

    static RonException of(Refusal why, Upstream upstream) {
        return switch (why) {
            case BUSY ->
                new RonException(
                        Code.BUSY, "busy", "upstream " + upstream + " is busy and so is its queue", SOON, null);
            case QUEUE_TIMEOUT ->
                new RonException(
                        Code.UNAVAILABLE, "queue_timeout", "upstream " + upstream + " had no room in time", SOON, null);
            case DEADLINE ->
                new RonException(Code.TIMEOUT, "timeout", "the deadline passed in the queue of upstream " + upstream);
            case SHED -> new RonException(Code.UNAVAILABLE, "shed", "lost to a failure in here; try again", SOON, null);
            case DRAINING ->
                new RonException(Code.DRAINING, "draining", "the service is stopping; send it elsewhere", SOON, null);
        };
    }

    static RonException degraded(Upstream upstream) {
        return new RonException(
                Code.DEGRADED, "degraded", "upstream " + upstream + " is in trouble; only reads pass", SOON, null);
    }

    static RonException tooManyStreams(Upstream upstream) {
        return new RonException(
                Code.UNAVAILABLE, "streams", "upstream " + upstream + " has too many open streams", SOON, null);
    }

    static RonException slowBody() {
        return new RonException(Code.SLOW_CLIENT, "slow_body", "the request body did not arrive in time");
    }

    /** What goes along with a refusal: a challenge, or how the caller's rate stands. */
    static Headers fields(RonException why, Standing standing) {
        if (why.code() == Code.UNAUTHENTICATED) {
            return why.reason().equals("unauth") ? ASK : CHALLENGE;
        }
        if (standing.limit() == 0) {
            return Headers.NONE;
        }
        return Headers.of(
                "RateLimit-Limit",
                Integer.toString(standing.limit()),
                "RateLimit-Remaining",
                Integer.toString(standing.remaining()),
                "RateLimit-Reset",
                Integer.toString(standing.resetSeconds()));
    }

    static void remember(
            Shared shared,
            Exchange exchange,
            GatewayRoute route,
            Upstream upstream,
            @Nullable Pass pass,
            RonException why,
            long waitedNanos) {
        Arbiter arbiter = upstream.arbiter();
        shared.refusals()
                .add(new RefusalRing.Told(
                        exchange.context().corrId(),
                        shared.clock().now(),
                        route.id(),
                        upstream.id(),
                        pass == null ? "" : pass.tenant().issuer(),
                        pass == null ? "" : pass.tenant().id(),
                        why.code().status(),
                        why.reason(),
                        why.detail(),
                        waitedNanos / 1_000,
                        upstream.config().maxInflight(),
                        arbiter.inFlight(),
                        arbiter.waiting(),
                        key(why, upstream)));
    }

    private static String key(RonException why, Upstream upstream) {
        return switch (why.reason()) {
            case "busy" -> "gateway.upstreams." + upstream + ".max_inflight";
            case "queue_timeout" -> "gateway.drr.max_queue_wait";
            case "streams" -> "gateway.upstreams." + upstream + ".max_streams_per_tenant";
            case "slow_body" -> "gateway.limits.slot_rate";
            default -> "";
        };
    }
}
