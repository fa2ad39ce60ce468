package dev.ron.service.bus;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.kernel.channel.Broadcast;
import dev.ron.kernel.channel.Received;
import dev.ron.kernel.channel.Subscription;
import dev.ron.service.metrics.Metrics;
import dev.ron.service.metrics.ServiceMetrics;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class BusTest {
    private final Metrics metrics = new Metrics();
    private final ServiceMetrics node = metrics.service("node");
    private final Bus bus = new Bus(new Broadcast<>(Bus.SPEC, node), node);

    @Test
    void capacityIsTheOneOfTheNode() {
        assertThat(Bus.SPEC.capacity()).isEqualTo(4096);
    }

    @Test
    void aSubscriberReadsWhatComesAfterItSubscribed() {
        bus.publish(new BusEvent.Health("gateway", true));
        try (Subscription<BusEvent> reader = bus.subscribe("test")) {
            bus.publish(new BusEvent.ConfigUpdated(2));
            assertThat(reader.tryReceive()).contains(new Received.Item<>(1, new BusEvent.ConfigUpdated(2)));
            assertThat(reader.tryReceive()).isEmpty();
        }
        assertThat(page()).contains("bus_no_subscribers_total{bus=\"bus\",service=\"node\"} 1.0");
    }

    @Test
    void whoFallsBehindLearnsHowMuchItMissed() {
        try (Subscription<BusEvent> slow = bus.subscribe("slow")) {
            for (int i = 0; i < 4096 + 10; i++) {
                bus.publish(new BusEvent.ConfigUpdated(i));
            }
            assertThat(slow.tryReceive()).contains(new Received.Lagged<>(10));
            assertThat(page()).contains("bus_lagged_total{consumer=\"slow\",service=\"node\"} 10.0");
        }
    }

    private String page() {
        return new String(metrics.scrape("").body(), StandardCharsets.UTF_8);
    }
}
