package dev.ron.edge.serve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.edge.mount.Lease;
import dev.ron.edge.mount.Mounts;
import dev.ron.edge.pack.Pack;
import dev.ron.edge.range.EntityTag;
import dev.ron.kernel.meter.Meter;
import dev.ron.kernel.sync.Permits;
import dev.ron.kernel.task.Backoff;
import dev.ron.kernel.task.Lane;
import dev.ron.kernel.task.Supervisor;
import dev.ron.kernel.testkit.NoLeaks;
import dev.ron.kernel.time.Clock;
import dev.ron.kernel.time.Deadline;
import dev.ron.kernel.topology.Stage;
import dev.ron.kernel.topology.Topology;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** What may wait for a disk happens on the pool. */
@Timeout(60)
@ExtendWith(NoLeaks.class)
class ColdTest {
    /** A pack that tells which thread has closed it. */
    private static Pack pack(CompletableFuture<Thread> closedBy) {
        return (Pack) Proxy.newProxyInstance(
                Pack.class.getClassLoader(),
                new Class<?>[] {Pack.class},
                (self, method, args) -> switch (method.getName()) {
                    case "tag" -> EntityTag.strong("pack:0123456789abcdef");
                    case "close" -> {
                        closedBy.complete(Thread.currentThread());
                        yield null;
                    }
                    default -> throw new AssertionError("nobody asks for " + method);
                });
    }

    private static Lease last(Mounts mounts, CompletableFuture<Thread> closedBy) {
        mounts.mount("world", pack(closedBy));
        Lease lease = mounts.lease("world").orElseThrow();
        mounts.unmount("world");
        return lease;
    }

    // a pack that was replaced | its last caller leaves  ->  closed on the pool; by the caller where the pool has ended
    @Test
    void theLastHoldOnAPackEndsOnThePool() throws Exception {
        Supervisor supervisor = new Supervisor("edge", Clock.system(), Meter.none(), Backoff.Policy.DEFAULT, _ -> {});
        Lane lane = new Lane(Topology.lane("files", 1, 4), supervisor, Meter.none());
        Cold cold = new Cold(lane, new Permits("inflight", 1));
        Mounts mounts = new Mounts();
        CompletableFuture<Thread> first = new CompletableFuture<>();
        cold.close(last(mounts, first));
        assertThat(first.get(30, TimeUnit.SECONDS)).isNotSameAs(Thread.currentThread());
        supervisor.stop(Stage.WATCHERS);
        lane.close();
        assertThat(supervisor.join(Stage.WATCHERS, Deadline.after(Clock.system(), Duration.ofMinutes(1))))
                .isTrue();
        CompletableFuture<Thread> second = new CompletableFuture<>();
        cold.close(last(mounts, second));
        assertThat(second).isCompletedWithValue(Thread.currentThread());
    }
}
