package dev.ron.admin.sample;

import dev.ron.admin.AdminConfig;
import dev.ron.admin.series.Glance;
import dev.ron.admin.series.Numbers;
import dev.ron.admin.truth.Answer;
import dev.ron.admin.truth.Causes;
import dev.ron.admin.truth.Round;
import dev.ron.admin.truth.Truth;
import dev.ron.admin.truth.Verdict;
import dev.ron.admin.view.Cause;
import dev.ron.admin.view.FacetMetrics;
import dev.ron.admin.view.MetricsSummary;
import dev.ron.admin.view.NodeDetail;
import dev.ron.admin.view.NodeRow;
import dev.ron.kernel.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Writes what is known of a node as the documents of the API; the age of everything is taken now. */
public final class Rows {
    private static final List<String> NEVER_ASKED = List.of();

    private final Supplier<AdminConfig> config;
    private final Clock clock;

    public Rows(Supplier<AdminConfig> config, Clock clock) {
        this.config = config;
        this.clock = clock;
    }

    /** The verdict on a round, were it looked at now. */
    private @Nullable Verdict verdict(Observed observed) {
        Round round = observed.round();
        if (round == null) {
            return null;
        }
        double age = (clock.nanos() - round.atNanos()) / 1e9;
        double stale = staleSeconds();
        // What was judged when it was fresh stands until it is stale; the judgement itself does not depend on age.
        return age <= stale ? observed.verdict() : Truth.of(round, age, stale);
    }

    private double staleSeconds() {
        return 3.0 * config.get().polling().statusInterval().toMillis() / 1000.0;
    }

    public NodeRow row(NodeRuntime node) {
        return row(node, node.observed());
    }

    private NodeRow row(NodeRuntime node, Observed observed) {
        NodeTarget target = node.target();
        Verdict verdict = verdict(observed);
        Measured measured = node.measured();
        String metrics = metricsState(node);
        boolean fresh = metrics.equals("fresh");
        Glance glance = measured.glance();
        return new NodeRow(
                target.id(),
                target.displayName(),
                target.environmentWord(),
                verdict == null ? null : verdict.said().service(),
                verdict == null ? null : verdict.said().profile(),
                verdict == null ? null : verdict.said().version(),
                target.labels(),
                verdict == null ? "unknown" : verdict.state().word(),
                verdict == null ? "muted" : verdict.state().tone(target.prod()),
                verdict == null ? null : verdict.ready(),
                verdict == null ? null : verdict.writeReady(),
                verdict == null ? null : verdict.said().amnesia(),
                causes(verdict),
                planes(verdict),
                verdict == null ? 0 : restarts(verdict),
                verdict == null ? null : verdict.said().uptimeSeconds(),
                fresh ? glance.rps() : null,
                fresh ? glance.errorRate() : null,
                fresh ? glance.p95Ms() : null,
                glance.spark(),
                metrics,
                observed.round() == null ? null : ageMillis(observed.round().atNanos()),
                measured.at() == null ? null : ageMillis(measured.atNanos()),
                target.insecureHttp(),
                actions(verdict));
    }

    private static List<Cause> causes(@Nullable Verdict verdict) {
        return verdict == null ? List.of(Causes.of("probe.never")) : verdict.causes();
    }

    private static NodeRow.PlaneCount planes(@Nullable Verdict verdict) {
        if (verdict == null) {
            return new NodeRow.PlaneCount(0, 0, NEVER_ASKED);
        }
        List<NodeDetail.Plane> planes = verdict.planes();
        return new NodeRow.PlaneCount(
                planes.size(),
                (int) planes.stream().filter(NodeDetail.Plane::ready).count(),
                planes.stream()
                        .filter(p -> p.health().equals("fail") || p.health().equals("degraded"))
                        .map(NodeDetail.Plane::name)
                        .limit(4)
                        .toList());
    }

    private static long restarts(Verdict verdict) {
        return verdict.planes().stream()
                .mapToLong(NodeDetail.Plane::restartCount)
                .sum();
    }

