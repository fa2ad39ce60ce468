package dev.ron.http.server;

import dev.ron.kernel.time.Clock;
import java.security.SecureRandom;
import java.util.SplittableRandom;

/** Makes correlation ids for one event loop: cheap, unique, sortable by time; not secret. */
final class CorrIds {
    private static final long MILLI = 1_000_000L;

    private final SplittableRandom random = new SplittableRandom(new SecureRandom().nextLong());
    private final long wallStart;
    private final long nanosStart;

    CorrIds(Clock clock) {
        this.wallStart = clock.now().toEpochMilli();
        this.nanosStart = clock.nanos();
    }

    CorrId next(long now) {
        return CorrId.fresh(wallStart + (now - nanosStart) / MILLI, random.nextLong(), random.nextLong());
    }
}
