package dev.ron.service.metrics;

import dev.ron.http.server.HttpMeter;
import dev.ron.kernel.meter.Meter;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.IntSupplier;

/** Counts the answers of a host: {@code http_requests_total}, {@code request_latency_seconds} and the bytes. */
public final class HttpMetrics implements HttpMeter {
    private static final int STATUSES = 600;

    private final ServiceMetrics.Counters requests;
    private final ServiceMetrics.Timings latency;
    private final ServiceMetrics.Counters bytesIn;
    private final ServiceMetrics.Counters bytesOut;

    public HttpMetrics(ServiceMetrics metrics) {
        this.requests = metrics.counters("http_requests_total", "Requests answered.", "route", "method", "status");
        this.latency = metrics.timings(
                "request_latency_seconds",
                "Head read to answer ready, what the socket then takes aside.",
                "route",
                "method");
        this.bytesIn = metrics.counters("bytes_in_total", "Bytes of request bodies.", "route");
        this.bytesOut = metrics.counters("bytes_out_total", "Bytes of answers.", "route");
    }

    /** Shows how many requests a host has in hand. */
    public static void inflight(ServiceMetrics metrics, IntSupplier inHand) {
        metrics.gauges("inflight_requests", "Requests in hand.", "route", () -> Map.of("all", inHand.getAsInt()));
    }

    @Override
    public RouteMeter route(String method, String route) {
        // A route answers with a handful of statuses: each is resolved at its first answer and then kept.
        AtomicReferenceArray<Meter.Count> byStatus = new AtomicReferenceArray<>(STATUSES);
        Meter.Timing seconds = latency.with(route, method);
        Meter.Count in = bytesIn.with(route);
        Meter.Count out = bytesOut.with(route);
        return (status, nanos, bytesRead, bytesWritten) -> {
            Meter.Count count = byStatus.get(status);
            if (count == null) {
                count = requests.with(route, method, Integer.toString(status));
                byStatus.set(status, count);
            }
            count.increment();
            seconds.record(nanos);
            if (bytesRead > 0) {
                in.add(bytesRead);
            }
            if (bytesWritten > 0) {
                out.add(bytesWritten);
            }
        };
    }
}
