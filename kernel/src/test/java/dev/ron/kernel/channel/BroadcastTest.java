package dev.ron.kernel.channel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.kernel.testkit.Crew;
import dev.ron.kernel.testkit.Eventually;
import dev.ron.kernel.testkit.NoLeaks;
import dev.ron.kernel.testkit.RecordingMeter;
import dev.ron.kernel.time.Clock;
import dev.ron.kernel.time.Deadline;
import dev.ron.kernel.time.VirtualClock;
import dev.ron.kernel.topology.Topology;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(NoLeaks.class)
class BroadcastTest {
    private final VirtualClock clock = new VirtualClock();
    private final RecordingMeter meter = new RecordingMeter();

    private <T> Broadcast<T> ring(int capacity) {
        return new Broadcast<>(Topology.broadcast("events", capacity), meter);
    }

    private static <T> @Nullable Received<T> next(Subscription<T> from) {
        return from.tryReceive().orElse(null);
    }

    @Test
    void everyReaderGetsEveryEventSinceItSubscribed() {
        Broadcast<String> ring = ring(4);
        try (var early = ring.subscribe("early")) {
            ring.publish("a");
            try (var late = ring.subscribe("late")) {
                ring.publish("b");
                assertThat(ring.subscribers()).isEqualTo(2);
                assertThat(next(early)).isEqualTo(new Received.Item<>(0, "a"));
                assertThat(next(early)).isEqualTo(new Received.Item<>(1, "b"));
                assertThat(next(late)).isEqualTo(new Received.Item<>(1, "b"));
                assertThat(next(late)).isNull();
            }
        }
        assertThat(ring.subscribers()).isZero();
    }

    @Test
    void aSlowReaderLearnsHowMuchItMissedOnce() {
        Broadcast<Integer> ring = ring(2);
        try (var slow = ring.subscribe("slow")) {
            for (int i = 0; i < 5; i++) {
                ring.publish(i);
            }
            assertThat(slow.lag()).isEqualTo(5);
            assertThat(next(slow)).isEqualTo(new Received.Lagged<>(3));
            assertThat(next(slow)).isEqualTo(new Received.Item<>(3, 3));
            assertThat(next(slow)).isEqualTo(new Received.Item<>(4, 4));
            assertThat(next(slow)).isNull();
        }
        assertThat(meter.count("bus_lagged_total", "consumer", "slow")).isEqualTo(3);
        assertThat(meter.count("bus_published_total", "bus", "events")).isEqualTo(5);
    }

    @Test
    void closeLetsReadersFinishAndRefusesMore() {
        Broadcast<Integer> ring = ring(2);
        try (var reader = ring.subscribe("r")) {
            ring.publish(1);
            ring.close();
            assertThat(ring.publish(2)).isFalse();
            assertThat(next(reader)).isEqualTo(new Received.Item<>(0, 1));
            assertThat(next(reader)).isEqualTo(new Received.Closed<>());
            assertThat(next(reader)).isEqualTo(new Received.Closed<>());
        }
    }

    @Test
    void closingASubscriptionWakesItsReader() {
        Broadcast<Integer> ring = ring(2);
        var reader = ring.subscribe("r");
        AtomicReference<@Nullable Received<Integer>> got = new AtomicReference<>();
        Thread thread = Thread.ofVirtual()
                .start(() -> got.set(reader.receive(Deadline.never(clock)).orElse(null)));
        Eventually.await("it waits", () -> clock.parked() == 1);
        reader.close();
        Eventually.await("it ends", () -> !thread.isAlive());
        assertThat(got.get()).isEqualTo(new Received.Closed<>());
        reader.close();
        assertThat(ring.subscribers()).isZero();
    }

    @Test
    void receiveEndsAtItsDeadline() {
        try (var reader = ring(2).subscribe("r")) {
            assertThat(reader.receive(Deadline.after(clock, Duration.ZERO))).isEmpty();
        }
    }

    // subscribe | publish once a reader is counted  ->  that reader hears it
    @Test
    void whoIsCountedHearsWhatIsPublishedFromThenOn() {
        for (int round = 0; round < 500; round++) {
            Broadcast<Integer> ring = ring(4);
            try (Crew crew = new Crew()) {
                crew.add(() -> {
                    while (ring.subscribers() == 0) {
                        Thread.onSpinWait();
                    }
                    ring.publish(7);
                });
                crew.add(() -> {
                    try (var reader = ring.subscribe("r")) {
                        assertThat(reader.receive(Deadline.after(Clock.system(), Duration.ofSeconds(30))))
                                .contains(new Received.Item<>(0, 7));
                    }
                });
            }
        }
    }

    // 3 x publish | 2 x receive | slow receive | close  ->  received + missed = published, in order
    @RepeatedTest(10)
    void receivedAndMissedAddUpToPublished() {
        Broadcast<Integer> ring = ring(4);
        int each = 5_000;
        AtomicInteger publishers = new AtomicInteger(3);
        try (Crew crew = new Crew()) {
            for (int p = 0; p < 3; p++) {
                crew.add(() -> {
                    for (int i = 0; i < each; i++) {
                        assertThat(ring.publish(i)).isTrue();
                    }
                    if (publishers.decrementAndGet() == 0) {
                        ring.close();
                    }
                });
            }
            for (int r = 0; r < 3; r++) {
                var reader = ring.subscribe("r" + r);
                boolean slow = r == 2;
                crew.addVirtual(() -> {
                    try (reader) {
                        assertThat(readAll(reader, slow)).isEqualTo(3L * each);
                    }
                });
            }
        }
    }

    private static long readAll(Subscription<Integer> reader, boolean slow) {
        long sum = 0;
        while (true) {
            switch (reader.receive(Deadline.never(Clock.system())).orElseThrow()) {
                case Received.Item<Integer>(long seq, var _) -> {
                    assertThat(seq).isEqualTo(sum);
                    sum++;
                }
                case Received.Lagged<Integer>(long missed) -> {
                    assertThat(missed).isPositive();
                    sum += missed;
                }
                case Received.Closed<Integer>() -> {
                    return sum;
                }
            }
            for (int i = 0; slow && i < 200; i++) {
                Thread.onSpinWait();
            }
        }
    }
}
