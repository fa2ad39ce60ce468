package dev.ron.kernel.task;

import dev.ron.kernel.meter.Meter;
import dev.ron.kernel.time.Clock;
import dev.ron.kernel.time.Deadline;
import dev.ron.kernel.topology.Stage;
import dev.ron.kernel.topology.TaskSpec;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.stream.Stream;
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
    private final Map<TaskSpec, TaskKind> kinds = new ConcurrentHashMap<>();
    private final Set<Stage> stopped = ConcurrentHashMap.newKeySet();
    private volatile boolean draining;

    public Supervisor(String service, Clock clock, Meter meter, Backoff.Policy policy, Consumer<Crash> onCrash) {
        this.service = service;
        this.clock = clock;
        this.meter = meter;
        this.policy = policy;
        this.onCrash = onCrash;
    }

    /** What starts tasks of this kind; keep it where many are started. */
    public TaskKind kind(TaskSpec spec) {
        return kinds.computeIfAbsent(spec, key -> new TaskKind(key, this, meter));
    }

    /** Starts one task. */
    public Task spawn(TaskSpec spec, TaskBody body) {
        return kind(spec).spawn(body);
    }

    // Known before its stage is looked up, and stop marks the stage before it looks for tasks: one of the two stops it.
    void started(Task task) {
        live.add(task);
        if (draining && stopped.contains(task.spec().stage())) {
            task.stop();
        }
    }

    /** The process is stopping: a body that returns has done what it should, also before its stage is asked to end. */
    public void drain() {
        draining = true;
    }

    boolean draining() {
        return draining;
    }

    /** Asks every task of a stage to end, and those that are still to come. */
    public void stop(Stage stage) {
        draining = true;
        stopped.add(stage);
        of(stage).forEach(Task::stop);
    }

    /** Waits for every task of a stage to end, also those that start meanwhile; false when the deadline passes first. */
    public boolean join(Stage stage, Deadline deadline) {
        for (List<Task> left = of(stage).toList();
                !left.isEmpty();
                left = of(stage).toList()) {
            for (Task task : left) {
                if (!task.join(deadline)) {
                    return false;
                }
            }
        }
        return true;
    }

    /** Interrupts every task of a stage that still lives; how many of them for the first time. */
    public int abort(Stage stage) {
        int aborted = 0;
        for (Task task : of(stage).toList()) {
            TaskState state = task.state();
            if (task.abort()) {
                aborted++;
                task.kind().aborted();
                LOG.warn("aborting task {} in state {}", task.name(), state);
            }
        }
        return aborted;
    }

    /** Counts the tasks of a stage that ignored both the signal and the interrupt; they end with the process. */
    public int leaked(Stage stage) {
        List<Task> left = of(stage).toList();
        for (Task task : left) {
            task.kind().leaked();
            LOG.error("leaked task {}: {}", task.name(), List.of(task.thread().getStackTrace()));
        }
        return left.size();
    }

    private Stream<Task> of(Stage stage) {
        return live.stream().filter(task -> task.spec().stage() == stage);
    }

    public List<Task> tasks() {
        return live.stream().sorted(Comparator.comparing(Task::name)).toList();
    }

    /** How many tasks of each kind live now. */
    public Map<String, Integer> liveByKind() {
        Map<String, Integer> result = new TreeMap<>();
        kinds.forEach((spec, kind) -> result.merge(spec.name(), kind.live(), Integer::sum));
        return result;
    }

    void crashed(Task task, String reason, boolean quarantined) {
        try {
            onCrash.accept(new Crash(service, task.name(), reason, quarantined));
        } catch (RuntimeException e) {
            LOG.error("could not report the failure of task {}", task.name(), e);
        }
    }

    void ended(Task task) {
        live.remove(task);
    }

    /** The VM itself is broken; nothing in this process can be trusted any more. */
    void fatal(Task task, Throwable failure) {
        try {
            LOG.error("fatal error in task {}", task.name(), failure);
        } finally {
            Runtime.getRuntime().halt(70);
        }
    }

    String service() {
        return service;
    }

    Clock clock() {
        return clock;
    }

    Backoff.Policy policy() {
        return policy;
    }
}
