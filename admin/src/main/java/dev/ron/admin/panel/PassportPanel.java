package dev.ron.admin.panel;

import dev.ron.admin.series.Readings;
import dev.ron.admin.view.MetricsSummary;
import dev.ron.admin.view.Panels;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Issuing, verifying and revoking, counted where it is asked for: at the office's own routes. */
final class PassportPanel {
    private static final String REQUESTS = "http_requests_total";
    private static final String LATENCY = "request_latency_seconds";
    private static final String BUSY = "busy_rejections_total";
    private static final String EPOCH = "svc_passport_epoch_current";
    private static final String POLICY = "svc_passport_policy_version";
    private static final String REVOKED = "svc_passport_revocation_entries";
    static final List<String> METRICS = List.of(REQUESTS, LATENCY, BUSY, EPOCH, POLICY, REVOKED);

    static final String ISSUE = "/v1/passport/issue";
    private static final List<String> VERIFY =
            List.of("/v1/passport/verify", "/v1/passport/verify_batch", "/v1/passport/introspect");
    private static final String REVOKE = "/v1/passport/revoke";

    private PassportPanel() {}

    static Panels.Passport of(@Nullable String cause, Told own, Readings readings) {
        Told kms = own.part("kms");
        boolean measured = readings.services().contains("passport");
        return new Panels.Passport(
                cause == null,
                cause,
                route(readings, ISSUE, measured),
                VERIFY.stream()
                        .map(route -> route(readings, route, measured))
                        .reduce(measured ? Double.valueOf(0) : null, PassportPanel::plus),
                route(readings, REVOKE, measured),
                issueMillis(readings, 0.95),
                issueMillis(readings, 0.99),
                Told.firstOf(own.number("epoch"), readings.sum(EPOCH)),
                readings.sum(REVOKED),
                kms.flag("ok"),
                kms.circuit("breaker"),
                own.texts("kids"),
                Told.firstOf(own.number("policy_version"), readings.sum(POLICY)),
                rejects(readings));
    }

    /** A route that was never asked for has no series yet: nobody asked, and that is a number. */
    private static @Nullable Double route(Readings readings, String route, boolean measured) {
        Double rate = readings.sum(REQUESTS, Map.of("service", "passport", "route", route));
        return rate == null && measured ? Double.valueOf(0) : rate;
    }

    private static @Nullable Double plus(@Nullable Double one, @Nullable Double other) {
        return one == null ? other : other == null ? one : Double.valueOf(one + other);
    }

    private static @Nullable Double issueMillis(Readings readings, double q) {
        return readings.millis(q, LATENCY, List.of("service", "route"), List.of("passport", ISSUE));
    }

    /** What was refused: by class of status, and for want of room by endpoint. */
    private static List<MetricsSummary.RejectLine> rejects(Readings readings) {
        List<MetricsSummary.RejectLine> lines = new ArrayList<>();
        readings.by(REQUESTS, "status", Map.of("service", "passport")).forEach((status, rate) -> {
            if (rate > 0 && (status.equals("4xx") || status.equals("5xx"))) {
                lines.add(new MetricsSummary.RejectLine("passport", status, rate));
            }
        });
        readings.by(BUSY, "endpoint", Map.of("service", "passport")).forEach((endpoint, rate) -> {
            if (rate > 0) {
                lines.add(new MetricsSummary.RejectLine("passport", "busy " + endpoint, rate));
            }
        });
        return lines;
    }
}
