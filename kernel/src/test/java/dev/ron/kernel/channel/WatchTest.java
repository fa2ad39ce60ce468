package dev.ron.kernel.channel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ron.kernel.testkit.Crew;
import dev.ron.kernel.testkit.Eventually;
import dev.ron.kernel.testkit.NoLeaks;
import dev.ron.kernel.time.Clock;
import dev.ron.kernel.time.Deadline;
import dev.ron.kernel.time.VirtualClock;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(NoLeaks.class)
class WatchTest {
    private final VirtualClock clock = new VirtualClock();

    @Test
    void theInitialValueHasVersionOneAndIsNoNews() {
        Watch<String> watch = Watch.of("a").watch();
        assertThat(watch.current()).isEqualTo(new Watch.Versioned<>("a", 1));
        assertThat(watch.awaitNewerThan(1, Deadline.after(clock, Duration.ZERO)))
                .isEmpty();
        assertThat(watch.awaitNewerThan(0, Deadline.after(clock, Duration.ZERO)))
                .isPresent();
    }

    @Test
    void aWaitingReaderWakesForANewerValue() {
        Watch.Writer<String> writer = Watch.of("a");
        AtomicReference<Optional<Watch.Versioned<String>>> got = new AtomicReference<>(Optional.empty());
        Thread reader =
                Thread.ofVirtual().start(() -> got.set(writer.watch().awaitNewerThan(1, Deadline.never(clock))));
        Eventually.await("it waits", () -> clock.parked() == 1);
        writer.set("b");
        Eventually.await("it ends", () -> !reader.isAlive());
        assertThat(got.get()).contains(new Watch.Versioned<>("b", 2));
    }

    @Test
    void closeWakesReadersAndTheLastValueStays() {
        Watch.Writer<String> writer = Watch.of("a");
        Thread reader = Thread.ofVirtual().start(() -> writer.watch().awaitNewerThan(1, Deadline.never(clock)));
        Eventually.await("it waits", () -> clock.parked() == 1);
        writer.close();
        Eventually.await("it ends", () -> !reader.isAlive());
        assertThat(writer.watch().closed()).isTrue();
        assertThat(writer.watch().value()).isEqualTo("a");
        assertThat(writer.watch().awaitNewerThan(1, Deadline.never(clock))).isEmpty();
    }

    // set | awaitNewerThan  ->  versions grow, the newest is never missed
    @RepeatedTest(10)
    void readersMaySkipButNeverMissTheNewest() {
        Watch.Writer<Integer> writer = Watch.of(0);
        try (Crew crew = new Crew()) {
            crew.add(() -> {
                for (int i = 1; i <= 5_000; i++) {
                    writer.set(i);
                }
            });
            for (int r = 0; r < 2; r++) {
                crew.addVirtual(() -> {
                    long seen = 1;
                    int value = 0;
                    while (value < 5_000) {
                        var got = writer.watch()
                                .awaitNewerThan(seen, Deadline.never(Clock.system()))
                                .orElseThrow();
                        assertThat(got.version()).isGreaterThan(seen);
                        assertThat(got.value()).isGreaterThan(value).isEqualTo((int) got.version() - 1);
                        seen = got.version();
                        value = got.value();
                    }
                });
            }
        }
    }

    // set | set  ->  two versions, none lost
    @Test
    void racingWritersGetVersionsOfTheirOwn() {
        Watch.Writer<Integer> writer = Watch.of(0);
        Set<Long> versions = ConcurrentHashMap.newKeySet();
        try (Crew crew = new Crew()) {
            for (int w = 0; w < 3; w++) {
                crew.add(() -> {
                    for (int i = 0; i < 1_000; i++) {
                        assertThat(versions.add(writer.set(i))).isTrue();
                    }
                });
            }
        }
        assertThat(writer.watch().current().version()).isEqualTo(3_001);
    }
}
