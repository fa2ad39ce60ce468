package dev.ron.node;

import dev.ron.http.loop.EventLoops;
import dev.ron.kernel.task.Drainable;
import dev.ron.kernel.time.Deadline;
import dev.ron.kernel.topology.Stage;
import java.time.Duration;

/** Ends the event loops of the byte path once no request and no writer can need them any more. */
record LoopsDrain(EventLoops loops, Stage stage) implements Drainable {

    LoopsDrain(EventLoops loops) {
        this(loops, Stage.PUBLISHERS);
    }

    @Override
    public String name() {
        return "loops/" + loops.name();
    }

    @Override
    public boolean drain(Deadline deadline) {
        return loops.stop(deadline);
    }

    @Override
    public int abort() {
        loops.stop(Deadline.after(loops.clock(), Duration.ZERO));
        return 0;
    }
}
