package dev.ron.kernel.task;

import dev.ron.kernel.meter.Meter;
import dev.ron.kernel.time.Clock;
import dev.ron.kernel.topology.TaskSpec;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** Starts the tasks of one kind; its counters are resolved once, so a task per request is cheap. */
public final class TaskKind {
    private final TaskSpec spec;
    private final Supervisor supervisor;
    private final String prefix;
    private final boolean numbered;
    private final AtomicLong numbers = new AtomicLong();
    private final AtomicInteger live = new AtomicInteger();
    private final Meter.Count spawned;
    private final Meter.Count completed;
    private final Meter.Count canceled;
    private final Meter.Count aborted;
    private final Meter.Count panicked;
    private final Meter.Count leaked;
    private final Meter.Count restarted;

    TaskKind(TaskSpec spec, Supervisor supervisor, Meter meter) {
        this.spec = spec;
        this.supervisor = supervisor;
        this.prefix = supervisor.service() + "/";
        this.numbered = !"1".equals(spec.instances());
        this.spawned = meter.counter("tasks_spawned_total", "kind", spec.name());
        this.completed = meter.counter("tasks_completed_total", "kind", spec.name());
        this.canceled = meter.counter("tasks_canceled_total", "kind", spec.name());
        this.aborted = meter.counter("tasks_aborted_total", "kind", spec.name());
        this.panicked = meter.counter("tasks_panicked_total", "kind", spec.name());
        this.leaked = meter.counter("tasks_leaked_total", "kind", spec.name());
        this.restarted = meter.counter("service_restarts_total", "component", spec.name());
    }

    /** Starts a task; a kind that may have several instances gets numbered names. */
    public Task spawn(TaskBody body) {
        Task task = new Task(this, numbered ? spec.name() + "-" + numbers.incrementAndGet() : spec.name(), body);
        spawned.increment();
        live.incrementAndGet();
        supervisor.started(task);
        task.start();
        return task;
    }

    Thread thread(String name, Runnable life) {
        Thread.Builder builder = spec.runner() == TaskSpec.Runner.VIRTUAL
                ? Thread.ofVirtual()
                : Thread.ofPlatform().daemon(true);
        return builder.name(prefix + name).unstarted(life);
    }

    void completed() {
        completed.increment();
    }

    void canceled() {
        canceled.increment();
    }

    void aborted() {
        aborted.increment();
    }

    void leaked() {
        leaked.increment();
    }

    void restarted() {
        restarted.increment();
    }

    void crashed(Task task, String reason, boolean quarantined) {
        panicked.increment();
        supervisor.crashed(task, reason, quarantined);
    }

    void fatal(Task task, Throwable failure) {
        supervisor.fatal(task, failure);
    }

    void ended(Task task) {
        live.decrementAndGet();
        supervisor.ended(task);
    }

    boolean draining() {
        return supervisor.draining();
    }

    Backoff.Policy policy() {
        return supervisor.policy();
    }

    Clock clock() {
        return supervisor.clock();
    }

    public TaskSpec spec() {
        return spec;
    }

    /** How many tasks of this kind live now. */
    public int live() {
        return live.get();
    }
}
