package dev.ron.kernel.task;

import dev.ron.kernel.time.Clock;
import dev.ron.kernel.time.Deadline;
import java.time.Duration;

/** What a running task may ask of the kernel. */
public interface TaskScope {

    /** True once the task should end by itself. */
    boolean stopping();

    /** Waits; returns at once, and false, when the task should end. */
    boolean sleep(Duration duration);

    /** Waits until the task should end or the deadline has passed; true when it should end. */
    boolean awaitStop(Deadline deadline);

    /**
     * A deadline that comes when the task should end: for waiting on a source that outlives the task, such as a watch or
     * a broadcast. A mailbox is closed in the stage of its receivers and needs none.
     */
    Deadline untilStop();

    /** Closes the resource when the body ends, and also to break a wait when the task is aborted. */
    <C extends AutoCloseable> C own(C resource);

    Clock clock();

    String name();
}
