package dev.ron.kernel.sync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ron.kernel.testkit.Crew;
import dev.ron.kernel.testkit.Eventually;
import dev.ron.kernel.testkit.NoLeaks;
import dev.ron.kernel.time.Clock;
import dev.ron.kernel.time.Deadline;
import dev.ron.kernel.time.VirtualClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(NoLeaks.class)
class PermitsTest {
    private final VirtualClock clock = new VirtualClock();

    @Test
    void grantsUpToTheLimit() {
        Permits permits = new Permits("inflight", 2);
        assertThat(permits.tryAcquire()).isTrue();
        assertThat(permits.tryAcquire()).isTrue();
        assertThat(permits.tryAcquire()).isFalse();
        permits.release();
        assertThat(permits.tryAcquire()).isTrue();
        assertThat(permits.inUse()).isEqualTo(2);
        assertThat(permits.limit()).isEqualTo(2);
    }

    @Test
    void givingBackTwiceIsRefusedAndGrantsNothing() {
        Permits permits = new Permits("inflight", 1);
        assertThatThrownBy(permits::release).hasMessageContaining("twice");
        assertThat(permits.inUse()).isZero();
        assertThat(permits.tryAcquire()).isTrue();
        assertThat(permits.tryAcquire()).isFalse();
    }

    @Test
    void aLimitBelowOneIsRefused() {
        assertThatThrownBy(() -> new Permits("inflight", 0)).hasMessageContaining("0 permits");
        assertThatThrownBy(() -> new Permits("inflight", 1).resize(-1)).hasMessageContaining("-1 permits");
    }

    @Test
    void aLoweredLimitGrantsNothingUntilEnoughWereGivenBack() {
        Permits permits = new Permits("inflight", 3);
        permits.tryAcquire();
        permits.tryAcquire();
        permits.tryAcquire();
        permits.resize(1);
        permits.release();
        permits.release();
        assertThat(permits.tryAcquire()).isFalse();
        permits.release();
        assertThat(permits.tryAcquire()).isTrue();
    }

    @Test
    void waitersGetPermitsInTheirOrder() {
        Permits permits = new Permits("inflight", 1);
        permits.tryAcquire();
        List<Integer> order = new CopyOnWriteArrayList<>();
        List<Thread> waiters = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            int number = i;
            waiters.add(Thread.ofVirtual().start(() -> {
                permits.acquire(Deadline.never(clock));
                order.add(number);
            }));
            Eventually.await("it waits", () -> clock.parked() == number + 1);
        }
        for (int i = 0; i < 3; i++) {
            permits.release();
            int served = i + 1;
            Eventually.await("one is served", () -> order.size() == served);
        }
        Eventually.await("all end", () -> waiters.stream().noneMatch(Thread::isAlive));
        assertThat(order).containsExactly(0, 1, 2);
    }

    @Test
    void aRaisedLimitServesThoseWhoWait() {
        Permits permits = new Permits("inflight", 1);
        permits.tryAcquire();
        AtomicInteger served = new AtomicInteger();
        for (int i = 0; i < 2; i++) {
            Thread.ofVirtual().start(() -> {
                if (permits.acquire(Deadline.never(clock))) {
                    served.incrementAndGet();
                }
            });
        }
        Eventually.await("they wait", () -> clock.parked() == 2);
        permits.resize(3);
        Eventually.await("they are served", () -> served.get() == 2);
    }

    @Test
    void thousandsOfTimeOutsLeaveNothingBehindAndNobodyIsForgotten() {
        Permits permits = new Permits("inflight", 1);
        permits.tryAcquire();
        AtomicInteger refused = new AtomicInteger();
        AtomicBoolean served = new AtomicBoolean();
        for (int i = 0; i < 2_000; i++) {
            Thread.ofVirtual().start(() -> {
                if (!permits.acquire(Deadline.after(clock, Duration.ofSeconds(1)))) {
                    refused.incrementAndGet();
                }
            });
        }
        Thread patient = Thread.ofVirtual().start(() -> served.set(permits.acquire(Deadline.never(clock))));
        Eventually.await("they wait", () -> clock.parked() == 2_001);
        clock.advance(Duration.ofSeconds(1));
        Eventually.await("they are refused", () -> refused.get() == 2_000);
        permits.release();
        Eventually.await("the patient one is served", () -> !patient.isAlive());
        assertThat(served).isTrue();
    }

    // 4 x acquire/release | resize  ->  never more inside than the greatest limit in force
    @RepeatedTest(10)
    void theBoundIsNeverExceeded() {
        Permits permits = new Permits("inflight", 3);
        AtomicInteger inside = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        try (Crew crew = new Crew()) {
            for (int t = 0; t < 4; t++) {
                crew.addVirtual(() -> {
                    for (int i = 0; i < 2_000; i++) {
                        assertThat(permits.acquire(Deadline.never(Clock.system())))
                                .isTrue();
                        most.accumulateAndGet(inside.incrementAndGet(), Math::max);
                        inside.decrementAndGet();
                        permits.release();
                    }
                });
            }
            crew.add(() -> {
                for (int i = 0; i < 500; i++) {
                    permits.resize(1 + i % 3);
                }
                permits.resize(1);
            });
        }
        assertThat(most.get()).isBetween(1, 3);
        assertThat(permits.inUse()).isZero();
    }
}
