package dev.ron.service.reload;

import dev.ron.kernel.call.Ask;
import dev.ron.kernel.call.Reply;
import dev.ron.kernel.channel.Delivery;
import dev.ron.kernel.channel.Mailbox;
import dev.ron.kernel.channel.Sent;
import dev.ron.kernel.channel.Watch;
import dev.ron.kernel.error.Code;
import dev.ron.kernel.error.RonException;
import dev.ron.kernel.sync.Snapshot;
import dev.ron.kernel.task.TaskScope;
import dev.ron.kernel.time.Clock;
import dev.ron.kernel.time.Deadline;
import dev.ron.kernel.topology.MailboxSpec;
import dev.ron.kernel.topology.Stage;
import dev.ron.kernel.topology.TaskSpec;
import dev.ron.kernel.topology.Topology;
import dev.ron.service.bus.Bus;
import dev.ron.service.bus.BusEvent;
import dev.ron.service.config.Change;
import dev.ron.service.config.Config;
import dev.ron.service.config.ConfigChange;
import dev.ron.service.config.ConfigError;
import dev.ron.service.config.ConfigResult;
import dev.ron.service.config.Origin;
import dev.ron.service.metrics.ServiceMetrics;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one task that changes the configuration.
 *
 * <p>Read, bind, compare; have every part get ready; swap; change over; tell. Whatever fails before the swap changes
 * nothing, and what fails after it is put back, so readers see the old configuration or the new one, never a mix.
 * Requests that arrive while one reload runs are answered together by the next.
 */
public final class Reloader {
    public static final MailboxSpec QUEUE = Topology.mailbox("cfg_reload", 16)
            .from("signal, ops, bus")
            .to("config-reloader")
            .stage(Stage.WATCHERS);
    public static final TaskSpec TASK = Topology.task("config-reloader")
            .critical(TaskSpec.Criticality.MEDIUM)
            .stage(Stage.WATCHERS)
            .does("reads the configuration again and applies it whole or not at all");

    private static final Logger LOG = LoggerFactory.getLogger(Reloader.class);

    private final Mailbox<Ask<String, ReloadReport>> queue;
    private final Supplier<ConfigResult> loader;
    private final Watch.Writer<Config> config;
    private final Bus bus;
    private final Clock clock;
    private final ServiceMetrics.Counters reloads;
    private final ServiceMetrics.Counters errors;
    private final ServiceMetrics.Timings durations;
    private final List<ConfigSubscriber> subscribers = new CopyOnWriteArrayList<>();
    private final Snapshot<Optional<ReloadReport>> last = new Snapshot<>(Optional.empty());
    private final Snapshot<Instant> loadedAt;

    public Reloader(
            Mailbox<Ask<String, ReloadReport>> queue,
            Supplier<ConfigResult> loader,
            Watch.Writer<Config> config,
            Bus bus,
            Clock clock,
            ServiceMetrics metrics) {
        this.queue = queue;
        this.loader = loader;
        this.config = config;
        this.bus = bus;
        this.clock = clock;
        this.loadedAt = new Snapshot<>(clock.now());
        this.reloads = metrics.counters(
                "config_reloads_total", "Reloads by what asked and how it ended.", "source", "outcome");
        this.errors =
                metrics.counters("config_reload_errors_total", "Reloads that changed nothing, by reason.", "reason");
        this.durations = metrics.timings("config_reload_duration_seconds", "Time from reading to telling.");
        metrics.gauge(
                "config_version",
                "The version of the configuration in force.",
                () -> current().version());
    }

    public void subscribe(ConfigSubscriber subscriber) {
        subscribers.add(subscriber);
    }

    /** Asks for a reload; the reply says how it went. A full queue means that enough have asked already. */
    public Reply<ReloadReport> request(String source) {
        Ask<String, ReloadReport> ask = Ask.of(source);
        Sent sent = queue.trySend(ask);
        if (sent == Sent.FULL) {
            ask.reply()
                    .fail(new RonException(
                            Code.BUSY, "busy", "reloads are queued already", Duration.ofSeconds(1), null));
        } else if (sent == Sent.CLOSED) {
            ask.reply().fail(new RonException(Code.DRAINING, "draining", "the process is stopping"));
        }
        return ask.reply();
    }

