package dev.ron.service.bus;

import dev.ron.kernel.channel.Broadcast;
import dev.ron.kernel.channel.Subscription;
import dev.ron.kernel.meter.Meter;
import dev.ron.kernel.topology.BroadcastSpec;
import dev.ron.kernel.topology.Topology;

/**
 * The bus of one process: at most once, in order per publisher, nothing kept.
 *
 * <p>A consumer that falls behind is told how much it missed and must fetch the truth from its source; events are hints.
 */
public final class Bus {
    public static final BroadcastSpec SPEC =
            Topology.broadcast("bus", 4096).from("every service").to("every service");

    private final Broadcast<BusEvent> events;
    private final Meter.Count unheard;

    public Bus(Broadcast<BusEvent> events, Meter meter) {
        this.events = events;
        this.unheard =
                meter.counter("bus_no_subscribers_total", "bus", events.spec().name());
    }

    /** Publishes without waiting; an event that nobody listens to is counted, it is no error. */
    public void publish(BusEvent event) {
        if (events.publish(event) && events.subscribers() == 0) {
            unheard.increment();
        }
    }

    /** Starts reading at the next event; one subscription belongs to one task. */
    public Subscription<BusEvent> subscribe(String consumer) {
        return events.subscribe(consumer);
    }
}
