package dev.ron.service.lifecycle;

import dev.ron.http.loop.EventLoops;
import dev.ron.kernel.Kernel;
import dev.ron.kernel.call.Ask;
import dev.ron.kernel.channel.Mailbox;
import dev.ron.kernel.channel.Watch;
import dev.ron.kernel.task.Crash;
import dev.ron.kernel.task.Phase;
import dev.ron.kernel.task.Shutdown;
import dev.ron.kernel.task.Task;
import dev.ron.kernel.task.TaskScope;
import dev.ron.kernel.task.TaskState;
import dev.ron.kernel.time.Clock;
import dev.ron.kernel.time.Deadline;
import dev.ron.service.bus.Bus;
import dev.ron.service.bus.BusEvent;
import dev.ron.service.config.Config;
import dev.ron.service.config.ConfigChange;
import dev.ron.service.config.ConfigResult;
import dev.ron.service.health.Heartbeat;
import dev.ron.service.health.Key;
import dev.ron.service.health.KeyState;
import dev.ron.service.health.Need;
import dev.ron.service.health.Probes;
import dev.ron.service.health.Readiness;
import dev.ron.service.health.ReadyView;
import dev.ron.service.log.LogLine;
import dev.ron.service.log.Logs;
import dev.ron.service.metrics.JvmMetrics;
import dev.ron.service.metrics.KernelMetrics;
import dev.ron.service.metrics.Metrics;
import dev.ron.service.metrics.ServiceMetrics;
import dev.ron.service.reload.ConfigSubscriber;
import dev.ron.service.reload.ReloadReport;
import dev.ron.service.reload.Reloader;
import dev.ron.service.status.BuildInfo;
import dev.ron.service.trace.Span;
import dev.ron.service.trace.SpanExporter;
import dev.ron.service.trace.Tracer;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

/**
 * What every process has once, and the services that run in it.
 *
 * <p>{@link #open} brings up log, configuration, bus and health; {@link #start} brings up services in the order given;
 * {@link #shutdown} ends everything in stages, whatever was started.
 */
public final class Frame {
    private static final ReadyView STARTING = ReadyView.of(
            List.of(new KeyState("services_started", Need.READ, false, "not every service is started")), Instant.EPOCH);

    private static final Duration BEAT = Duration.ofSeconds(1);

    private final FrameSettings settings;
    private final Clock clock;
    private final BuildInfo build = BuildInfo.load();
    private final Instant started;
    private final String instanceId;
    private final Metrics metrics = new Metrics();
    private final ServiceMetrics own = metrics.service(FrameTopology.SERVICE);
    private final Shutdown shutdown;
    private final Kernel kernel;
    private final Bus bus;
    private final Watch.Writer<Config> config;
    private final Reloader reloader;
    private final Tracer tracer;
    private final Heartbeat heartbeat;
    private final Readiness readiness;
    private final LoopWatch loops = new LoopWatch();
    private final List<RunningService> services = new CopyOnWriteArrayList<>();
    private final AtomicReference<String> drained = new AtomicReference<>("");
    private volatile boolean up;

    private Frame(FrameSettings settings, Clock clock, Config first, Supplier<ConfigResult> loader) {
        this.settings = settings;
        this.clock = clock;
        this.started = clock.now();
        this.instanceId = Ulid.next(started);
        this.shutdown = new Shutdown(clock, own, () -> settings.drainDeadline().apply(current()));
        this.kernel = new Kernel(FrameTopology.TOPOLOGY, clock, own, settings.restarts(), this::crashed);
        this.bus = new Bus(kernel.broadcast(Bus.SPEC), own);
        this.config = kernel.watch(FrameTopology.CONFIG, first);
        Mailbox<Ask<String, ReloadReport>> reloads = kernel.mailbox(Reloader.QUEUE, (ask, cause) -> {});
        this.reloader = new Reloader(reloads, loader, config, bus, clock, own);
        Mailbox<Span> spans = kernel.mailbox(Tracer.QUEUE, (span, cause) -> {});
        this.tracer = new Tracer(spans, clock, own, () -> settings.collector().isPresent());
        this.heartbeat = new Heartbeat(clock, build.built());
        this.readiness = new Readiness(clock);
        readiness.require("config_loaded", Need.READ).met();
        readiness.require("bus_attached", Need.READ).met();
        readiness.requireLive(this::drainKey);
        readiness.requireLive(loops::keys);
        kernel.spawn(Reloader.TASK, reloader::run);
        kernel.spawn(
                SpanExporter.TASK,
                new SpanExporter(spans, settings.collector().orElse((body, deadline) -> {}), instanceId, own)::run);
    }