    /** The body of the reloader task. */
    public void run(TaskScope scope) {
        while (true) {
            Optional<Delivery<Ask<String, ReloadReport>>> first = queue.receive(Deadline.never(scope.clock()));
            if (first.isEmpty()) {
                return;
            }
            List<Ask<String, ReloadReport>> asked =
                    new ArrayList<>(List.of(first.get().item()));
            for (var more = queue.tryReceive(); more.isPresent(); more = queue.tryReceive()) {
                asked.add(more.get().item());
            }
            ReloadReport report = reload(asked.getFirst().question());
            asked.forEach(a -> a.reply().complete(report));
        }
    }

    public Config current() {
        return config.watch().value();
    }

    public Instant loadedAt() {
        return loadedAt.get();
    }

    public Optional<ReloadReport> last() {
        return last.get();
    }

    ReloadReport reload(String source) {
        long start = clock.nanos();
        ReloadReport report = attempt(source);
        durations.with().record(clock.nanos() - start);
        reloads.with(source, report.outcome().word()).increment();
        if (report.outcome().failed()) {
            errors.with(report.outcome().word()).increment();
            LOG.atWarn()
                    .addKeyValue("reason", report.outcome().word())
                    .log("reload by {} changed nothing: {}", source, report.details());
        } else {
            LOG.info(
                    "reload by {}: {}, version {}, {}",
                    source,
                    report.outcome().word(),
                    report.version(),
                    report.details());
        }
        last.publish(Optional.of(report));
        subscribers.forEach(s -> s.reloaded(report));
        return report;
    }

    private ReloadReport attempt(String source) {
        Config old = current();
        Config next;
        switch (loader.get()) {
            case ConfigResult.Loaded l -> next = l.config().withVersion(old.version() + 1);
            case ConfigResult.Rejected r -> {
                ReloadOutcome outcome = r.errors().stream().anyMatch(Reloader::unreadable)
                        ? ReloadOutcome.PARSE_ERROR
                        : ReloadOutcome.INVALID;
                return report(source, outcome, old, r.errors());
            }
        }
        List<ConfigChange> changes = old.changesTo(next);
        if (changes.isEmpty() && !changedOutside(old)) {
            return report(source, ReloadOutcome.NOOP, old, List.of());
        }
        List<ConfigChange> frozen =
                changes.stream().filter(c -> c.change() == Change.RESTART).toList();
        if (!frozen.isEmpty()) {
            return report(source, ReloadOutcome.RESTART_REQUIRED, old, frozen);
        }
        return apply(source, old, next, changes);
    }

    private boolean changedOutside(Config current) {
        for (ConfigSubscriber s : subscribers) {
            try {
                if (s.changedOutside(current)) {
                    return true;
                }
            } catch (Exception _) {
                return true; // what is wrong is for prepare to say
            }
        }
        return false;
    }

    private ReloadReport apply(String source, Config old, Config next, List<ConfigChange> changes) {
        List<ConfigSubscriber.Change> prepared = new ArrayList<>();
        for (ConfigSubscriber s : subscribers) {
            try {
                prepared.add(s.prepare(next, changes));
            } catch (Exception e) {
                rollback(prepared);
                return report(source, ReloadOutcome.PREPARE_FAILED, old, List.of(s.name() + ": " + e.getMessage()));
            }
        }
        config.set(next);
        try {
            prepared.forEach(ConfigSubscriber.Change::commit);
        } catch (RuntimeException e) {
            config.set(old);
            rollback(prepared);
            return report(source, ReloadOutcome.ROLLED_BACK, old, List.of(String.valueOf(e.getMessage())));
        }
        loadedAt.publish(clock.now());
        bus.publish(new BusEvent.ConfigUpdated(next.version()));
        return report(source, ReloadOutcome.APPLIED, next, changes);
    }

    /** In the reverse order; one that fails does not keep the others from being put back. */
    private static void rollback(List<ConfigSubscriber.Change> prepared) {
        for (ConfigSubscriber.Change change : prepared.reversed()) {
            try {
                change.rollback();
            } catch (RuntimeException e) {
                LOG.error("a part could not be put back after a failed reload", e);
            }
        }
    }

    private static boolean unreadable(ConfigError error) {
        return error.key().isEmpty() && error.origin() instanceof Origin.File;
    }

    private static ReloadReport report(String source, ReloadOutcome outcome, Config inForce, List<?> details) {
        return new ReloadReport(
                source,
                outcome,
                inForce.version(),
                details.stream().map(String::valueOf).toList());
    }
}
