package dev.ron.gateway;

import dev.ron.gateway.upstream.Yard;
import dev.ron.kernel.task.Drainable;
import dev.ron.kernel.time.Deadline;
import dev.ron.kernel.topology.Stage;

/** Answers who still waits for a turn when the process stops; what runs goes on. */
final class QueuesDrain implements Drainable {
    private final Yard yard;

    QueuesDrain(Yard yard) {
        this.yard = yard;
    }

    @Override
    public String name() {
        return "gateway queues";
    }

    @Override
    public Stage stage() {
        return Stage.WORK;
    }

    @Override
    public boolean drain(Deadline deadline) {
        yard.drain();
        return true;
    }

    @Override
    public int abort() {
        return 0;
    }
}
