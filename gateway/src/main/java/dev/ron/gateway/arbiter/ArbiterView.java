package dev.ron.gateway.arbiter;

import java.util.List;

/** An arbiter as it was at a moment, for metrics and operators. */
public record ArbiterView(
        int limit,
        int inFlight,
        int waiting,
        int streams,
        boolean draining,
        boolean fair,
        int restarts,
        int activeTenants,
        List<TenantView> tenants) {}
