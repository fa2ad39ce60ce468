package dev.ron.gateway.auth;

import dev.ron.gateway.arbiter.TenantKey;
import dev.ron.gateway.config.Networks;
import dev.ron.gateway.route.GatewayRoute;
import dev.ron.gateway.tenant.Sources;
import dev.ron.http.message.Headers;
import dev.ron.http.server.Exchange;
import dev.ron.kernel.error.Code;
import dev.ron.kernel.error.RonException;
import dev.ron.kernel.time.Clock;
import dev.ron.service.keys.Circumstances;
import dev.ron.token.verify.Obligations;
import dev.ron.token.verify.RequestContext;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.regex.Pattern;

/** Finds out who asks and whether the route is open to them; runs on the request's loop. */
public final class Door {
    /** Whoever has no name; split by source further on. */
    public static final TenantKey ANON = new TenantKey("", "_anon");

    private static final Pattern TENANT = Pattern.compile("[A-Za-z0-9._-]{1,64}");
    private static final String BEARER = "Bearer ";
    private static final String CAPABILITY = "Capability ";

    private final Verifier verifier;
    private final ColdChecks cold;
    private final Networks trusted;
    private final Clock clock;

    public Door(Verifier verifier, ColdChecks cold, Networks trusted, Clock clock) {
        this.verifier = verifier;
        this.cold = cold;
        this.trusted = trusted;
        this.clock = clock;
    }

    /** The same door, asked by a configuration that trusts other networks. */
    public Door trusting(Networks others) {
        return new Door(verifier, cold, others, clock);
    }

    public void enter(Exchange exchange, GatewayRoute route, long bodyLength, Entrant entrant) {
        boolean needed = route.needsToken(exchange.method());
        String token = needed || route.tenantFromToken() ? token(exchange.headers()) : "";
        if (token.isEmpty()) {
            if (needed) {
                entrant.turnedAway(new RonException(
                        Code.UNAUTHENTICATED, "unauth", "this route needs a token: Authorization: Bearer <token>"));
            } else {
                entrant.admitted(unproven(exchange, route));
            }
            return;
        }
        Verdict verdict =
                verifier.look(token, context(exchange, bodyLength), clock.now().getEpochSecond());
        if (verdict instanceof Verdict.Cold step) {
            Object source = exchange.peer() instanceof InetSocketAddress at ? at.getAddress() : exchange.peer();
            cold.submit(new ColdCase(
                    step, source, exchange.loop(), late -> judged(late, exchange, route, token, needed, entrant)));
        } else {
            judged(verdict, exchange, route, token, needed, entrant);
        }
    }

    private void judged(
            Verdict verdict, Exchange exchange, GatewayRoute route, String token, boolean needed, Entrant entrant) {
        switch (verdict) {
            case Verdict.Allowed(var who, var groups, var obligations, long rootExpiresAt) -> {
                TenantKey tenant =
                        route.tenantFromToken() ? new TenantKey(who.iss(), who.tenant()) : named(exchange, route);
                entrant.admitted(new Pass(tenant, 0, who, groups, obligations, rootExpiresAt, token));
            }
            case Verdict.Denied(RonException why) -> {
                if (needed || route.asksForTokens()) {
                    entrant.turnedAway(why);
                } else {
                    entrant.admitted(unproven(exchange, route));
                }
            }
            case Verdict.Cold _ -> throw new IllegalStateException("a verdict that is none");
        }
    }

    /** The text of the credential; empty where there is none of ours. */
    private static String token(Headers headers) {
        int at = headers.indexOf("Authorization", 0);
        if (at < 0) {
            return "";
        }
        if (headers.indexOf("Authorization", at + 1) >= 0) {
            throw new RonException(Code.BAD_REQUEST, "malformed", "more than one Authorization field");
        }
        String sent = headers.value(at);
        if (sent.startsWith(BEARER)) {
            return sent.substring(BEARER.length()).strip();
        }
        return sent.startsWith(CAPABILITY) ? sent.substring(CAPABILITY.length()).strip() : "";
    }

    private RequestContext context(Exchange exchange, long bodyLength) {
        RequestContext.Builder context = Circumstances.of(exchange, clock);
        if (bodyLength >= 0) {
            context.contentLength(bodyLength);
        }
        return context.build();
    }

    private Pass unproven(Exchange exchange, GatewayRoute route) {
        TenantKey tenant = named(exchange, route);
        int source = tenant.equals(ANON) ? Sources.of(exchange.peer()) : 0;
        return new Pass(tenant, source, null, List.of(), Obligations.NONE, 0, "");
    }

    private TenantKey named(Exchange exchange, GatewayRoute route) {
        TenantKey fixed = route.staticTenant();
        if (fixed != null) {
            return fixed;
        }
        String header = route.tenantHeader();
        if (!header.isEmpty() && trusted.contain(exchange.peer())) {
            int at = exchange.headers().indexOf(header, 0);
            if (at >= 0 && TENANT.matcher(exchange.headers().value(at)).matches()) {
                return new TenantKey("", exchange.headers().value(at));
            }
        }
        return ANON;
    }

    /** Whether a token that a stream was opened with still opens anything. */
    public boolean stillGood(String token) {
        return verifier.stillGood(token, clock.now().getEpochSecond());
    }

    /** Changes whenever an issuer has news. */
    public Object news() {
        return verifier.news();
    }
}
