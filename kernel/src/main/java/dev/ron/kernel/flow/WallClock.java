package dev.ron.kernel.flow;

import dev.ron.kernel.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;

/** The kernel's clock as the JDK's, for libraries that take one. */
final class WallClock extends java.time.Clock {
    private final Clock clock;

    WallClock(Clock clock) {
        this.clock = clock;
    }

    @Override
    public ZoneId getZone() {
        return ZoneOffset.UTC;
    }

    @Override
    public java.time.Clock withZone(ZoneId zone) {
        return this;
    }

    @Override
    public Instant instant() {
        return clock.now();
    }
}
