package dev.ron.edge;

import dev.ron.edge.fill.FillEvent;
import dev.ron.kernel.channel.Broadcast;
import dev.ron.kernel.channel.Received;
import dev.ron.kernel.channel.Subscription;
import dev.ron.kernel.task.TaskScope;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes what fills brought, and what they were refused, to the audit log; where it falls behind it says so. */
final class EventLog {
    private static final Logger AUDIT = LoggerFactory.getLogger("audit");

    private final Broadcast<FillEvent> events;

    EventLog(Broadcast<FillEvent> events) {
        this.events = events;
    }

    void run(TaskScope scope) {
        Subscription<FillEvent> subscription = scope.own(events.subscribe("event-log"));
        while (!scope.stopping()) {
            Optional<Received<FillEvent>> received = subscription.receive(scope.untilStop());
            if (received.isEmpty()) {
                return;
            }
            switch (received.get()) {
                case Received.Item<FillEvent>(var _, FillEvent.Brought(String key, String digest, long bytes)) ->
                    AUDIT.info("fill {} brought {} bytes, b3 {}", key, bytes, digest);
                case Received.Item<FillEvent>(var _, FillEvent.Refused(String key, String reason, String detail)) ->
                    AUDIT.info("fill {} refused, {}: {}", key, reason, detail);
                case Received.Lagged<FillEvent> lagged -> AUDIT.warn("fills: {}", lagged);
                case Received.Closed<FillEvent> _ -> scope.awaitStop(scope.untilStop());
            }
        }
    }
}
