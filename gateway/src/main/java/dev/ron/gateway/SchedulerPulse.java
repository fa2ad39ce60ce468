package dev.ron.gateway;

import dev.ron.gateway.upstream.Yard;
import dev.ron.kernel.task.TaskScope;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The scheduler's task: has every arbiter look at the clock. Who waits is served without it; only expiry needs it. */
final class SchedulerPulse {
    private static final Duration TICK = Duration.ofMillis(10);

    private final Yard yard;
    private volatile @Nullable Thread runner;

    SchedulerPulse(Yard yard) {
        this.yard = yard;
    }

    void run(TaskScope scope) {
        runner = Thread.currentThread();
        while (scope.sleep(TICK)) {
            yard.tick();
        }
    }

    /** Ends the task as a defect would; for chaos. */
    void kill() {
        Thread running = runner;
        if (running != null) {
            running.interrupt();
        }
    }
}