    /** Brings up what every process has; the loader is asked again at every reload. */
    public static Frame open(
            FrameSettings settings, Clock clock, Config first, Supplier<ConfigResult> loader, Logs logs) {
        Frame frame = new Frame(settings, clock, first, loader);
        frame.run(logs);
        return frame;
    }

    private void run(Logs logs) {
        kernel.attach(shutdown);
        shutdown.register(new Announcement(this));
        Mailbox<LogLine> lines = kernel.mailbox(Logs.QUEUE, (line, cause) -> {});
        logs.attach(lines);
        kernel.spawn(Logs.WRITER, logs::write);
        kernel.spawn(FrameTopology.HEALTH, this::watchHealth);
        reloader.subscribe(new LogLevel(logs));
        KernelMetrics.bind(own, kernel);
        KernelMetrics.bindProcess(own);
        JvmMetrics.bind(own, started);
        FrameMetrics.bind(own, this);
        own.gauges("event_loop_lag_seconds", "How late an event loop is.", "loop", loops::lagSeconds);
    }

    /** Starts services in order; when one cannot start, everything is stopped and its failure is thrown. */
    public void start(List<? extends RonService> inOrder) throws Exception {
        for (RonService service : inOrder) {
            try {
                start(service);
            } catch (Exception e) {
                shutdown.request("start", service.name() + " cannot start: " + e.getMessage());
                throw e;
            }
        }
        services.forEach(s -> s.context().readiness().sample());
        up = true;
    }

    private void start(RonService service) throws Exception {
        ServiceMetrics its = metrics.service(service.name(), service.metricPrefix());
        Kernel parts = new Kernel(service.topology(), clock, its, settings.restarts(), this::crashed);
        Readiness ready = new Readiness(clock);
        ready.requireLive(new TaskKeys(parts));
        ServiceContext context = new ServiceContext(
                parts,
                its,
                ready,
                new ServiceContext.Shared(config.watch(), reloader, bus, tracer, shutdown, this::probes));
        parts.attach(shutdown);
        KernelMetrics.bind(its, parts);
        Key startedKey = ready.require("started", Need.READ);
        RunningService running = new RunningService(service, context, readiness);
        services.add(running);
        FrameMetrics.bindReadiness(its, running::ready);
        service.start(context);
        if (!parts.missing().isEmpty()) {
            throw new IllegalStateException(service.name() + " declares but does not make " + parts.missing());
        }
        startedKey.met();
    }

    private void crashed(Crash crash) {
        bus.publish(new BusEvent.ServiceCrashed(crash.service(), crash.quarantined() ? "quarantined" : crash.reason()));
    }

    private void watchHealth(TaskScope scope) {
        Map<String, Boolean> before = new LinkedHashMap<>();
        do {
            heartbeat.beat();
            readiness.sample();
            for (RunningService s : services) {
                s.context().readiness().sample();
                boolean ok = s.ready().ready();
                if (!Boolean.valueOf(ok).equals(before.put(s.name(), ok))) {
                    bus.publish(new BusEvent.Health(s.name(), ok));
                }
            }
        } while (scope.sleep(BEAT));
    }

    /** Has loops be watched: a stuck one makes the process unready. */
    public void watch(EventLoops group) {
        loops.add(group);
    }

    private List<KeyState> drainKey() {
        String cause = shutdown.running() ? drained.get() : "the process is stopping";
        return cause.isEmpty() ? List.of() : List.of(new KeyState("draining", Need.READ, false, cause));
    }

