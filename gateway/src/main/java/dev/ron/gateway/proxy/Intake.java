package dev.ron.gateway.proxy;

import dev.ron.gateway.arbiter.TenantKey;
import dev.ron.gateway.auth.Allowances;
import dev.ron.gateway.coding.Inspection;
import dev.ron.gateway.route.GatewayRoute;
import dev.ron.http.client.stream.StreamCall;
import dev.ron.http.client.stream.StreamRequest;
import dev.ron.http.decode.ContentCoding;
import dev.ron.http.guard.DecodeGuard;
import dev.ron.http.server.Exchange;
import dev.ron.kernel.error.RonException;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The body of one request on its way in: how long it is, what it may be, and what is held of it before its turn. */
final class Intake {
    private static final Set<String> EXPECTS_BODY = Set.of("POST", "PUT", "PATCH");

    private final Exchange exchange;
    private final ProxyParts parts;
    private final Consumer<RonException> refuse;
    private final long length;
    private final long routeCap;
    private long heldBudget;
    private @Nullable BodyRelay relay;

    /** @param refuse hears why the body may not go on */
    Intake(Exchange exchange, GatewayRoute route, ProxyParts parts, Consumer<RonException> refuse) {
        this.exchange = exchange;
        this.parts = parts;
        this.refuse = refuse;
        this.length = length(exchange);
        this.routeCap =
                route.maxBodyBytes(parts.config().limits().maxBodyBytes().count());
    }

    private static long length(Exchange exchange) {
        long length = exchange.bodyLength();
        if (length == Exchange.UNKNOWN_LENGTH) {
            return StreamRequest.CHUNKED;
        }
        boolean told = length > 0 || exchange.headers().contains("Content-Length");
        return told || EXPECTS_BODY.contains(exchange.method()) ? length : StreamRequest.NO_BODY;
    }

    /** As the upstream is told. */
    long length() {
        return length;
    }

    boolean hasBody() {
        return length > 0 || length == StreamRequest.CHUNKED;
    }

    /** Refuses what its own announcement shows to be too much. */
    void refuseTooLong() {
        if (length > routeCap) {
            throw BodyRelay.tooLarge(routeCap);
        }
    }

    /**
     * Takes the first of the body in, then asks for a turn; at once where its sender waits to be told, or no room is left
     * for it.
     *
     * @param tenant whose body it is
     * @param ownCap what the token allows
     */
    void takeIn(TenantKey tenant, Allowances.Purse purse, long ownCap, Runnable ask) {
        if (!hasBody()) {
            ask.run();
            return;
        }
        BodyRelay own = relay(purse, Math.min(routeCap, ownCap));
        Optional<ContentCoding> coding = DecodeGuard.coding(exchange.headers());
        if (coding.isPresent()) {
            own.inspectedBy(Inspection.of(
                    coding.get(), parts.decoding(), parts.shared().coding(), tenant, exchange.loop(), own));
        }
        long most = length > 0 ? Math.min(length, BodyRelay.HELD) : BodyRelay.HELD;
        long budget = parts.config().limits().bufferBudgetBytes().count();
        if (exchange.headers().contains("Expect") || !parts.shared().buffers().tryTake(most, budget)) {
            ask.run();
        } else {
            heldBudget = most;
            own.hold(ask);
        }
    }

    private BodyRelay relay(Allowances.Purse purse, long cap) {
        BodyRelay made = new BodyRelay(exchange, parts.requestFields(), cap, purse, refuse);
        relay = made;
        return made;
    }

    /** The upstream is ready for it. */
    void passTo(StreamCall call) {
        BodyRelay own = relay == null ? relay(Allowances.Purse.OPEN, routeCap) : relay;
        own.passTo(call);
        giveBudgetBack();
    }

    void writable() {
        if (relay != null) {
            relay.writable();
        }
    }

    /** Whether all of the body has come. */
    boolean complete() {
        return relay == null || relay.allCame();
    }

    /** Whether the upstream waits for the caller. */
    boolean callerIsSlow() {
        return relay != null && relay.callerIsSlow();
    }

    /** Bytes that have come. */
    long came() {
        return relay == null ? 0 : relay.came();
    }

    void over() {
        if (relay != null) {
            relay.release();
        }
        giveBudgetBack();
    }

    private void giveBudgetBack() {
        if (heldBudget > 0) {
            parts.shared().buffers().giveBack(heldBudget);
            heldBudget = 0;
        }
    }
}
