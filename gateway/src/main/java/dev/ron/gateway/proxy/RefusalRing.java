package dev.ron.gateway.proxy;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/** The latest refusals, so that a caller's correlation id can be answered with what happened. */
public final class RefusalRing {
    private static final int SIZE = 4096;

    private final AtomicReferenceArray<@Nullable Told> ring = new AtomicReferenceArray<>(SIZE);
    private final AtomicLong next = new AtomicLong();

    /**
     * One refusal and how things stood.
     *
     * @param key the configuration key that sets the bound, where one does
     */
    public record Told(
            String corrId,
            Instant at,
            String route,
            String upstream,
            String issuer,
            String tenant,
            int status,
            String reason,
            String detail,
            long waitedMicros,
            int limit,
            int inFlight,
            int waiting,
            String key) {}

    void add(Told told) {
        ring.set((int) (next.getAndIncrement() % SIZE), told);
    }

    public Optional<Told> find(String corrId) {
        for (int i = 0; i < SIZE; i++) {
            Told told = ring.get(i);
            if (told != null && told.corrId().equals(corrId)) {
                return Optional.of(told);
            }
        }
        return Optional.empty();
    }

    /** The latest, newest first. */
    public List<Told> latest(int count) {
        List<Told> found = new ArrayList<>();
        long head = next.get();
        for (long n = head - 1; n >= Math.max(0, head - SIZE) && found.size() < count; n--) {
            Told told = ring.get((int) (n % SIZE));
            if (told != null) {
                found.add(told);
            }
        }
        return found;
    }
}
