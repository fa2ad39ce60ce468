package dev.ron.edge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.edge.fill.FillEvent;
import dev.ron.kernel.Kernel;
import dev.ron.kernel.channel.Broadcast;
import dev.ron.kernel.task.Backoff;
import dev.ron.kernel.task.Shutdown;
import dev.ron.kernel.testkit.Eventually;
import dev.ron.kernel.testkit.RecordingMeter;
import dev.ron.kernel.time.Clock;
import dev.ron.kernel.time.Deadline;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The reader of the events of fills. */
@Timeout(60)
class EventLogTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    // a log that takes no line for a while | more events than the ring holds  ->  nobody waits for it, what it missed
    // is counted and told, and it goes on with what is left
    @Test
    void aStalledLogMissesEventsAndSaysHowMany() {
        int capacity = EdgeTopology.EVENTS.capacity();
        assertThat(capacity).isEqualTo(1024);
        RecordingMeter meter = new RecordingMeter();
        Kernel kernel = new Kernel(EdgeTopology.TOPOLOGY, Clock.system(), meter, Backoff.Policy.DEFAULT, crash -> {});
        Broadcast<FillEvent> events = kernel.broadcast(EdgeTopology.EVENTS);
        CountDownLatch stalled = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        try (AuditLines audit = new AuditLines(() -> {
            stalled.countDown();
            await(release);
        })) {
            kernel.spawn(EdgeTopology.EVENT_LOG, new EventLog(events)::run);
            Eventually.await("it listens", () -> events.subscribers() == 1);
            events.publish(new FillEvent.Brought("first", "00", 1));
            await(stalled);
            for (int i = 0; i < capacity + 5; i++) {
                events.publish(new FillEvent.Refused("key" + i, "upstream", "no"));
            }
            release.countDown();
            Eventually.await("it has caught up", () -> audit.lines().size() == capacity + 2);
            assertThat(audit.lines().get(0)).isEqualTo("fill first brought 1 bytes, b3 00");
            assertThat(audit.lines().get(1)).contains("missed=5");
            assertThat(audit.lines().get(2)).isEqualTo("fill key5 refused, upstream: no");
            assertThat(meter.count("bus_lagged_total", "consumer", "event-log")).isEqualTo(5);
        } finally {
            release.countDown();
            Shutdown shutdown = new Shutdown(Clock.system(), meter, () -> PATIENCE);
            kernel.attach(shutdown);
            shutdown.request("test", "over");
            shutdown.awaitStopped(Deadline.after(Clock.system(), PATIENCE));
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
