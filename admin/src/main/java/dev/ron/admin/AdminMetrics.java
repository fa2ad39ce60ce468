package dev.ron.admin;

import dev.ron.admin.truth.Answer;
import dev.ron.admin.truth.Fault;
import dev.ron.kernel.meter.Meter;
import dev.ron.service.metrics.ServiceMetrics;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;

/** The console's own counters; all carry {@code svc_admin_} before the names given here. */
public final class AdminMetrics {
    private final ServiceMetrics.Counters timeouts;
    private final ServiceMetrics.Counters errors;
    private final ServiceMetrics.Counters parse;
    private final ServiceMetrics.Counters busy;
    private final ServiceMetrics.Counters auth;
    private final ServiceMetrics.Counters samples;
    private final ServiceMetrics.Counters skips;
    private final ServiceMetrics.Counters badLines;
    private final ServiceMetrics.Counters bodies;
    private final ServiceMetrics.Counters actions;
    private final ServiceMetrics.Counters audits;
    private final ServiceMetrics.Counters refreshes;
    private final ServiceMetrics.Counters reloads;
    private final Meter.Count retries;
    private final Meter.Count csrf;
    private final Meter.Count breaks;
    private final Meter.Count auditErrors;
    private final Meter.Count lagged;
    private final Meter.Timing scrapes;
    private final BooleanSupplier perNode;
    private final Map<String, Meter.Count> resolved = new ConcurrentHashMap<>();

    /** @param perNode whether counters of one node may be named; with many nodes they may not */
    public AdminMetrics(ServiceMetrics metrics, BooleanSupplier perNode) {
        this.perNode = perNode;
        timeouts = metrics.counters("io_timeouts_total", "Calls that took too long.", "op");
        errors = metrics.counters("io_errors_total", "Calls that failed.", "kind");
        parse = metrics.counters("parse_errors_total", "Answers that cannot be read.", "kind");
        busy = metrics.counters("busy_rejections_total", "Requests refused because a bound was reached.", "endpoint");
        auth = metrics.counters("auth_failures_total", "Requests without a good identity.", "reason");
        samples = metrics.counters("metrics_samples_total", "Good scrapes.", "node_id");
        skips = metrics.counters("metrics_ticks_skipped_total", "Scrapes that were not made in time.", "node_id");
        badLines = metrics.counters("metrics_parse_errors_total", "Lines of metrics that were skipped.", "node_id");
        bodies = metrics.counters("metrics_body_rejected_total", "Bodies of metrics that were refused.", "reason");
        actions = metrics.counters("actions_total", "Actions on nodes.", "action", "result");
        audits = metrics.counters("audit_records_total", "Lines of the audit log.", "phase");
        refreshes = metrics.counters("auth_refresh_total", "Fetches of the issuer's keys.", "result");
        reloads = metrics.counters("config_reloads_total", "Reloads by how they ended.", "result");
        reloads.with("applied"); // at zero, so that the first reload shows as a change
        retries = metrics.counters("backoff_retries_total", "Calls that were tried again.", "op")
                .with("metrics_poll");
        csrf = metrics.counters("csrf_failures_total", "Unsafe requests that may not be ours.")
                .with();
        breaks = metrics.counters("audit_chain_breaks_total", "Breaks found in the audit log.")
                .with();
        auditErrors = metrics.counters("audit_write_errors_total", "Lines that could not be written.")
                .with();
        lagged = metrics.counters("events_lagged_total", "Events that the hub did not read in time.")
                .with();
        scrapes =
                metrics.timings("scrape_seconds", "A scrape with its retries.").with();
        // The seed names these, so they are there from the start, at zero.
        for (String op : java.util.List.of("node_call", "metrics_poll", "auth_refresh")) {
            timeouts.with(op);
        }
        for (String kind : java.util.List.of("connect", "parse", "auth")) {
            errors.with(kind);
        }
        busy.with("refresh");
        auth.with("missing_token");
        parse.with("body");
    }

    private Meter.Count node(ServiceMetrics.Counters family, String name, String nodeId) {
        String label = perNode.getAsBoolean() ? nodeId : "all";
        return resolved.computeIfAbsent(name + "\n" + label, key -> family.with(label));
    }

    /** Forgets the handles of nodes that are gone. */
    void forget(String nodeId) {
        resolved.keySet().removeIf(key -> key.endsWith("\n" + nodeId));
    }

    public void called(String op, Answer answer) {
        if (answer instanceof Answer.Failed failed) {
            failed(op, failed.fault());
        }
    }

    private void failed(String op, Fault fault) {
        switch (fault) {
            case TIMEOUT -> timeouts.with(op).increment();
            case PARSE, TOO_LARGE -> {
                errors.with("parse").increment();
                parse.with(op.equals("metrics_poll") ? "body" : "status").increment();
            }
            case DENIED -> errors.with("auth").increment();
            case CANCELED -> {}
            case STATUS, REDIRECT -> errors.with("status").increment();
            default -> errors.with("connect").increment();
        }
    }

    public void failedScrape(String nodeId, Fault fault) {
        failed("metrics_poll", fault);
        if (fault == Fault.TOO_LARGE) {
            bodies.with("too_large").increment();
        }
    }

    public void sampled(String nodeId) {
        node(samples, "samples", nodeId).increment();
    }

    public void skipped(String nodeId) {
        node(skips, "skips", nodeId).increment();
    }

    public void badLines(String nodeId, long lines) {
        if (lines > 0) {
            node(badLines, "lines", nodeId).add(lines);
        }
    }

    public void retried() {
        retries.increment();
    }

    public void scraped(long nanos) {
        scrapes.record(nanos);
    }

    public void busy(String endpoint) {
        busy.with(endpoint).increment();
    }

    public void authFailed(String reason) {
        auth.with(reason).increment();
    }

    public void csrfFailed() {
        csrf.increment();
    }

    public void acted(String action, String result) {
        actions.with(action, result).increment();
    }

    public void audited(String phase) {
        audits.with(phase).increment();
    }

    public void chainBroken() {
        breaks.increment();
    }

    public void auditFailed() {
        auditErrors.increment();
    }

    public void refreshed(String result) {
        refreshes.with(result).increment();
    }

    public void refreshTimedOut() {
        timeouts.with("auth_refresh").increment();
    }

    public void reloaded(String result) {
        reloads.with(result).increment();
    }

    public void lagged(long events) {
        lagged.add(events);
    }
}
