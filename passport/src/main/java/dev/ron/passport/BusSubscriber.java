package dev.ron.passport;

import dev.ron.kernel.channel.Received;
import dev.ron.kernel.channel.Subscription;
import dev.ron.kernel.channel.Watch;
import dev.ron.kernel.task.TaskScope;
import dev.ron.service.bus.Bus;
import dev.ron.service.bus.BusEvent;
import java.util.Optional;

/** Listens for news of the registry and has the policy fetched again; missed events count as news. */
final class BusSubscriber {
    private final Bus bus;
    private final Watch.Writer<Long> hint;

    BusSubscriber(Bus bus, Watch.Writer<Long> hint) {
        this.bus = bus;
        this.hint = hint;
    }

    void run(TaskScope scope) {
        Subscription<BusEvent> events = scope.own(bus.subscribe("passport"));
        while (!scope.stopping()) {
            Optional<Received<BusEvent>> received = events.receive(scope.untilStop());
            if (received.isEmpty()) {
                return;
            }
            switch (received.get()) {
                case Received.Item<BusEvent>(var _, BusEvent.RegistryUpdated _) -> hint();
                case Received.Item<BusEvent> _ -> {
                    // not for us
                }
                case Received.Lagged<BusEvent> _ -> hint();
                case Received.Closed<BusEvent> _ -> scope.awaitStop(scope.untilStop());
            }
        }
    }

    private void hint() {
        hint.set(hint.watch().value() + 1);
    }
}
