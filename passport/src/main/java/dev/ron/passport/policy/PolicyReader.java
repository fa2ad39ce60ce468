package dev.ron.passport.policy;

import dev.ron.kernel.channel.Received;
import dev.ron.kernel.channel.Subscription;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One worker's view of the policy: follows the news, and looks at the desk again where it missed some. */
public final class PolicyReader implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(PolicyReader.class);

    private final PolicyDesk desk;
    private final Subscription<Optional<Policy>> news;
    private Optional<Policy> mine;

    public PolicyReader(PolicyDesk desk, String consumer) {
        this.desk = desk;
        // Subscribed first, then read: what comes in between is seen twice, never missed.
        this.news = desk.subscribe(consumer);
        this.mine = desk.current();
    }

    /** The policy for the next order. */
    public Optional<Policy> next() {
        for (var received = news.tryReceive(); received.isPresent(); received = news.tryReceive()) {
            switch (received.get()) {
                case Received.Item<Optional<Policy>>(var _, Optional<Policy> policy) -> mine = policy;
                case Received.Lagged<Optional<Policy>>(long missed) -> {
                    LOG.warn("missed {} policy updates, reading the one in force", missed);
                    mine = desk.current();
                }
                case Received.Closed<Optional<Policy>> _ -> {
                    return mine;
                }
            }
        }
        return mine;
    }

    @Override
    public void close() {
        news.close();
    }
}
