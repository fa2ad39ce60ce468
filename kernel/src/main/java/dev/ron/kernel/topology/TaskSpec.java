package dev.ron.kernel.topology;

/** A kind of supervised thread; its kind is the {@code kind} label of its metrics. */
public record TaskSpec(
        String name,
        Criticality criticality,
        Restart restart,
        Runner runner,
        Stage stage,
        String instances,
        String does)
        implements Part {

    /** How much the service misses the task when it is down. */
    public enum Criticality {
        CRITICAL,
        HIGH,
        MEDIUM,
        SUPPORTING
    }

    /** What the supervisor does when the body ends by itself. */
    public enum Restart {
        /** One run; a failure is counted. */
        NEVER,
        /** It is meant to run for ever: any end but a stop is a failure, and it is started again. */
        ON_FAILURE
    }

    /** The kind of thread. */
    public enum Runner {
        VIRTUAL,
        PLATFORM
    }

    public TaskSpec {
        Part.requireName(name);
    }

    public TaskSpec critical(Criticality level) {
        return new TaskSpec(name, level, restart, runner, stage, instances, does);
    }

    public TaskSpec restart(Restart policy) {
        return new TaskSpec(name, criticality, policy, runner, stage, instances, does);
    }

    public TaskSpec runner(Runner kind) {
        return new TaskSpec(name, criticality, restart, kind, stage, instances, does);
    }

    public TaskSpec stage(Stage when) {
        return new TaskSpec(name, criticality, restart, runner, when, instances, does);
    }

    /** How many run, in words: {@code 1}, {@code min(cores, 8)}, {@code one per request}. */
    public TaskSpec instances(String howMany) {
        return new TaskSpec(name, criticality, restart, runner, stage, howMany, does);
    }

    public TaskSpec does(String what) {
        return new TaskSpec(name, criticality, restart, runner, stage, instances, what);
    }
}
