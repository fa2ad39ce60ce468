package dev.ron.registry;

import dev.ron.kernel.task.Drainable;
import dev.ron.kernel.time.Clock;
import dev.ron.kernel.time.Deadline;
import dev.ron.kernel.topology.Stage;
import dev.ron.registry.commit.Queues;
import java.time.Duration;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * What becomes of writes when the service stops: the committer gets {@code registry.drain_deadline} for what waits, then
 * everyone who still waits is answered, while there is still time to answer.
 *
 * @param answered waits until no request is in hand; false when the deadline passes first
 */
record LastCall(Queues queues, Predicate<Deadline> answered, Supplier<Duration> limit, Clock clock)
        implements Drainable {
    /** The part of the common deadline that is left to the answers. */
    private static final double SHARE = 0.8;

    @Override
    public String name() {
        return "registry/queues";
    }

    @Override
    public Stage stage() {
        return Stage.WORK;
    }

    @Override
    public boolean drain(Deadline deadline) {
        Duration share = Duration.ofNanos((long) (SHARE * Math.max(0, deadline.remainingNanos())));
        Duration own = limit.get();
        if (!answered.test(Deadline.after(clock, own.compareTo(share) < 0 ? own : share))) {
            queues.refuse();
        }
        return true;
    }

    @Override
    public int abort() {
        return 0;
    }
}
