package dev.ron.http.loop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.kernel.time.VirtualClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class TimerWheelTest {
    private static final long TICK = Duration.ofMillis(25).toNanos();

    private final VirtualClock clock = new VirtualClock();
    private final TimerWheel wheel = new TimerWheel(clock, TICK);

    private final class Noted extends Timeout {
        private final List<Long> fired = new ArrayList<>();

        Noted() {
            super(wheel);
        }

        @Override
        protected void expired() {
            fired.add(clock.nanos());
        }
    }

    private void run(long nanos) {
        long end = clock.nanos() + nanos;
        while (clock.nanos() < end) {
            clock.advance(Duration.ofNanos(Math.min(TICK, end - clock.nanos())));
            wheel.advance();
        }
    }

    /** Any moment, near or many turns away: never early, at most one tick late, once. */
    @Property(tries = 300)
    void firesOnceAndInTime(@ForAll @Size(min = 1, max = 20) List<@IntRange(min = 0, max = 90_000) Integer> millis) {
        long start = clock.nanos();
        List<Noted> all = new ArrayList<>();
        for (int wait : millis) {
            Noted noted = new Noted();
            noted.at(start + wait * 1_000_000L + 1);
            all.add(noted);
        }
        run(Duration.ofSeconds(91).toNanos());
        for (int i = 0; i < all.size(); i++) {
            long due = start + millis.get(i) * 1_000_000L + 1;
            assertThat(all.get(i).fired)
                    .singleElement()
                    .satisfies(at -> assertThat(at).isBetween(due, due + TICK));
        }
        assertThat(wheel.size()).isZero();
    }

    @Test
    void movingLaterKeepsTheEntryWhereItIs() {
        Noted noted = new Noted();
        noted.after(10 * TICK);
        long slot = noted.slotTick;
        for (int i = 0; i < 8; i++) {
            run(TICK);
            noted.after(10 * TICK);
            assertThat(noted.slotTick).isEqualTo(slot);
        }
        run(4 * TICK);
        assertThat(noted.fired).isEmpty();
        run(8 * TICK);
        assertThat(noted.fired).hasSize(1);
    }

    @Test
    void movingEarlierIsHonoured() {
        Noted noted = new Noted();
        noted.after(1000 * TICK);
        noted.after(2 * TICK);
        run(3 * TICK);
        assertThat(noted.fired).hasSize(1);
        run(1100 * TICK);
        assertThat(noted.fired).hasSize(1);
    }

    @Test
    void offAndCancelledTimeoutsNeverFireAndLeaveNothingBehind() {
        Noted off = new Noted();
        Noted cancelled = new Noted();
        Noted kept = new Noted();
        for (Noted noted : List.of(off, cancelled, kept)) {
            noted.after(4 * TICK);
        }
        off.off();
        cancelled.cancel();
        assertThat(wheel.size()).isEqualTo(2);
        run(10 * TICK);
        assertThat(off.fired).isEmpty();
        assertThat(cancelled.fired).isEmpty();
        assertThat(kept.fired).hasSize(1);
        assertThat(wheel.size()).isZero();
    }

    @Test
    void aStallFiresEverythingDueAtOnceAndNothingElse() {
        Noted soon = new Noted();
        Noted later = new Noted();
        Noted far = new Noted();
        soon.after(3 * TICK);
        later.after(2000 * TICK);
        far.after(9000 * TICK);
        clock.advance(Duration.ofNanos(5000 * TICK));
        wheel.advance();
        assertThat(soon.fired).hasSize(1);
        assertThat(later.fired).hasSize(1);
        assertThat(far.fired).isEmpty();
        run(4001 * TICK);
        assertThat(far.fired).hasSize(1);
    }

    @Test
    void aTimeoutMaySetItselfAgainOrFailWithoutHarm() {
        int[] count = {0};
        Timeout repeating = new Timeout(wheel) {
            @Override
            protected void expired() {
                count[0]++;
                after(TICK);
                throw new IllegalStateException("on purpose");
            }
        };
        Noted other = new Noted();
        repeating.after(TICK);
        other.after(TICK);
        run(6 * TICK);
        assertThat(count[0]).isBetween(3, 6);
        assertThat(other.fired).hasSize(1);
        repeating.cancel();
        assertThat(wheel.size()).isZero();
    }
}
