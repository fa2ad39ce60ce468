package dev.ron.kernel.task;

/** Where a task stands. */
public enum TaskState {
    STARTING,
    RUNNING,
    /** It failed and waits to be started again. */
    BACKOFF,
    /** It failed too often; only {@link Task#resume} starts it again. */
    QUARANTINED,
    /** It was asked to end and has not ended yet. */
    STOPPING,
    STOPPED
}
