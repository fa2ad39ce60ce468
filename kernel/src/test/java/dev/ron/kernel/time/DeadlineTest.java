package dev.ron.kernel.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class DeadlineTest {
    private final VirtualClock clock = new VirtualClock();

    @Test
    void comesWhenItsTimeHasPassedAndNotBefore() {
        Deadline deadline = Deadline.after(clock, Duration.ofSeconds(2));
        clock.advance(Duration.ofNanos(1_999_999_999));
        assertThat(deadline.expired()).isFalse();
        assertThat(deadline.remaining()).isEqualTo(Duration.ofNanos(1));
        clock.advance(Duration.ofNanos(1));
        assertThat(deadline.expired()).isTrue();
        assertThat(deadline.remainingNanos()).isZero();
    }

    @Test
    void neverDoesNotCome() {
        assertThat(Deadline.never(clock).expired()).isFalse();
        assertThat(Deadline.never(clock).minus(Duration.ofDays(1)).expired()).isFalse();
        assertThat(Deadline.after(clock, Duration.ofSeconds(Long.MAX_VALUE)).expired())
                .isFalse();
        clock.advance(Duration.ofSeconds(1));
        assertThat(Deadline.after(clock, Duration.ofNanos(Long.MAX_VALUE)).atNanos())
                .isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void theSoonerOneCounts() {
        Deadline one = Deadline.after(clock, Duration.ofSeconds(1));
        Deadline two = Deadline.after(clock, Duration.ofSeconds(2));
        assertThat(one.min(two)).isSameAs(one);
        assertThat(two.min(one)).isSameAs(one);
        assertThat(two.within(Duration.ofSeconds(1))).isEqualTo(one);
        assertThat(two.minus(Duration.ofSeconds(1))).isEqualTo(one);
        assertThat(Deadline.after(clock, Duration.ofSeconds(-1)).expired()).isTrue();
    }

    @Test
    void theSystemClockStartsNearZeroAndGrows() {
        long before = Clock.system().nanos();
        assertThat(before).isNotNegative();
        assertThat(Clock.system().nanos()).isGreaterThanOrEqualTo(before);
    }
}
