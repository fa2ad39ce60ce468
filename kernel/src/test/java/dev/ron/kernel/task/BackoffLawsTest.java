package dev.ron.kernel.task;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.kernel.time.VirtualClock;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.random.RandomGenerator;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

class BackoffLawsTest {
    private static final RandomGenerator MOST = new RandomGenerator() {
        @Override
        public long nextLong() {
            return 0;
        }

        @Override
        public long nextLong(long bound) {
            return bound - 1;
        }
    };

    @Property
    void waitsAreBetweenTenMillisecondsAndTheDoublingBound(@ForAll long seed) {
        Backoff backoff = new Backoff(Backoff.Policy.DEFAULT, new VirtualClock(), new Random(seed));
        for (int n = 0; n < 70; n++) {
            long bound = n > 8 ? 30_000 : Math.min(30_000, 100L << n);
            assertThat(backoff.next()).isBetween(Duration.ofMillis(10), Duration.ofMillis(bound));
        }
    }

    @Example
    void theBoundDoublesFromATenthOfASecondToHalfAMinute() {
        Backoff backoff = new Backoff(Backoff.Policy.DEFAULT, new VirtualClock(), MOST);
        for (long millis : new long[] {100, 200, 400, 800, 1600, 3200, 6400, 12800, 25600, 30000, 30000}) {
            assertThat(backoff.next()).isEqualTo(Duration.ofMillis(millis));
        }
    }

    @Example
    void aLongMinimumDoesNotOverflow() {
        Backoff.Policy slow = new Backoff.Policy(Duration.ofHours(1), Duration.ofDays(1), 5, Duration.ofSeconds(60));
        Backoff backoff = new Backoff(slow, new VirtualClock(), MOST);
        for (int n = 0; n < 70; n++) {
            assertThat(backoff.next()).isBetween(Duration.ofHours(1), Duration.ofDays(1));
        }
    }

    @Example
    void aMinuteOfHealthStartsTheDoublingAnew() {
        VirtualClock clock = new VirtualClock();
        Backoff backoff = new Backoff(Backoff.Policy.DEFAULT, clock, MOST);
        backoff.failed(clock.nanos());
        backoff.next();
        backoff.failed(clock.nanos());
        assertThat(backoff.next()).isEqualTo(Duration.ofMillis(200));
        long started = clock.nanos();
        clock.advance(Duration.ofSeconds(59));
        backoff.failed(started);
        assertThat(backoff.next()).isEqualTo(Duration.ofMillis(400));
        started = clock.nanos();
        clock.advance(Duration.ofSeconds(60));
        backoff.failed(started);
        assertThat(backoff.next()).isEqualTo(Duration.ofMillis(100));
    }

    @Property
    void quarantineComesWithTheFifthFailureInAnyWindowOfAMinute(
            @ForAll @Size(max = 40) List<@IntRange(min = 0, max = 40_000) Integer> gaps) {
        VirtualClock clock = new VirtualClock();
        Backoff backoff = new Backoff(Backoff.Policy.DEFAULT, clock, new Random(1));
        Deque<Long> last = new ArrayDeque<>();
        for (int gap : gaps) {
            clock.advance(Duration.ofMillis(gap));
            last.addLast(clock.nanos());
            if (last.size() > 5) {
                last.removeFirst();
            }
            boolean expected = last.size() == 5 && clock.nanos() - last.getFirst() < 60_000_000_000L;
            assertThat(backoff.failed(clock.nanos())).isEqualTo(expected);
        }
    }
}
