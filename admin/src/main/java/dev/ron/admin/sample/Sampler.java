package dev.ron.admin.sample;

import dev.ron.admin.AdminConfig;
import dev.ron.admin.AdminMetrics;
import dev.ron.admin.expose.ParseReport;
import dev.ron.admin.series.Glance;
import dev.ron.admin.series.NodeSeries;
import dev.ron.admin.truth.Answer;
import dev.ron.admin.truth.Fault;
import dev.ron.admin.truth.Round;
import dev.ron.admin.truth.Truth;
import dev.ron.admin.truth.Verdict;
import dev.ron.admin.view.MetricsSummary;
import dev.ron.kernel.channel.Broadcast;
import dev.ron.kernel.channel.Watch;
import dev.ron.kernel.sync.Permits;
import dev.ron.kernel.task.TaskScope;
import dev.ron.kernel.time.Clock;
import dev.ron.kernel.time.Deadline;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Watches one node: scrapes and probes it at its pace, and publishes what it learns.
 *
 * <p>It alone writes the node's ring and snapshots. It waits for time, for a wake-up, or for an answer, and a stop ends
 * each of these waits; no lock is held at any of them.
 */
public final class Sampler {
    private static final Duration VERSION_EVERY = Duration.ofSeconds(60);
    private static final Duration LONGEST_TICK = Duration.ofSeconds(10);
    private static final Duration YOUNG = Duration.ofSeconds(15);
    private static final Duration FIRST_LOOKS = Duration.ofSeconds(1);

    private final NodeRuntime node;
    private final NodeTarget target;
    private final NodeCaller caller;
    private final Prober prober;
    private final Parts parts;
    private final Clock clock;
    private @Nullable Pace pace;
    private long startedNanos;
    private long nextStatus;
    private long seen;
    private Answer version = new Answer.NotAsked(Prober.VERSION);
    private long versionAt;
    private long samples;

    /** What all samplers share. */
    public record Parts(
            NodeCaller caller,
            Clock clock,
            Supplier<AdminConfig> config,
            Permits concurrent,
            Broadcast<FleetEvent> events,
            AdminMetrics metrics) {}

    Sampler(NodeRuntime node, Parts parts) {
        this.node = node;
        this.target = node.target();
        this.parts = parts;
        this.caller = parts.caller();
        this.clock = parts.clock();
        this.prober = new Prober(caller, clock);
    }

    void run(TaskScope scope) {
        long now = clock.nanos();
        startedNanos = now;
        if (!target.interval().isZero()) {
            pace = new Pace(target.interval(), target.id(), now, ThreadLocalRandom.current());
        }
        // The first screen is not empty: a node is asked within a second of its start.
        nextStatus = now
                + Math.floorMod(
                        target.id().hashCode() * 31L, Duration.ofSeconds(1).toNanos());
        while (!scope.stopping()) {
            if (sleepUntil(scope, due())) {
                tick(scope);
            }
        }
    }

    private long due() {
        return pace == null ? nextStatus : Math.min(nextStatus, pace.due());
    }

    /** True when it is time; false when the task should end, or to look at the time again. */
    private boolean sleepUntil(TaskScope scope, long at) {
        long wait = at - clock.nanos();
        if (wait > 0) {
            Deadline until = scope.untilStop().within(Duration.ofNanos(wait));
            Optional<Watch.Versioned<Long>> woken = node.wakes().awaitNewerThan(seen, until);
            if (woken.isPresent() && woken.get().version() > seen) {
                seen = woken.get().version();
                hurry();
            }
        }
        return !scope.stopping() && clock.nanos() >= due();
    }

    private void hurry() {
        long now = clock.nanos();
        nextStatus = now;
        if (pace != null) {
            pace.hurry(now);
        }
    }

    private void tick(TaskScope scope) {
        boolean statusDue = clock.nanos() >= nextStatus;
        Duration interval = pace == null ? Duration.ofSeconds(5) : pace.effective();
        boolean granted = parts.concurrent().acquire(scope.untilStop().within(interval.dividedBy(2)));
        if (scope.stopping()) {
            if (granted) {
                parts.concurrent().release();
            }
            return;
        }
        try {
            if (granted && statusDue) {
                probe();
            }
            if (granted && pace != null && clock.nanos() >= pace.due() && !scope.stopping()) {
                scrape(scope, interval);
                skipped(pace.next(clock.nanos(), false));
            }
        } finally {
            if (granted) {
                parts.concurrent().release();
            }
        }
        if (statusDue) {
            nextStatus = clock.nanos() + jittered(untilNextStatus());
        }
        if (!granted && pace != null && clock.nanos() >= pace.due()) {
            skipped(pace.next(clock.nanos(), true));
        }
    }

    /** A node that comes up together with the console is looked at every second until it is ready. */
    private Duration untilNextStatus() {
        Duration standard = parts.config().get().polling().statusInterval();
        Verdict verdict = node.observed().verdict();
        boolean young = clock.nanos() - startedNanos < YOUNG.toNanos();
        boolean ready = verdict != null && verdict.state() == Verdict.State.READY;
        return young && !ready && standard.compareTo(FIRST_LOOKS) > 0 ? FIRST_LOOKS : standard;
    }

    private void skipped(int ticks) {
        for (int i = 0; i < ticks; i++) {
            parts.metrics().skipped(target.id());
        }
    }

    private static long jittered(Duration interval) {
        return (long)
                (interval.toNanos() * (0.9 + 0.2 * ThreadLocalRandom.current().nextDouble()));
    }

