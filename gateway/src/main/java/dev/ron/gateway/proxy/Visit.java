package dev.ron.gateway.proxy;

import dev.ron.gateway.auth.Pass;
import dev.ron.gateway.route.GatewayRoute;
import dev.ron.gateway.tenant.Account;
import dev.ron.gateway.tenant.RateShares.Standing;
import dev.ron.gateway.upstream.Upstream;
import dev.ron.http.server.Exchange;

/** A request that was let in: whose it is, and where it goes under which configuration. */
record Visit(
        Exchange exchange,
        RouteLane lane,
        ProxyParts parts,
        Pass pass,
        Account account,
        Standing standing,
        long deadlineAt) {

    GatewayRoute route() {
        return lane.route();
    }

    Upstream upstream() {
        return lane.upstream();
    }

    UpstreamMeter meter() {
        return lane.meter();
    }

    Shared shared() {
        return parts.shared();
    }

    long nanos() {
        return exchange.timers().nanos();
    }
}
