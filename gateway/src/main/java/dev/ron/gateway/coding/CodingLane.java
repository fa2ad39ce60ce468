package dev.ron.gateway.coding;

import dev.ron.kernel.call.Reply;
import dev.ron.kernel.sync.Permits;
import dev.ron.kernel.task.Lane;
import io.netty.channel.EventLoop;
import java.util.concurrent.Callable;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;

/**
 * Where bytes are compressed and decompressed: off the event loops, in steps of one piece.
 *
 * <p>A body in hand has a permit and at most one step on its way, and there are no more permits than places in the lane:
 * so a step always finds a place, and the memory of all coders is bounded.
 */
public final class CodingLane {
    private final Lane lane;
    private final Permits bodies;

    public CodingLane(Lane lane) {
        this.lane = lane;
        this.bodies = new Permits("coded bodies", lane.spec().capacity());
    }

    boolean tryEnter() {
        return bodies.tryAcquire();
    }

    void leave() {
        bodies.release();
    }

    /** Runs a step and tells of its outcome on the loop; on the lane's own thread where that loop has ended. */
    <R> void step(Callable<R> job, EventLoop loop, Consumer<Reply.Outcome<R>> then) {
        lane.submit(job).whenAnswered(outcome -> {
            try {
                loop.execute(() -> then.accept(outcome));
            } catch (RejectedExecutionException _) {
                then.accept(outcome);
            }
        });
    }
}