    private void probe() {
        AdminConfig config = parts.config().get();
        boolean withVersion = !(version instanceof Answer.Said) || clock.nanos() - versionAt > VERSION_EVERY.toNanos();
        Round round = prober.ask(target, config.upstream().statusTimeout(), withVersion, version);
        if (withVersion && round.version() instanceof Answer.Said) {
            version = round.version();
            versionAt = clock.nanos();
        }
        round.all().forEach(answer -> parts.metrics().called("node_call", answer));
        Verdict verdict = Truth.of(round, 0, 1);
        Observed before = node.observed();
        boolean another = isAnother(before.verdict(), verdict);
        node.publish(new Observed(round, verdict, before.replaced() + (another ? 1 : 0)));
        parts.events().publish(new FleetEvent.Changed(target.id(), false));
    }

    /** Whether another process answers now than before. */
    private static boolean isAnother(@Nullable Verdict before, Verdict now) {
        return before != null
                && before.said().instanceId() != null
                && now.said().instanceId() != null
                && !before.said().instanceId().equals(now.said().instanceId());
    }

    private void scrape(TaskScope scope, Duration interval) {
        long started = clock.nanos();
        Result result = attempts(scope, interval);
        if (result == null) {
            return;
        }
        parts.metrics().scraped(clock.nanos() - started);
        long millis = clock.now().toEpochMilli();
        Measured before = node.measured();
        if (result.lastError() == null) {
            long nanos = clock.nanos();
            // Short: the numbers are parsed already, they are only moved into the ring.
            Glance glance = node.ring().with(ring -> {
                ring.commit(result.scraped().scrape(), millis, nanos, interval);
                return Glance.of(ring);
            });
            samples++;
            parts.metrics().sampled(target.id());
            node.publish(new Measured(samples, clock.now(), nanos, glance, null, interval));
        } else {
            Glance glance = node.ring().with(ring -> {
                ring.gap(millis);
                return Glance.of(ring);
            });
            node.publish(
                    new Measured(before.sample(), before.at(), before.atNanos(), glance, result.lastError(), interval));
        }
        parts.events().publish(new FleetEvent.Changed(target.id(), true));
    }

    private record Result(NodeCaller.Scraped scraped, MetricsSummary.@Nullable LastError lastError) {}

    /** At most three tries with a doubling, jittered wait between them, all within the interval; null when stopping. */
    private @Nullable Result attempts(TaskScope scope, Duration interval) {
        AdminConfig config = parts.config().get();
        AdminConfig.RetryConfig retry = config.polling().retry();
        Deadline all = Deadline.after(clock, interval.compareTo(LONGEST_TICK) < 0 ? interval : LONGEST_TICK);
        Duration wait = first(retry);
        for (int attempt = 1; ; attempt++) {
            NodeCaller.Scraped scraped = caller.scrape(
                    target,
                    () -> node.ring().with(NodeSeries::scrape),
                    (int) config.metrics().maxBodyBytes().count(),
                    all.within(config.upstream().metricsPollTimeout()));
            Fault fault = judge(scraped);
            if (fault == null) {
                return new Result(scraped, null);
            }
            parts.metrics().failedScrape(target.id(), fault);
            boolean again = attempt < retry.attempts()
                    && mayPass(scraped.answer(), fault)
                    && all.remaining().compareTo(wait) > 0;
            if (!again) {
                return new Result(scraped, error(scraped.answer(), fault));
            }
            parts.metrics().retried();
            if (!scope.sleep(wait)) {
                return null;
            }
            Duration twice = wait.multipliedBy(2);
            wait = twice.compareTo(retry.cap()) < 0 ? twice : retry.cap();
        }
    }

    private static Duration first(AdminConfig.RetryConfig retry) {
        long spread = retry.initialMax().toNanos() - retry.initialMin().toNanos();
        return retry.initialMin().plusNanos(ThreadLocalRandom.current().nextLong(spread + 1));
    }

    private static boolean mayPass(Answer answer, Fault fault) {
        return fault.transientFault()
                || (answer instanceof Answer.Said said && said.status() >= 502 && said.status() <= 504);
    }

    /** What is wrong with a scrape; null where nothing is. */
    private @Nullable Fault judge(NodeCaller.Scraped scraped) {
        switch (scraped.answer()) {
            case Answer.Failed failed -> {
                return failed.fault();
            }
            case Answer.NotAsked _ -> {
                return Fault.TIMEOUT;
            }
            case Answer.Said said -> {
                if (said.status() != 200) {
                    return Fault.STATUS;
                }
                String type = said.contentType();
                if (type.startsWith("text/html") || type.startsWith("application/json")) {
                    return Fault.PARSE;
                }
                ParseReport report = scraped.scrape().finish();
                parts.metrics().badLines(target.id(), report.badLines());
                return report.plausible() ? null : Fault.PARSE;
            }
        }
    }

    private MetricsSummary.LastError error(Answer answer, Fault fault) {
        String detail = switch (answer) {
            case Answer.Failed failed -> failed.detail();
            case Answer.Said said when fault == Fault.STATUS -> "/metrics answered " + said.status();
            case Answer.Said _ -> "/metrics is not a page of metrics";
            case Answer.NotAsked _ -> "no time was left to ask";
        };
        return new MetricsSummary.LastError(fault.word(), detail, clock.now());
    }

    boolean stretched() {
        Pace mine = pace;
        return mine != null && mine.isStretched();
    }
}
