package dev.ron.kernel.time;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/** A clock that stands still until a test moves it. */
public final class VirtualClock implements Clock {
    private static final Instant EPOCH = Instant.parse("2026-01-01T00:00:00Z");

    private final AtomicLong nanos = new AtomicLong();
    private final Map<Thread, Long> parked = new ConcurrentHashMap<>();

    @Override
    public long nanos() {
        return nanos.get();
    }

    @Override
    public Instant now() {
        return EPOCH.plusNanos(nanos.get());
    }

    @Override
    public void park(Object blocker, long untilNanos) {
        Thread self = Thread.currentThread();
        parked.put(self, untilNanos);
        try {
            // Registered first, then looked: an advance in between either sees us or is seen by us.
            if (nanos.get() < untilNanos) {
                LockSupport.park(blocker);
            }
        } finally {
            parked.remove(self);
        }
    }

    /** Moves time and wakes every thread whose wait has come to its end. */
    public void advance(Duration by) {
        long now = nanos.addAndGet(by.toNanos());
        parked.forEach((thread, until) -> {
            if (until <= now) {
                LockSupport.unpark(thread);
            }
        });
    }

    /** Moves time to the next moment somebody waits for; false when nobody waits, or who was woken has not run yet. */
    public boolean advanceToNextWake() {
        List<Long> times = wakeTimes();
        if (times.isEmpty() || times.getFirst() <= nanos()) {
            return false;
        }
        advance(Duration.ofNanos(times.getFirst() - nanos()));
        return true;
    }

    /** How many threads wait on this clock, with or without an end. */
    public int parked() {
        return parked.size();
    }

    /** How many threads wait for a moment that an {@link #advance} can reach. */
    public int sleeping() {
        return wakeTimes().size();
    }

    /** The moments that threads wait for, earliest first. */
    public List<Long> wakeTimes() {
        return parked.values().stream()
                .filter(until -> until != Long.MAX_VALUE)
                .sorted()
                .toList();
    }
}