    private long ageMillis(long nanos) {
        return Math.max(0, (clock.nanos() - nanos) / 1_000_000);
    }

    /** What the configuration allows and the node offers; a role is looked at when somebody acts. */
    public NodeRow.Actions actions(@Nullable Verdict verdict) {
        AdminConfig now = config.get();
        if (now.ui().readOnly() || verdict == null) {
            return NodeRow.Actions.NONE;
        }
        List<String> offered = verdict.said().capabilities();
        AdminConfig.ActionsConfig allowed = now.actions();
        return new NodeRow.Actions(
                allowed.enableReload() && offered.contains("reload"),
                allowed.enableDrain() && offered.contains("drain"),
                allowed.enableDrain() && offered.contains("resume"),
                allowed.enableShutdown() && offered.contains("shutdown"));
    }

    /** fresh, stale, unavailable or disabled. */
    public String metricsState(NodeRuntime node) {
        if (node.target().interval().isZero()) {
            return "disabled";
        }
        Measured measured = node.measured();
        if (measured.at() == null) {
            return "unavailable";
        }
        long age = clock.nanos() - measured.atNanos();
        Duration window = config.get().polling().metricsWindow();
        if (age > window.toNanos()) {
            return "unavailable";
        }
        return age <= 3 * measured.interval().toNanos() ? "fresh" : "stale";
    }

    public NodeDetail detail(NodeRuntime node) {
        return detail(node, node.observed());
    }

    /** The detail of a round that was asked just now. */
    public NodeDetail detail(NodeRuntime node, Observed observed) {
        NodeRow row = row(node, observed);
        Verdict verdict = verdict(observed);
        Round round = observed.round();
        if (verdict == null || round == null) {
            return new NodeDetail(
                    row, null, null, null, null, List.of(), false, null, null, List.of(), List.of(), List.of(),
                    Map.of(), Map.of(), List.of(), true, null);
        }
        Verdict.Said said = verdict.said();
        return new NodeDetail(
                row,
                said.instanceId(),
                said.gitSha(),
                said.buildTs(),
                said.runtime(),
                said.capabilities(),
                verdict.draining(),
                said.phase(),
                said.config(),
                verdict.planes(),
                said.queues(),
                said.tasks(),
                said.readyKeys(),
                said.serviceData(),
                round.all().stream().map(Rows::probe).toList(),
                verdict.partial(),
                round.at());
    }

    public static NodeDetail.Probe probe(Answer answer) {
        return switch (answer) {
            case Answer.Said said ->
                new NodeDetail.Probe(
                        said.path(),
                        said.ok(),
                        said.status(),
                        said.millis(),
                        said.body().length(),
                        said.ok() ? null : said.absent() ? "absent" : "status",
                        null);
            case Answer.Failed failed ->
                new NodeDetail.Probe(
                        failed.path(),
                        false,
                        null,
                        failed.millis(),
                        null,
                        failed.fault().word(),
                        failed.detail());
            case Answer.NotAsked(String path) -> new NodeDetail.Probe(path, false, null, null, null, "not_asked", null);
        };
    }

    public MetricsSummary summary(NodeRuntime node) {
        Measured measured = node.measured();
        Numbers numbers = node.numbers();
        return new MetricsSummary(
                node.id(),
                config.get().polling().metricsWindow().toSeconds(),
                measured.interval().toMillis() / 1000.0,
                measured.at(),
                measured.at() == null ? null : ageMillis(measured.atNanos()),
                metricsState(node),
                measured.lastError(),
                numbers.resets(),
                numbers.tracked(),
                numbers.dropped(),
                numbers.totals(),
                numbers.services(),
                numbers.routes(),
                numbers.rejects(),
                numbers.queues(),
                numbers.golden());
    }

    public FacetMetrics facets(NodeRuntime node) {
        Measured measured = node.measured();
        return new FacetMetrics(
                node.id(),
                measured.at(),
                measured.at() == null ? null : ageMillis(measured.atNanos()),
                metricsState(node),
                node.numbers().facets());
    }
}
