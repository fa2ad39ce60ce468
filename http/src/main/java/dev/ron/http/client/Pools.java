package dev.ron.http.client;

import dev.ron.kernel.sync.Permits;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/** The pools of all targets: one is there while somebody uses it or it holds a connection, and no longer. */
final class Pools {
    private final ClientOptions options;
    private final Permits targets;
    private final ConcurrentMap<Target, Used> pools = new ConcurrentHashMap<>();

    /** A pool and how many calls use it; changed only inside the map's atomic steps, so none is lost. */
    private record Used(Pool pool, int users) {}

    Pools(ClientOptions options) {
        this.options = options;
        this.targets = new Permits("targets", options.maxTargets());
    }

    Pool enter(Target target) {
        return pools.compute(
                        target,
                        (key, used) -> used == null ? new Used(create(key), 1) : new Used(used.pool, used.users + 1))
                .pool;
    }

    private Pool create(Target target) {
        if (!targets.tryAcquire()) {
            throw Failures.tooManyTargets(options.maxTargets());
        }
        return new Pool(target, options, this::sweep);
    }

    void leave(Pool pool) {
        settle(pool, 1);
    }

    private void sweep(Pool pool) {
        settle(pool, 0);
    }

    private void settle(Pool pool, int leaving) {
        pools.computeIfPresent(pool.target(), (_, used) -> {
            int users = used.users - leaving;
            if (users == 0 && !used.pool.hasIdle()) {
                targets.release();
                return null;
            }
            return new Used(used.pool, users);
        });
    }

    int size() {
        return pools.size();
    }

    void close() {
        pools.values().forEach(used -> used.pool.close());
    }
}
