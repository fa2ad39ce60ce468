package dev.ron.service.metrics;

import java.util.Map;

/** What the families mean that the kernel and the host count by name only. */
final class KernelHelp {
    private static final Map<String, String> HELP = Map.ofEntries(
            Map.entry(
                    "queue_dropped_total",
                    "Items that gave their place to newer ones, or were refused by a full feed."),
            Map.entry("queue_expired_total", "Items whose deadline passed while they waited."),
            Map.entry("queue_drained_total", "Items handed back unhandled at shutdown."),
            Map.entry("busy_rejections_total", "Requests refused because a queue or the in-flight bound was full."),
            Map.entry("rejected_total", "Requests refused, by reason."),
            Map.entry("tasks_spawned_total", "Tasks started."),
            Map.entry("tasks_completed_total", "Tasks that ended by themselves."),
            Map.entry("tasks_canceled_total", "Tasks that ended because they were asked to."),
            Map.entry("tasks_aborted_total", "Tasks interrupted after the drain deadline."),
            Map.entry("tasks_panicked_total", "Tasks that failed."),
            Map.entry("tasks_leaked_total", "Tasks that ignored both the signal and the interrupt."),
            Map.entry("service_restarts_total", "Starts of a task after a failure."),
            Map.entry("io_timeouts_total", "I/O that did not end in time."),
            Map.entry("io_errors_total", "I/O that failed."),
            Map.entry("parse_errors_total", "Input that could not be read."),
            Map.entry("backoff_retries_total", "Waits before a retry."),
            Map.entry("bus_published_total", "Events published."),
            Map.entry("bus_lagged_total", "Events overwritten before a consumer read them."),
            Map.entry("circuit_open_total", "Calls refused by an open breaker."),
            Map.entry("shutdown_requests_total", "Requests to stop."),
            Map.entry("shutdown_drains_total", "Shutdowns by result."),
            Map.entry("shutdown_duration_seconds", "Time from the request to stop until stopped."));

    private KernelHelp() {}

    static String of(String family) {
        return HELP.getOrDefault(family, family.replace('_', ' '));
    }
}