    /** Turns unready, so that balancers stop sending, and goes on serving what comes; {@link #resume} takes it back. */
    public void drain(String by) {
        drained.set("drained by " + by);
    }

    /** Takes a drain back and lifts every quarantine; returns how many tasks start again. */
    public int resume() {
        drained.set("");
        int lifted = 0;
        for (RunningService s : services) {
            for (Task task : s.kernel().supervisor().tasks()) {
                if (task.state() == TaskState.QUARANTINED) {
                    task.resume();
                    lifted++;
                }
            }
        }
        return lifted;
    }

    /** What the whole process can do: ready where every service is, and none is still to come. */
    public ReadyView ready() {
        return up ? present() : present().and(STARTING);
    }

    private ReadyView present() {
        if (services.size() == 1) {
            return services.getFirst().ready();
        }
        Map<String, ReadyView> views = new LinkedHashMap<>();
        services.forEach(s -> views.put(s.name(), s.ownKeys()));
        return ReadyView.combined(readiness.view(), views);
    }

    /** What one service can do. */
    public ReadyView ready(String service) {
        return running(service).ready();
    }

    private RunningService running(String service) {
        return services.stream()
                .filter(s -> s.name().equals(service))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no service " + service + " runs here"));
    }

    /** The probes of the whole process. */
    public Probes probes() {
        return probes(this::ready, own);
    }

    /** The probes of one service, for its own port. */
    public Probes probes(String service) {
        RunningService running = running(service);
        return probes(running::ready, running.context().metrics());
    }

    private Probes probes(Supplier<ReadyView> view, ServiceMetrics meter) {
        return new Probes(heartbeat, this::phase, () -> current().version(), view, meter);
    }

    /** One word: starting, running, draining, aborting or stopped. */
    public String phase() {
        Phase phase = shutdown.phase().value();
        return phase == Phase.RUNNING && !up ? "starting" : phase.name().toLowerCase(Locale.ROOT);
    }

    /** Waits until the process has stopped. */
    public Shutdown.Report awaitStopped(Deadline deadline) {
        return shutdown.awaitStopped(deadline)
                .orElseThrow(() -> new IllegalStateException("not stopped before the deadline"));
    }

    private final class LogLevel implements ConfigSubscriber {
        private final Logs logs;

        LogLevel(Logs logs) {
            this.logs = logs;
            logs.level(settings.logLevel().apply(current()));
        }

        @Override
        public String name() {
            return "log";
        }

        @Override
        public Change prepare(Config next, List<ConfigChange> changes) {
            String before = settings.logLevel().apply(current());
            String after = settings.logLevel().apply(next);
            return Change.of(() -> logs.level(after), () -> logs.level(before));
        }
    }

    public Config current() {
        return config.watch().value();
    }

    public Shutdown shutdown() {
        return shutdown;
    }

    public Reloader reloader() {
        return reloader;
    }

    public Metrics metrics() {
        return metrics;
    }

    public ServiceMetrics ownMetrics() {
        return own;
    }

    public Readiness readiness() {
        return readiness;
    }

    public Heartbeat heartbeat() {
        return heartbeat;
    }

    public Bus bus() {
        return bus;
    }

    public Clock clock() {
        return clock;
    }

    public FrameSettings settings() {
        return settings;
    }

    public BuildInfo build() {
        return build;
    }

    /** Method and template of each route of each service. */
    public Map<String, List<String>> routes() {
        Map<String, List<String>> all = new LinkedHashMap<>();
        services.forEach(s -> all.put(s.name(), s.context().routes()));
        return all;
    }

    public List<String> serviceNames() {
        return services.stream().map(RunningService::name).toList();
    }

    /** What {@code /version} shows: the mode of the service that signs, {@code off} where none does. */
    public String pqMode() {
        return services.stream()
                .flatMap(running -> running.service().pqMode().stream())
                .findFirst()
                .orElse("off");
    }

    List<RunningService> services() {
        return services;
    }

    Kernel kernel() {
        return kernel;
    }

    public String instanceId() {
        return instanceId;
    }

    Instant startedAt() {
        return started;
    }
}
