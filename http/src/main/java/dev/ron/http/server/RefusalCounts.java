package dev.ron.http.server;

import dev.ron.kernel.error.RonException;
import dev.ron.kernel.meter.Meter;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/** Counts every refusal once, in the family of its code. */
final class RefusalCounts {
    private final Meter meter;
    private final String rejectedFamily;
    private final String panicKind;
    private final ConcurrentMap<String, Meter.Count> counts = new ConcurrentHashMap<>();

    /** {@code rejectedFamily} is {@code rejected_total}, or what the service's seed calls it. */
    RefusalCounts(Meter meter, String rejectedFamily, String panicKind) {
        this.meter = meter;
        this.rejectedFamily = rejectedFamily;
        this.panicKind = panicKind;
    }

    void count(RonException why, String endpoint) {
        switch (why.code()) {
            case BUSY -> increment("busy_rejections_total", "endpoint", endpoint);
            case TIMEOUT -> increment("io_timeouts_total", "op", "handler");
            case SLOW_CLIENT -> {
                if (why.reason().equals(Refusal.SLOW_BODY.reason())) {
                    increment("io_timeouts_total", "op", "read");
                } else {
                    increment(rejectedFamily, "reason", why.reason());
                }
            }
            case PARSE_ERROR -> increment("parse_errors_total", "kind", why.reason());
            case UNAUTHENTICATED, FORBIDDEN -> increment("auth_failures_total", "reason", why.reason());
            case UPSTREAM_TIMEOUT -> increment("io_timeouts_total", "op", "upstream");
            // Ordinary answers: http_requests_total has them already.
            case NOT_FOUND, CONFLICT, PRECONDITION_FAILED, INTERNAL, CANCELED -> {}
            default -> increment(rejectedFamily, "reason", why.reason());
        }
    }

    /** A handler failed by a defect of its own. */
    void panic() {
        increment("tasks_panicked_total", "kind", panicKind);
    }

    void timeout(String op) {
        increment("io_timeouts_total", "op", op);
    }

    void handshakeFailed() {
        increment("tls_handshake_failures_total", "", "");
    }

    void rejected(String reason) {
        increment(rejectedFamily, "reason", reason);
    }

    void ioError(String kind) {
        increment("io_errors_total", "kind", kind);
    }

    private void increment(String family, String label, String value) {
        Meter.Count count = counts.get(family + value);
        if (count == null) {
            count = counts.computeIfAbsent(family + value, key -> meter.counter(family, label, value));
        }
        count.increment();
    }
}
