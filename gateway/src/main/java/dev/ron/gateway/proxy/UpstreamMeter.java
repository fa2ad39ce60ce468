package dev.ron.gateway.proxy;

import dev.ron.http.client.stream.UpstreamFailure;
import dev.ron.kernel.meter.Meter;
import dev.ron.service.metrics.ServiceMetrics;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;

/** What is counted about one upstream: tries, not requests. */
final class UpstreamMeter {
    private final Meter.Count[] byClass = new Meter.Count[6];
    private final Map<UpstreamFailure.Kind, Meter.Count> errors = new EnumMap<>(UpstreamFailure.Kind.class);
    private final Meter.Timing latency;
    private final Meter.Count retries;
    private final Meter.Count slowReaders;

    UpstreamMeter(ServiceMetrics metrics, String upstream) {
        ServiceMetrics.Counters requests = metrics.counters(
                "gateway_upstream_requests_total", "Tries that an upstream answered.", "upstream", "status_class");
        for (int i = 1; i < byClass.length; i++) {
            byClass[i] = requests.with(upstream, i + "xx");
        }
        byClass[0] = byClass[5];
        ServiceMetrics.Counters failed = metrics.counters(
                "gateway_upstream_errors_total", "Tries that an upstream did not answer.", "upstream", "kind");
        for (UpstreamFailure.Kind kind : UpstreamFailure.Kind.values()) {
            errors.put(kind, failed.with(upstream, kind.name().toLowerCase(Locale.ROOT)));
        }
        this.latency = metrics.timings("gateway_upstream_latency_seconds", "Try to response head.", "upstream")
                .with(upstream);
        this.slowReaders = metrics.counter("io_timeouts_total", "op", "write");
        this.retries = metrics.counter("backoff_retries_total", "op", upstream);
    }

    void answered(int status, long nanos) {
        byClass[status / 100].increment();
        latency.record(nanos);
    }

    void failed(UpstreamFailure why) {
        Meter.Count count = errors.get(why.kind());
        if (count != null) {
            count.increment();
        }
    }

    void slowReader() {
        slowReaders.increment();
    }

    void retried() {
        retries.increment();
    }
}
