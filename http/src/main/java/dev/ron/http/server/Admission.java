package dev.ron.http.server;

import dev.ron.http.guard.Guard;
import dev.ron.http.guard.Verdict;
import dev.ron.http.route.BadTarget;
import dev.ron.http.route.Match;
import dev.ron.http.route.RequestTarget;
import dev.ron.kernel.error.Code;
import dev.ron.kernel.error.RonException;
import java.util.List;

/**
 * The layers a head passes before its handler, in order: drain gate, target and host, route and method, deadline,
 * the route's guards, declared body length. The first that refuses answers.
 */
final class Admission {
    private static final Refusal CONTRADICTION = Refusal.framing("the target contradicts the Host field");

    /** A method that a served path does not take; the answer says which it does. */
    static final class MethodRefused extends RonException {
        private static final long serialVersionUID = 1L;

        private final String allow;

        MethodRefused(String allow) {
            super(Code.METHOD, "method", "the method is not served here");
            this.allow = allow;
        }

        String allow() {
            return allow;
        }
    }

    private final HostState host;

    Admission(HostState host) {
        this.host = host;
    }

    /** Lets the exchange pass, with its route and deadline set, or throws the refusal. */
    void admit(ServerExchange exchange, ParsedHead head) {
        if (host.draining()) {
            throw Refusal.DRAINING.exception();
        }
        host.known(exchange.caller()); // a stop that waited for it may go on now, so it is past the gate
        RequestTarget target = target(head);
        exchange.target(target.path(), target.query());
        checkHost(exchange.caller(), head, target);
        switch (host.router().find(head.method(), target.path())) {
            case Match.Found<Route> found -> exchange.route(found);
            case Match.WrongMethod<Route>(String allow) -> throw new MethodRefused(allow);
            case Match.NoRoute<Route> _ -> throw Refusal.NOT_FOUND.exception();
        }
        Route route = exchange.found();
        exchange.deadline(RequestDeadline.of(
                head.headers(),
                host.clock(),
                exchange.startNanos(),
                route.timeout().toNanos()));
        passGuards(exchange, route.guards());
        if (head.length() > route.maxBodyBytes()) {
            throw overCap(route.maxBodyBytes());
        }
    }

    private static RequestTarget target(ParsedHead head) {
        try {
            RequestTarget target = RequestTarget.parse(head.target());
            if (target.path().equals("*") && !head.method().equals("OPTIONS")) {
                throw Refusal.framing("the target * belongs to OPTIONS").exception();
            }
            return target;
        } catch (BadTarget bad) {
            throw Refusal.framing(String.valueOf(bad.getMessage())).exception();
        }
    }

    private void checkHost(Caller caller, ParsedHead head, RequestTarget target) {
        String authority = head.authority();
        if (!target.authority().isEmpty()) {
            if (!authority.isEmpty() && !target.authority().equalsIgnoreCase(authority)) {
                throw CONTRADICTION.exception();
            }
            authority = target.authority();
        }
        boolean served =
                host.config().hosts().isEmpty() || host.config().hosts().contains(Authority.host(authority));
        if (!served || (caller.secure() && !caller.mayAsk(Authority.host(authority)))) {
            throw Refusal.MISDIRECTED.exception();
        }
    }

    private static void passGuards(ServerExchange exchange, List<Guard> guards) {
        for (int i = 0; i < guards.size(); i++) {
            if (guards.get(i).admit(exchange) instanceof Verdict.Refuse(RonException why)) {
                throw why;
            }
            exchange.passed();
        }
    }

    static RonException overCap(long cap) {
        return new RonException(Code.OVER_LIMIT, "body_cap", "the body is larger than " + cap + " bytes");
    }
}
