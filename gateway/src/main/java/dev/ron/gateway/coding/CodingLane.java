package dev.ron.gateway.coding;

import dev.ron.gateway.arbiter.TenantKey;
import dev.ron.kernel.call.Reply;
import dev.ron.kernel.sync.Permits;
import dev.ron.kernel.task.Lane;
import io.netty.channel.EventLoop;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;

/**
 * Where bytes are compressed and decompressed: off the event loops, in steps of one piece.
 *
 * <p>A body in hand has a place and at most one step on its way, and there are no more places than the lane has room for:
 * so a step always finds room, and the memory of all coders is bounded. One tenant has at most an eighth of the places, so
 * that the others' steps do not wait long behind its own.
 */
public final class CodingLane {
    private static final int TENANT_PART = 8;

    private final Lane lane;
    private final Permits places;
    private final ConcurrentMap<TenantKey, Integer> held = new ConcurrentHashMap<>(); // no tenant without places

    public CodingLane(Lane lane) {
        this.lane = lane;
        this.places = new Permits("coded bodies", lane.spec().capacity());
    }

    /** A place for one body; empty when this tenant, or all together, have too many. */
    Optional<Place> enter(TenantKey tenant) {
        int most = lane.spec().capacity() / TENANT_PART;
        int own = held.merge(tenant, 1, Integer::sum);
        if (own <= most && places.tryAcquire()) {
            return Optional.of(new Place(tenant));
        }
        forget(tenant);
        return Optional.empty();
    }

    private void forget(TenantKey tenant) {
        held.computeIfPresent(tenant, (key, count) -> count == 1 ? null : count - 1);
    }

    /** What one body has here, until it leaves. */
    final class Place {
        private final TenantKey tenant;

        private Place(TenantKey tenant) {
            this.tenant = tenant;
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

        /** To be called once. */
        void leave() {
            places.release();
            forget(tenant);
        }
    }
}
