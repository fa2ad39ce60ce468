package dev.ron.passport.api;

import dev.ron.kernel.error.Code;
import dev.ron.kernel.error.RonException;
import dev.ron.kernel.sync.Permits;
import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Supplier;

/** The places at which verifiers wait for news; no client has more than its share of them. */
public final class FeedReaders {
    private final Permits places;
    private final int share;
    private final ConcurrentMap<String, Integer> held = new ConcurrentHashMap<>();

    public FeedReaders(Permits places, int share) {
        this.places = places;
        this.share = share;
    }

    /** Reads in a place, or refuses at once where there is none for this client. */
    <R> R read(String client, Supplier<R> feed) {
        try {
            // Counted before the look at the share: two that come together may both be refused, never both let in.
            if (held.merge(client, 1, Integer::sum) > share) {
                throw busy("client " + client + " has " + share + " readers here already");
            }
            if (!places.tryAcquire()) {
                throw busy("too many readers are here already");
            }
            try {
                return feed.get();
            } finally {
                places.release();
            }
        } finally {
            held.computeIfPresent(client, (_, count) -> count == 1 ? null : count - 1);
        }
    }

    private static RonException busy(String why) {
        return new RonException(Code.BUSY, "busy", why, Duration.ofSeconds(1), null);
    }
}
