package dev.ron.service.metrics;

import java.util.Map;

/** What the families mean that are counted by name only. */
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
            Map.entry("shutdown_duration_seconds", "Time from the request to stop until stopped."),
            Map.entry("readyz_fail_total", "Answers of a probe that said no, by what was missing."),
            Map.entry("spans_exported_total", "Spans given to the collector, by how that ended."),
            Map.entry("auth_jwks_refresh_total", "Fetches of an issuer's keys, by how they ended."),
            Map.entry("bus_no_subscribers_total", "Events that nobody listened to."),
            Map.entry("edge_rejects_total", "Requests the edge refused, by reason."),
            Map.entry("edge_range_requests_total", "Requests for a range, by the status of their answer."),
            Map.entry("edge_fill_coalesced_total", "Requests that joined a fetch under way."),
            Map.entry("edge_fill_uncacheable_total", "Fetched objects that were passed on and not kept."),
            Map.entry("commit_batch_size", "Updates in one commit."),
            Map.entry("commit_cas_fail_total", "Commits that found another head than they were made for."),
            Map.entry("commit_fsync_seconds", "Time of a write and its sync to disk."),
            Map.entry("registry_checkpoint_total", "Checkpoints, by how they ended."),
            Map.entry("registry_updates_total", "Updates asked for, by whether they were taken."),
            Map.entry("storage_backoff_total", "Waits for a log that could not be written."),
            Map.entry("svc_passport_audit_failures_total", "Lines of the audit log that could not be written."),
            Map.entry("svc_passport_idempotent_replays_total", "Answers given again for the same idempotency key."),
            Map.entry("svc_passport_kms_call_latency_seconds", "Time of a signature by the key store."),
            Map.entry("svc_passport_registry_failures_total", "Fetches of the registry's policy that failed."),
            Map.entry("svc_passport_registry_fetch_latency_seconds", "Time of a fetch of the registry's policy."));

    private KernelHelp() {}

    static String of(String family) {
        return HELP.getOrDefault(family, family.replace('_', ' '));
    }
}
