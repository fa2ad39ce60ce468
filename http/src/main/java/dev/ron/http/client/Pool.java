package dev.ron.http.client;

import dev.ron.kernel.sync.Permits;
import dev.ron.kernel.time.Deadline;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The connections to one target.
 *
 * <p>A connection is made only by a holder of a permit who found no idle one, and an idle one is put back before its
 * permit is. So connections, used and idle together, never exceed the permits.
 */
final class Pool {
    private final Target target;
    private final Permits permits;
    private final Duration idleLimit;
    private final Consumer<Pool> emptied; // told when the last idle connection is gone
    // The idle ones, oldest first: at most as many as permits. Null once closed.
    private final AtomicReference<@Nullable List<Connection>> idle = new AtomicReference<>(List.of());

    Pool(Target target, ClientOptions options, Consumer<Pool> emptied) {
        this.emptied = emptied;
        this.target = target;
        this.permits = new Permits("connections to " + target, options.maxPerTarget());
        this.idleLimit = options.idleLimit();
    }

    Target target() {
        return target;
    }

    Duration idleLimit() {
        return idleLimit;
    }

    boolean hasIdle() {
        List<Connection> now = idle.get();
        return now != null && !now.isEmpty();
    }

    /** Waits for the right to a connection. */
    Lease acquire(Deadline deadline) {
        if (!permits.acquire(deadline)) {
            throw Failures.noConnection(target, permits.limit());
        }
        return new Lease(permits);
    }

    /** The connection used last: the others may then grow old and be closed. */
    @Nullable
    Connection takeIdle(Lease lease) {
        while (true) {
            List<Connection> now = idle.get();
            if (now == null || now.isEmpty()) {
                return null;
            }
            List<Connection> rest = now.subList(0, now.size() - 1);
            if (idle.compareAndSet(now, List.copyOf(rest)) && now.getLast().take(lease)) {
                return now.getLast();
            }
        }
    }

    void putBack(Connection connection) {
        List<Connection> before = idle.getAndUpdate(now -> now == null ? null : with(now, connection));
        if (before == null) {
            connection.abort();
        }
    }

    void forget(Connection connection) {
        List<Connection> left = idle.updateAndGet(now -> now == null ? null : without(now, connection));
        if (left == null || left.isEmpty()) {
            emptied.accept(this);
        }
    }

    /** Closes the idle ones and waits for that: where one was stale the others are too. */
    void dropIdle(Deadline deadline) {
        List<Connection> now = idle.get();
        for (Connection connection : now == null ? List.<Connection>of() : now) {
            if (connection.closeIfIdle()) {
                connection.awaitClosed(deadline);
            }
        }
    }

    /** Closes the idle ones, and from now on every one that comes back. */
    void close() {
        List<Connection> last = idle.getAndSet(null);
        if (last != null) {
            last.forEach(Connection::abort);
        }
    }

    private static List<Connection> with(List<Connection> list, Connection one) {
        List<Connection> copy = new ArrayList<>(list);
        copy.add(one);
        return List.copyOf(copy);
    }

    private static List<Connection> without(List<Connection> list, Connection one) {
        return list.stream().filter(other -> !other.equals(one)).toList();
    }
}
