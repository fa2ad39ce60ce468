package dev.ron.gateway.proxy;

import dev.ron.gateway.route.GatewayRoute;
import dev.ron.gateway.tenant.RouteRate;
import dev.ron.gateway.upstream.Upstream;

/** What the requests of one route share, found once per configuration. */
record RouteLane(GatewayRoute route, Upstream upstream, UpstreamMeter meter, RouteRate rate) {}
