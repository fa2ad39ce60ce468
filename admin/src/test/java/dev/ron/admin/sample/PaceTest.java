package dev.ron.admin.sample;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.kernel.time.VirtualClock;
import java.time.Duration;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class PaceTest {
    private static final Duration INTERVAL = Duration.ofSeconds(5);

    private final VirtualClock clock = new VirtualClock();
    private final Pace pace = new Pace(INTERVAL, "n1", clock.nanos(), new SplittableRandom(7));

    // hurry, tick, hurry, tick, ... -> the regular tick stays where it was
    @Test
    void whoAsksEverySecondDoesNotPutOffTheRegularTick() {
        for (int i = 0; i < 600; i++) {
            clock.advance(Duration.ofSeconds(1));
            pace.hurry(clock.nanos());
            assertThat(pace.due()).isLessThanOrEqualTo(clock.nanos());
            assertThat(pace.next(clock.nanos(), false)).as("skipped").isZero();
            assertThat(pace.due() - clock.nanos())
                    .as("until the next tick, a tenth of jitter included")
                    .isLessThanOrEqualTo(INTERVAL.toNanos() * 11 / 10);
        }
        assertThat(pace.isStretched()).isFalse();
    }

    @Test
    void ticksThatCameDueMeanwhileAreSkipped() {
        clock.advance(INTERVAL.multipliedBy(2));
        assertThat(pace.next(clock.nanos(), false)).isEqualTo(1);
        assertThat(pace.due()).isGreaterThan(clock.nanos() - INTERVAL.toNanos() / 10);
    }
}
