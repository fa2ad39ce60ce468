package dev.ron.passport.policy;

import dev.ron.kernel.channel.Broadcast;
import dev.ron.kernel.channel.Subscription;
import dev.ron.kernel.sync.Snapshot;
import java.util.Optional;

/** The policy in force, and the news of it; written by config-watcher until a registry is heard, by registry-sync from then on. */
public final class PolicyDesk {
    private final Snapshot<Optional<Policy>> current = new Snapshot<>(Optional.empty());
    private final Broadcast<Optional<Policy>> news;

    public PolicyDesk(Broadcast<Optional<Policy>> news) {
        this.news = news;
    }

    /** Puts a policy into force, or takes the last one out of it. */
    public void publish(Optional<Policy> policy) {
        // The snapshot first: who lags and looks here must find what the lost news said.
        current.publish(policy);
        news.publish(policy);
    }

    public Optional<Policy> current() {
        return current.get();
    }

    public Subscription<Optional<Policy>> subscribe(String consumer) {
        return news.subscribe(consumer);
    }
}
