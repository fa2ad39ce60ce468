package dev.ron.admin.sample;

import dev.ron.admin.series.Digest;
import dev.ron.admin.series.Glance;
import dev.ron.admin.series.NodeSeries;
import dev.ron.admin.series.Numbers;
import dev.ron.kernel.channel.Watch;
import dev.ron.kernel.sync.Guarded;
import dev.ron.kernel.sync.Snapshot;
import dev.ron.kernel.task.Task;
import org.jspecify.annotations.Nullable;

/** A watched node and what is known of it: its sampler writes, everybody reads snapshots. */
public final class NodeRuntime {
    private final NodeTarget target;
    private final Guarded<NodeSeries> ring;
    private final Snapshot<Observed> observed = new Snapshot<>(Observed.NOTHING);
    private final Snapshot<Measured> measured;
    private final Watch.Writer<Long> wake = Watch.of(0L);
    private volatile @Nullable Task sampler;

    NodeRuntime(NodeTarget target, Guarded<NodeSeries> ring) {
        this.target = target;
        this.ring = ring;
        this.measured = new Snapshot<>(new Measured(0, null, 0, Glance.NOTHING, null, target.interval()));
    }

    public NodeTarget target() {
        return target;
    }

    public String id() {
        return target.id();
    }

    public Observed observed() {
        return observed.get();
    }

    public Measured measured() {
        return measured.get();
    }

    /** All that the ring says now. */
    public Numbers numbers() {
        return ring.with((NodeSeries series) -> Digest.of(target.id(), series));
    }

    /** The ring; read only inside the lock. */
    public Guarded<NodeSeries> ring() {
        return ring;
    }

    void publish(Observed next) {
        observed.publish(next);
    }

    void publish(Measured next) {
        measured.publish(next);
    }

    Watch<Long> wakes() {
        return wake.watch();
    }

    /** Has the sampler ask at once. */
    void wake() {
        wake.set(wake.watch().value() + 1);
    }

    void runsOn(Task task) {
        sampler = task;
    }

    boolean alive() {
        Task task = sampler;
        return task != null && task.state() == dev.ron.kernel.task.TaskState.RUNNING;
    }

    void stop() {
        Task task = sampler;
        if (task != null) {
            task.stop();
        }
    }
}
