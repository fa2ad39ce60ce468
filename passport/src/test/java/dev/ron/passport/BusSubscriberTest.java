package dev.ron.passport;

import dev.ron.kernel.Kernel;
import dev.ron.kernel.channel.Broadcast;
import dev.ron.kernel.channel.Watch;
import dev.ron.kernel.meter.Meter;
import dev.ron.kernel.task.Backoff;
import dev.ron.kernel.task.Task;
import dev.ron.kernel.testkit.Eventually;
import dev.ron.kernel.time.Clock;
import dev.ron.kernel.time.Deadline;
import dev.ron.service.bus.Bus;
import dev.ron.service.bus.BusEvent;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** News of the registry, and news that was missed, have the policy fetched again; other news do not. */
@Timeout(30)
class BusSubscriberTest {
    private final Kernel kernel =
            new Kernel(PassportTopology.of(1), Clock.system(), Meter.none(), Backoff.Policy.DEFAULT, crash -> {});
    private final Broadcast<BusEvent> events = new Broadcast<>(Bus.SPEC);
    private final Bus bus = new Bus(events, Meter.none());
    private final Watch.Writer<Long> hint = kernel.watch(PassportTopology.HINT, 0L);
    private final Task task = kernel.spawn(PassportTopology.BUS_SUBSCRIBER, new BusSubscriber(bus, hint)::run);

    @AfterEach
    void stop() {
        task.stop();
        task.join(Deadline.after(Clock.system(), Duration.ofSeconds(10)));
    }

    private long hints() {
        return hint.watch().value();
    }

    @Test
    void aCommitIsAHintAndOtherNewsAreNot() {
        Eventually.await("it listens", () -> events.subscribers() == 1);
        bus.publish(new BusEvent.ConfigUpdated(2));
        bus.publish(new BusEvent.RegistryUpdated(5, "b3:x", "corr"));
        Eventually.await("it has heard", () -> hints() == 1);
        bus.publish(new BusEvent.RegistryUpdated(6, "b3:y", "corr"));
        Eventually.await("it has heard again", () -> hints() == 2);
    }
}
