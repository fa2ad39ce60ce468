package dev.ron.admin.api;

import dev.ron.kernel.error.Code;
import dev.ron.kernel.error.RonException;
import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;

/** Slows down who tries tokens: five failures a minute from one address. Bounded, behind a lock. */
public final class SignInThrottle {
    private static final int FAILURES = 5;
    private static final int MAX_PEERS = 4096;
    private static final long MINUTE = Duration.ofMinutes(1).toNanos();

    // In the order of their first failures: the oldest go first, by time or to make room.
    private final LinkedHashMap<String, Tries> peers = new LinkedHashMap<>();

    private record Tries(int failures, long since) {}

    /** Counts a bad token, and refuses more than that once there were too many. */
    void failed(String peer, long now) {
        Iterator<Tries> oldest = peers.values().iterator();
        while (oldest.hasNext() && now - oldest.next().since() > MINUTE) {
            oldest.remove();
        }
        if (peers.size() >= MAX_PEERS && !peers.containsKey(peer)) {
            peers.pollFirstEntry();
        }
        Tries tries =
                peers.merge(peer, new Tries(1, now), (known, one) -> new Tries(known.failures() + 1, known.since()));
        if (tries.failures() > FAILURES) {
            throw new RonException(
                    Code.BUSY, "busy", "too many bad tokens from this address", Duration.ofSeconds(60), null);
        }
    }
}
