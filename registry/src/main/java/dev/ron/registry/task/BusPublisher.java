package dev.ron.registry.task;

import dev.ron.kernel.channel.Broadcast;
import dev.ron.kernel.channel.Received;
import dev.ron.kernel.channel.Subscription;
import dev.ron.kernel.task.TaskScope;
import dev.ron.registry.book.Committed;
import dev.ron.registry.book.View;
import dev.ron.service.bus.Bus;
import dev.ron.service.bus.BusEvent;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Tells the other services of each commit; where it falls behind it tells the newest, and nobody waits for it. */
public final class BusPublisher {
    private final Bus bus;
    private final Supplier<View> views;
    private final BooleanSupplier enabled;
    private volatile long told;

    public BusPublisher(Bus bus, Supplier<View> views, BooleanSupplier enabled) {
        this.bus = bus;
        this.views = views;
        this.enabled = enabled;
    }

    public void run(TaskScope scope, Broadcast<Committed> committed) {
        Subscription<Committed> news = scope.own(committed.subscribe("publisher"));
        // What was committed before a crash may never have been told.
        tellHead();
        while (!scope.stopping()) {
            Optional<Received<Committed>> received = news.receive(scope.untilStop());
            if (received.isEmpty()) {
                return;
            }
            switch (received.get()) {
                case Received.Item<Committed>(var _, Committed commit) ->
                    tell(commit.version(), commit.hash().text(), commit.corrId());
                case Received.Lagged<Committed> _ -> tellHead();
                case Received.Closed<Committed> _ -> {
                    return;
                }
            }
        }
    }

    private void tellHead() {
        View view = views.get();
        tell(view.version(), view.ledger().headHash().text(), "-");
    }

    private void tell(long version, String hash, String corrId) {
        if (enabled.getAsBoolean()) {
            bus.publish(new BusEvent.RegistryUpdated(version, hash, corrId));
        }
        told = version;
    }

    /** The last version that was told. */
    public long told() {
        return told;
    }
}
