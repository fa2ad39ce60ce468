package dev.ron.kernel.task;

import dev.ron.kernel.meter.Meter;
import dev.ron.kernel.time.Clock;
import dev.ron.kernel.time.Deadline;
import dev.ron.kernel.topology.Stage;
import dev.ron.kernel.topology.TaskSpec;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Starts every thread of one service, restarts what fails, and knows what lives. */
public final class Supervisor {
    private static final Logger LOG = LoggerFactory.getLogger(Supervisor.class);

    private final String service;
    private final Clock clock;
    private final Meter meter;
    private final Backoff.Policy policy;
    private final Consumer<Crash> onCrash;
    private final Set<Task> live = ConcurrentHashMap.newKeySet();
    private final Map<String, Counts> counts = new ConcurrentHashMap<>();
    private final AtomicInteger numbers = new AtomicInteger();

    private record Counts(
            Meter.Count spawned,
            Meter.Count completed,
            Meter.Count canceled,
            Meter.Count aborted,
            Meter.Count panicked,
            Meter.Count leaked,
            Meter.Count restarts,
            AtomicInteger live) {}

    public Supervisor(String service, Clock clock, Meter meter, Backoff.Policy policy, Consumer<Crash> onCrash) {
        this.service = service;
        this.clock = clock;
        this.meter = meter;
        this.policy = policy;
        this.onCrash = onCrash;
    }

    /** Starts a task; a kind that may have several instances gets numbered names. */
    public Task spawn(TaskSpec spec, TaskBody body) {
        String name = "1".equals(spec.instances()) ? spec.name() : spec.name() + "-" + numbers.incrementAndGet();
        Task task = new Task(spec, name, body, this, new Backoff(policy, clock, ThreadLocalRandom.current()));
        Counts kind = counts(spec);
        kind.spawned().increment();
        kind.live().incrementAndGet();
        live.add(task);
        task.start();
        return task;
    }

    /** Asks every task of a stage to end. */
    public void stop(Stage stage) {
        live.stream().filter(task -> task.spec().stage() == stage).forEach(Task::stop);
    }

    /** Waits for every task of a stage to end; false when the deadline passes first. */
    public boolean join(Stage stage, Deadline deadline) {
        boolean all = true;
        for (Task task : live) {
            if (task.spec().stage() == stage) {
                all &= task.join(deadline);
            }
        }
        return all;
    }

    /** Interrupts every task of a stage that still lives; returns how many. */
    public int abort(Stage stage) {
        int aborted = 0;
        for (Task task : live) {
            if (task.spec().stage() == stage) {
                if (!task.aborted()) {
                    counts(task.spec()).aborted().increment();
                    LOG.warn("aborting task {} in state {}", task.name(), task.state());
                }
                task.abort();
                aborted++;
            }
        }
        return aborted;
    }

    /** Counts the tasks that ignored both the signal and the interrupt; they end with the process. */
    public int leaked() {
        for (Task task : live) {
            counts(task.spec()).leaked().increment();
            LOG.error("leaked task {}: {}", task.name(), List.of(task.thread().getStackTrace()));
        }
        return live.size();
    }

    public List<Task> tasks() {
        return live.stream().sorted((a, b) -> a.name().compareTo(b.name())).toList();
    }

    /** How many tasks of each kind live now. */
    public Map<String, Integer> liveByKind() {
        Map<String, Integer> result = new ConcurrentHashMap<>();
        counts.forEach((kind, count) -> result.put(kind, count.live().get()));
        return result;
    }

    String service() {
        return service;
    }

    Clock clock() {
        return clock;
    }

    void completed(Task task) {
        counts(task.spec()).completed().increment();
    }

    void canceled(Task task) {
        counts(task.spec()).canceled().increment();
    }

    void crashed(Task task, String reason, boolean quarantined) {
        counts(task.spec()).panicked().increment();
        onCrash.accept(new Crash(service, task.name(), reason, quarantined));
    }

    void restarted(Task task) {
        counts(task.spec()).restarts().increment();
    }

    void ended(Task task) {
        counts(task.spec()).live().decrementAndGet();
        live.remove(task);
    }

    /** The VM itself is broken; nothing in this process can be trusted any more. */
    void fatal(Task task, Throwable failure) {
        LOG.error("fatal error in task {}", task.name(), failure);
        Runtime.getRuntime().halt(70);
    }

    private Counts counts(TaskSpec spec) {
        return counts.computeIfAbsent(
                spec.name(),
                kind -> new Counts(
                        meter.counter("tasks_spawned_total", "kind", kind),
                        meter.counter("tasks_completed_total", "kind", kind),
                        meter.counter("tasks_canceled_total", "kind", kind),
                        meter.counter("tasks_aborted_total", "kind", kind),
                        meter.counter("tasks_panicked_total", "kind", kind),
                        meter.counter("tasks_leaked_total", "kind", kind),
                        meter.counter("service_restarts_total", "component", kind),
                        new AtomicInteger()));
    }
}
