package dev.ron.edge.serve;

import static org.assertj.core.api.Assertions.assertThat;

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
    // a file that was replaced | its last caller leaves  ->  closed on the pool; by the caller where the pool has ended
    @Test
    void theLastHoldOnAFileEndsOnThePool() throws Exception {
        Supervisor supervisor = new Supervisor("edge", Clock.system(), Meter.none(), Backoff.Policy.DEFAULT, _ -> {});
        Lane lane = new Lane(Topology.lane("files", 1, 4), supervisor, Meter.none());
        Cold cold = new Cold(lane, new Permits("inflight", 1));
        CompletableFuture<Thread> first = new CompletableFuture<>();
        cold.closing(() -> first.complete(Thread.currentThread())).close();
        assertThat(first.get(30, TimeUnit.SECONDS)).isNotSameAs(Thread.currentThread());
        supervisor.stop(Stage.WATCHERS);
        lane.close();
        assertThat(supervisor.join(Stage.WATCHERS, Deadline.after(Clock.system(), Duration.ofMinutes(1))))
                .isTrue();
        CompletableFuture<Thread> second = new CompletableFuture<>();
        cold.closing(() -> second.complete(Thread.currentThread())).close();
        assertThat(second).isCompletedWithValue(Thread.currentThread());
    }
}
