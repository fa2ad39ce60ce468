package dev.ron.kernel.task;

/** Where a process is in its life. */
public enum Phase {
    RUNNING,
    DRAINING,
    ABORTING,
    STOPPED
}
