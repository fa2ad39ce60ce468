package dev.ron.passport;

import dev.ron.http.server.HttpHost;
import dev.ron.kernel.channel.Mailbox;
import dev.ron.kernel.error.RonException;
import dev.ron.kernel.time.Clock;
import dev.ron.passport.audit.Auditor;
import dev.ron.passport.kms.Kms;
import dev.ron.passport.office.OfficeState;
import dev.ron.passport.policy.Policy;
import dev.ron.passport.policy.PolicyDesk;
import dev.ron.service.health.KeyState;
import dev.ron.service.health.Need;
import dev.ron.service.lifecycle.ServiceContext;
import dev.ron.service.metrics.HttpMetrics;
import dev.ron.service.metrics.ServiceMetrics;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/** Whether tokens can be issued, and the numbers of the office; verification needs none of these keys. */
final class PassportHealth {
    private static final int OPEN = 2;

    private final Supplier<OfficeState> office;
    private final Kms kms;
    private final PolicyDesk desk;
    private final Supplier<Optional<Long>> confirmedAt;
    private final Supplier<String> trouble;
    private final Auditor auditor;
    private final Clock clock;

    PassportHealth(
            Supplier<OfficeState> office,
            Kms kms,
            PolicyDesk desk,
            Supplier<Optional<Long>> confirmedAt,
            Supplier<String> trouble,
            Auditor auditor,
            Clock clock) {
        this.office = office;
        this.kms = kms;
        this.desk = desk;
        this.confirmedAt = confirmedAt;
        this.trouble = trouble;
        this.auditor = auditor;
        this.clock = clock;
    }

    void bind(ServiceContext context, Mailbox<?> issue, Mailbox<?> revoke, HttpHost host) {
        context.readiness().queue(issue, Need.WRITE);
        context.readiness().queue(revoke, Need.WRITE);
        context.readiness().requireLive(this::keys);
        ServiceMetrics metrics = context.metrics();
        HttpMetrics.inflight(metrics, host::inflight);
        metrics.gauges(
                "circuit_state", "0 closed, 1 half-open, 2 open.", "endpoint", () -> Map.of("kms", kms.circuit()));
        metrics.gauge(
                "svc_passport_epoch_current",
                "The epoch of new tokens.",
                () -> office.get().epoch());
        metrics.gauge(
                "svc_passport_epoch_floor",
                "The lowest epoch that is still good.",
                () -> office.get().revocations().globalFloor());
        metrics.gauge(
                "svc_passport_revocation_seq",
                "The number of the last revocation.",
                () -> office.get().seq());
        metrics.gauges(
                "svc_passport_revocation_entries",
                "What is remembered as revoked.",
                "kind",
                () -> Map.of(
                        "id", office.get().revocations().idCount(),
                        "subject", office.get().revocations().subjectCount()));
        metrics.gauge(
                "svc_passport_policy_version",
                "The policy in force; 0 without one.",
                () -> desk.current().map(Policy::version).orElse(0L));
        metrics.gauge(
                "svc_passport_policy_age_seconds",
                "Time since a registry confirmed the policy; 0 where none is asked.",
                () -> confirmedAt
                        .get()
                        .map(at -> clock.now().getEpochSecond() - at)
                        .orElse(0L));
    }

    private List<KeyState> keys() {
        boolean open = kms.circuit() == OPEN;
        Optional<String> policy = policyTrouble();
        return List.of(
                new KeyState("kms_ok", Need.WRITE, !open, open ? "the breaker of the key service is open" : ""),
                new KeyState("policy_ok", Need.WRITE, policy.isEmpty(), policy.orElse("")),
                new KeyState("journal_ok", Need.WRITE, trouble.get().isEmpty(), trouble.get()),
                new KeyState("audit_ok", Need.WRITE, auditor.writing(), auditor.writing() ? "" : auditor.trouble()));
    }

    private Optional<String> policyTrouble() {
        try {
            desk.current()
                    .orElseThrow(Policy::missing)
                    .requireInForce(clock.now().getEpochSecond());
            return Optional.empty();
        } catch (RonException refused) {
            return Optional.of(refused.detail());
        }
    }
}
