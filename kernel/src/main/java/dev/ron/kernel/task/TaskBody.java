package dev.ron.kernel.task;

/** What a task does from its start to its end; a body that runs for ever returns only when its scope is stopping. */
@FunctionalInterface
public interface TaskBody {
    void run(TaskScope scope) throws Exception;
}
