package dev.ron.edge.fill;

import dev.ron.http.client.stream.UpstreamFailure;
import dev.ron.kernel.error.RonException;
import dev.ron.kernel.meter.Meter;
import dev.ron.service.metrics.ServiceMetrics;

/** Counts fills by the seed's names. */
public final class FillMeter {
    private final ServiceMetrics.Counters attempts;
    private final ServiceMetrics.Counters successes;
    private final ServiceMetrics.Counters failures;
    private final ServiceMetrics.Counters received;
    private final ServiceMetrics.Counters writes;
    private final ServiceMetrics.Counters timeouts;
    private final Meter.Count coalesced;
    private final Meter.Count uncacheable;
    private final Meter.Count dropped;
    private final Meter.Count canceled;
    private final Meter.Timing latency;

    public FillMeter(ServiceMetrics metrics) {
        attempts = metrics.counters("edge_live_fill_attempts_total", "Attempts to fetch.", "host");
        successes = metrics.counters("edge_live_fill_success_total", "Fetches that brought something.", "host");
        failures = metrics.counters("edge_live_fill_failures_total", "Fetches that brought nothing.", "reason");
        received = metrics.counters("edge_bytes_in_total", "Bytes of objects that origins sent.", "host");
        writes = metrics.counters("edge_cas_writes_total", "Objects given to the store.", "status");
        timeouts = metrics.counters("io_timeouts_total", "Waits that took too long.", "op");
        coalesced = metrics.counter("edge_fill_coalesced_total");
        uncacheable = metrics.counter("edge_fill_uncacheable_total");
        metrics.counter("busy_rejections_total", "endpoint", "/edge/assets"); // seen from the start; the host counts
        dropped = metrics.counter("queue_dropped_total", "queue", "work");
        canceled = metrics.counter("tasks_canceled_total", "kind", "fill_job");
        latency = metrics.timings("fill_latency_seconds", "From a worker's start to the object.")
                .with();
        writes.with("ok");
        writes.with("dedup");
        writes.with("error");
        timeouts.with("connect");
        timeouts.with("fill");
    }

    void attempt(String host) {
        attempts.with(host).increment();
    }

    /** A part of an object came, whatever becomes of it. */
    void received(String host, long bytes) {
        received.with(host).add(bytes);
    }

    void success(String host, long nanos) {
        successes.with(host).increment();
        latency.record(nanos);
    }

    void failure(RonException why) {
        String reason = why.reason();
        failures.with(reason).increment();
        if (why instanceof UpstreamFailure broken && broken.kind() == UpstreamFailure.Kind.CONNECT_TIMEOUT) {
            timeouts.with("connect").increment();
        } else if (reason.equals("timeout") || reason.equals("upstream_timeout")) {
            timeouts.with("fill").increment();
        }
        if (reason.startsWith("cas_")) {
            writes.with("error").increment();
        }
    }

    /** An object was given to the store, which may have had its bytes already. */
    void written(boolean duplicate) {
        writes.with(duplicate ? "dedup" : "ok").increment();
    }

    void coalesced() {
        coalesced.increment();
    }

    void uncacheable() {
        uncacheable.increment();
    }

    /** A request was refused because the queue is full. */
    void queueFull() {
        dropped.increment();
    }

    void canceled() {
        canceled.increment();
    }
}
