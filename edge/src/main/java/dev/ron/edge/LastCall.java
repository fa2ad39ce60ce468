package dev.ron.edge;

import dev.ron.edge.fill.FillParts;
import dev.ron.kernel.task.Drainable;
import dev.ron.kernel.time.Clock;
import dev.ron.kernel.time.Deadline;
import dev.ron.kernel.topology.Stage;
import java.time.Duration;
import java.util.function.Supplier;

/**
 * What becomes of fills when the service stops: those in flight get {@code edge.drain_deadline}, then everyone who still
 * waits is answered, while there is still time to answer.
 */
record LastCall(FillParts fill, Supplier<Duration> limit, Clock clock) implements Drainable {
    /** The part of the common deadline that is left to the answers. */
    private static final double SHARE = 0.8;

    @Override
    public String name() {
        return "edge/fills";
    }

    @Override
    public Stage stage() {
        return Stage.WORK;
    }

    @Override
    public boolean drain(Deadline deadline) {
        Duration share = Duration.ofNanos((long) (SHARE * Math.max(0, deadline.remainingNanos())));
        Duration own = limit.get();
        fill.end(Deadline.after(clock, own.compareTo(share) < 0 ? own : share));
        return true;
    }

    @Override
    public int abort() {
        return 0;
    }
}
