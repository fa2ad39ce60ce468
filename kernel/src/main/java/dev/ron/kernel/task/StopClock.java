package dev.ron.kernel.task;

import dev.ron.kernel.time.Clock;
import dev.ron.kernel.time.Deadline;
import java.time.Instant;

/** A task's clock on which every moment has come once the task should end; stopping the task wakes who parks on it. */
final class StopClock implements Clock {
    private final Task task;
    private final Clock clock;

    StopClock(Task task, Clock clock) {
        this.task = task;
        this.clock = clock;
    }

    /** Comes only with the end of time, which is when the task should end. */
    Deadline deadline() {
        return new Deadline(Long.MAX_VALUE - 1, this);
    }

    @Override
    public long nanos() {
        return task.stopping() ? Long.MAX_VALUE : clock.nanos();
    }

    @Override
    public Instant now() {
        return clock.now();
    }

    @Override
    public void park(Object blocker, long untilNanos) {
        clock.park(blocker, untilNanos >= Long.MAX_VALUE - 1 ? Long.MAX_VALUE : untilNanos);
    }
}
