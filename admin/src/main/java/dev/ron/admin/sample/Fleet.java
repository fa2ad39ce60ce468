package dev.ron.admin.sample;

import dev.ron.admin.AdminConfig;
import dev.ron.admin.AdminMetrics;
import dev.ron.admin.series.NodeSeries;
import dev.ron.admin.series.SeriesLimits;
import dev.ron.kernel.channel.Broadcast;
import dev.ron.kernel.sync.Guarded;
import dev.ron.kernel.sync.Permits;
import dev.ron.kernel.sync.Snapshot;
import dev.ron.kernel.task.TaskKind;
import dev.ron.kernel.time.Clock;
import dev.ron.kernel.topology.LockSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The watched nodes, each with its sampler.
 *
 * <p>One task changes it, when the configuration changes; readers get the whole map as it was at one moment. A node whose
 * configuration did not change keeps its sampler and its ring.
 */
public final class Fleet {
    private final Guarded<State> state;
    private final Snapshot<SortedMap<String, NodeRuntime>> nodes =
            new Snapshot<>(Collections.unmodifiableSortedMap(new TreeMap<>()));
    private final Sampler.Parts parts;
    private final TaskKind samplers;
    private final LockSpec ringLock;
    private final Function<AdminConfig, Optional<NodeTarget>> self;

    /** What only the config task changes. */
    public static final class State {
        private SortedMap<String, NodeRuntime> current = new TreeMap<>();
        private Duration interval = Duration.ZERO;
        private Duration window = Duration.ZERO;
    }

    /** A change of the fleet. */
    public record Difference(List<NodeRuntime> started, List<NodeRuntime> stopped) {}

    /** What all samplers share. */
    public static Sampler.Parts parts(
            NodeCaller caller,
            Clock clock,
            Supplier<AdminConfig> config,
            Permits concurrent,
            Broadcast<FleetEvent> events,
            AdminMetrics metrics) {
        return new Sampler.Parts(caller, clock, config, concurrent, events, metrics);
    }

    /** Takes its lock from the caller, who declares it. */
    public static Fleet of(
            Function<State, Guarded<State>> lock,
            Sampler.Parts parts,
            TaskKind samplers,
            LockSpec ringLock,
            Function<AdminConfig, Optional<NodeTarget>> self) {
        return new Fleet(lock.apply(new State()), parts, samplers, ringLock, self);
    }

    private Fleet(
            Guarded<State> state,
            Sampler.Parts parts,
            TaskKind samplers,
            LockSpec ringLock,
            Function<AdminConfig, Optional<NodeTarget>> self) {
        this.state = state;
        this.parts = parts;
        this.samplers = samplers;
        this.ringLock = ringLock;
        this.self = self;
    }

    /** Brings the fleet to a configuration: starts what is new, stops what is gone, leaves the rest alone. */
    public Difference apply(AdminConfig config) {
        Difference difference = state.with(s -> replace(s, config));
        // Outside the lock: starting a thread may wait.
        difference.stopped().forEach(NodeRuntime::stop);
        difference.started().forEach(node -> node.runsOn(samplers.spawn(new Sampler(node, parts)::run)));
        List<String> gone = difference.stopped().stream()
                .map(NodeRuntime::id)
                .filter(id -> !nodes.get().containsKey(id))
                .toList();
        if (!gone.isEmpty()) {
            parts.events().publish(new FleetEvent.Gone(gone));
        }
        return difference;
    }

    private Difference replace(State s, AdminConfig config) {
        Map<String, NodeTarget> wanted = targets(config);
        boolean resized = !s.interval.equals(config.polling().metricsInterval())
                || !s.window.equals(config.polling().metricsWindow());
        List<NodeRuntime> started = new ArrayList<>();
        List<NodeRuntime> stopped = new ArrayList<>();
        SortedMap<String, NodeRuntime> next = new TreeMap<>();
        wanted.forEach((id, target) -> {
            NodeRuntime known = s.current.get(id);
            if (known != null && known.target().equals(target) && !resized) {
                next.put(id, known);
            } else {
                NodeRuntime fresh = new NodeRuntime(target, ring(config, target));
                next.put(id, fresh);
                started.add(fresh);
            }
        });
        s.current.forEach((id, node) -> {
            if (next.get(id) != node) {
                stopped.add(node);
            }
        });
        s.current = next;
        s.interval = config.polling().metricsInterval();
        s.window = config.polling().metricsWindow();
        nodes.publish(Collections.unmodifiableSortedMap(next));
        return new Difference(started, stopped);
    }

    private Guarded<NodeSeries> ring(AdminConfig config, NodeTarget target) {
        Duration interval = target.interval().isZero() ? config.polling().metricsInterval() : target.interval();
        AdminConfig.MetricsLimits limits = config.metrics();
        return new Guarded<>(
                ringLock,
                new NodeSeries(new SeriesLimits(
                        config.polling().slots(interval),
                        limits.maxSeries(),
                        limits.maxHistograms(),
                        limits.maxFacets())));
    }

    private Map<String, NodeTarget> targets(AdminConfig config) {
        Map<String, NodeTarget> all = new TreeMap<>();
        config.nodes().forEach((id, node) -> all.put(id, NodeTarget.of(id, node, config.polling())));
        if (config.watchSelf()) {
            self.apply(config).ifPresent(node -> all.put(node.id(), node));
        }
        return all;
    }

    public Collection<NodeRuntime> all() {
        return nodes.get().values();
    }

    public Optional<NodeRuntime> node(String id) {
        return Optional.ofNullable(nodes.get().get(id));
    }

    public int size() {
        return nodes.get().size();
    }

    /** Samplers that run. */
    public int alive() {
        return (int) all().stream().filter(NodeRuntime::alive).count();
    }

    /** Has a node's sampler ask at once. */
    public void wake(String id) {
        node(id).ifPresent(NodeRuntime::wake);
    }

    public Broadcast<FleetEvent> events() {
        return parts.events();
    }
}
