package dev.ron.gateway.arbiter;

import java.util.Map;

/** One tenant at one upstream as it was at a moment. */
public record TenantView(
        TenantKey key,
        int weight,
        double share,
        int held,
        int waiting,
        long deficitMicros,
        long slotTimeMicros,
        long slotMicros,
        long served,
        Map<Refusal, Long> refused,
        long waitP50Micros,
        long waitP99Micros,
        int streams) {}
