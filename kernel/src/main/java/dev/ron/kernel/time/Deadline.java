package dev.ron.kernel.time;

import java.time.Duration;

/** An absolute moment on a monotonic clock by which something must be over; it can only be shortened. */
public record Deadline(long atNanos, Clock clock) {
    private static final Duration FOREVER = Duration.ofNanos(Long.MAX_VALUE);

    public static Deadline after(Clock clock, Duration duration) {
        return at(clock, clock.nanos(), duration);
    }

    private static Deadline at(Clock clock, long now, Duration duration) {
        long nanos = duration.compareTo(FOREVER) >= 0 ? Long.MAX_VALUE : Math.max(0, duration.toNanos());
        return new Deadline(now > Long.MAX_VALUE - nanos ? Long.MAX_VALUE : now + nanos, clock);
    }

    /** No end of its own: only for a task that waits on its source, where closing the source ends the wait. */
    public static Deadline never(Clock clock) {
        return new Deadline(Long.MAX_VALUE, clock);
    }

    public boolean expired() {
        return atNanos != Long.MAX_VALUE && clock.nanos() >= atNanos;
    }

    public long remainingNanos() {
        return atNanos == Long.MAX_VALUE ? Long.MAX_VALUE : Math.max(0, atNanos - clock.nanos());
    }

    public Duration remaining() {
        return Duration.ofNanos(remainingNanos());
    }

    public Deadline min(Deadline other) {
        return other.atNanos < atNanos ? other : this;
    }

    /** This deadline, or {@code duration} from now where that is sooner. */
    public Deadline within(Duration duration) {
        return min(after(clock, duration));
    }

    /** Earlier by a reserve, for a call whose answer must still be handled in time. */
    public Deadline minus(Duration reserve) {
        return atNanos == Long.MAX_VALUE ? this : new Deadline(atNanos - reserve.toNanos(), clock);
    }
}
