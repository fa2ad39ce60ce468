package dev.ron.admin.api;

import dev.ron.kernel.error.Code;
import dev.ron.kernel.error.RonException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/** Slows down who tries tokens: five failures a minute from one address. Bounded, behind a lock. */
public final class SignInThrottle {
    private static final int FAILURES = 5;
    private static final int MAX_PEERS = 4096;
    private static final long MINUTE = Duration.ofMinutes(1).toNanos();

    private final Map<String, Tries> peers = new LinkedHashMap<>();

    private record Tries(int failures, long since) {}

    void require(String peer, long now) {
        peers.values().removeIf(tries -> now - tries.since() > MINUTE);
        Tries tries = peers.get(peer);
        if (tries != null && tries.failures() >= FAILURES) {
            throw new RonException(
                    Code.BUSY, "busy", "too many bad tokens from this address", Duration.ofSeconds(60), null);
        }
        if (tries == null && peers.size() >= MAX_PEERS) {
            throw new RonException(Code.BUSY, "busy", "too many addresses sign in", Duration.ofSeconds(60), null);
        }
    }

    void failed(String peer, long now) {
        peers.merge(peer, new Tries(1, now), (known, one) -> new Tries(known.failures() + 1, known.since()));
    }
}
