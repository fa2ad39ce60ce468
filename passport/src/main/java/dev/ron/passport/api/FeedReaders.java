package dev.ron.passport.api;

import dev.ron.kernel.error.Code;
import dev.ron.kernel.error.RonException;
import dev.ron.kernel.sync.Permits;
import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The places at which verifiers wait for news; no client has more than its share once no more than a quarter is free.
 *
 * <p>Until then it may have more: a fleet of verifiers often is one client.
 */
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
        held.compute(client, this::seated);
        try {
            return feed.get();
        } finally {
            places.release();
            held.computeIfPresent(client, (_, count) -> count == 1 ? null : count - 1);
        }
    }

    private int seated(String client, @Nullable Integer before) {
        int has = before == null ? 0 : before;
        if (has >= share && places.limit() - places.inUse() <= places.limit() / 4) {
            throw busy("client " + client + " has " + has + " readers here already");
        }
        if (!places.tryAcquire()) {
            throw busy("too many readers are here already");
        }
        return has + 1;
    }

    private static RonException busy(String why) {
        return new RonException(Code.BUSY, "busy", why, Duration.ofSeconds(1), null);
    }
}
