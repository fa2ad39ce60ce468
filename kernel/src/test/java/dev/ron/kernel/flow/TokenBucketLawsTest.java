package dev.ron.kernel.flow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ron.kernel.time.VirtualClock;
import java.time.Duration;
import java.util.List;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

class TokenBucketLawsTest {

    private static int takeAll(TokenBucket bucket) {
        int taken = 0;
        while (bucket.tryTake() == 0) {
            taken++;
        }
        return taken;
    }

    @Property
    void neverGivesMoreThanBurstPlusRateTimesTime(
            @ForAll @IntRange(min = 1, max = 5_000) int rate,
            @ForAll @IntRange(min = 1, max = 200) int burst,
            @ForAll @Size(max = 50) List<@IntRange(min = 0, max = 200_000) Integer> gapMicros) {
        VirtualClock clock = new VirtualClock();
        TokenBucket bucket = new TokenBucket(clock, rate, burst);
        long given = takeAll(bucket);
        assertThat(given).isEqualTo(burst);
        for (int gap : gapMicros) {
            clock.advance(Duration.ofNanos(gap * 1_000L));
            given += takeAll(bucket);
            // The interval is whole nanoseconds, which is at most one part in 200,000 at these rates.
            double allowed = burst + rate * (clock.nanos() / 1e9) * 1.00001;
            assertThat((double) given).isLessThanOrEqualTo(allowed + 1e-6);
        }
    }

    @Property
    void saysHowLongToWait(@ForAll @IntRange(min = 1, max = 1_000) int rate) {
        VirtualClock clock = new VirtualClock();
        TokenBucket bucket = new TokenBucket(clock, rate, 1);
        assertThat(bucket.tryTake()).isZero();
        long wait = bucket.tryTake();
        assertThat(wait).isPositive();
        clock.advance(Duration.ofNanos(wait - 1));
        assertThat(bucket.tryTake()).isEqualTo(1);
        clock.advance(Duration.ofNanos(1));
        assertThat(bucket.tryTake()).isZero();
    }

    @Example
    void aRaisedRateDoesNotLockOutThoseWhoHadUsedTheOldOne() {
        VirtualClock clock = new VirtualClock();
        TokenBucket bucket = new TokenBucket(clock, 1, 100);
        assertThat(takeAll(bucket)).isEqualTo(100);
        bucket.reconfigure(1_000, 1_000);
        assertThat(takeAll(bucket)).as("900 of the new thousand are free").isEqualTo(900);
        bucket.reconfigure(1, 100);
        assertThat(takeAll(bucket)).isZero();
    }

    @Example
    void aRateOfNothingIsRefused() {
        assertThatThrownBy(() -> new TokenBucket(new VirtualClock(), 0, 1)).hasMessageContaining("positive rate");
        assertThatThrownBy(() -> new TokenBucket(new VirtualClock(), 1, 0.5)).hasMessageContaining("at least 1");
        assertThatThrownBy(() -> new TokenBucket(new VirtualClock(), Double.NaN, 1))
                .hasMessageContaining("positive rate");
    }
}
